/** Is it one of the outside world's objects: an embedder, a model, a judge? They are neither copied nor frozen. */
export function isService(value: object): boolean {
  return ['embed', 'score', 'judge'].some(
    (name) => typeof (value as Record<string, unknown>)[name] === 'function',
  );
}
