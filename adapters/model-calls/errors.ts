/** The errors of adapters that call models, by kind. */
import { ContextShapingError, type ContextShapingErrorKind } from '../../src/index.js';
import { hasMethods } from '../../src/internal.js';

const ofKind =
  (kind: ContextShapingErrorKind) =>
  (field: string, value: unknown, is: string, remedy: string, cause?: unknown): ContextShapingError =>
    new ContextShapingError(kind, { field, value, is, remedy, cause });

export const invalidOption = ofKind('invalid-options');
export const serviceError = ofKind('service');

/** @throws ContextShapingError `invalid-options`, unless the value has all these methods. */
export function checkMethods(
  field: string,
  value: unknown,
  methods: readonly string[],
  remedy: string,
): void {
  if (hasMethods(value, ...methods)) return;
  const all = `${methods.length === 1 ? 'method' : 'methods'} ${methods.join(' and ')}`;
  throw invalidOption(field, value, `must have the ${all}`, remedy);
}

/** The error for a service at whose address nothing listens. */
export function unreachable(name: string, problem: string, cause: unknown): ContextShapingError {
  const remedy = /ollama/i.test(name)
    ? 'Start Ollama with `ollama serve`, or give the address of its server as baseUrl.'
    : 'Start the service, or correct its address.';
  return serviceError(name, problem, 'cannot be reached', remedy, cause);
}
