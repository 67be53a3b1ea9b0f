/**
 * Spans and metrics of shapings, on the API of OpenTelemetry alone.
 *
 * @packageDocumentation
 */
export { type OpenTelemetryOptions, openTelemetry } from './open-telemetry.js';
