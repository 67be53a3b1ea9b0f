/** Whether the value is a port: an embedder, a model or a judge. Ports are neither copied nor frozen. */
export function isService(value: object): boolean {
  return ['embed', 'score', 'judge'].some(
    (name) => typeof (value as Record<string, unknown>)[name] === 'function',
  );
}
