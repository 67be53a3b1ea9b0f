/** Whether the value has all of these methods. */
export const hasMethods = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => typeof (value as Record<string, unknown> | null | undefined)?.[name] === 'function');

/** Whether the value is a port: an embedder, a model, a judge or a telemetry. Ports are neither copied nor frozen. */
export const isService = (value: object): boolean =>
  ['embed', 'score', 'judge', 'begin'].some((name) => hasMethods(value, name));
