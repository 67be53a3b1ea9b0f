/** Whether the value is a port: an embedder, a model, a judge or a telemetry. Ports are neither copied nor frozen. */
export function isService(value: object): boolean {
  return ['embed', 'score', 'judge', 'begin'].some(
    (name) => typeof (value as Record<string, unknown>)[name] === 'function',
  );
}
