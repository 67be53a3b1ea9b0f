/** An object with optional fields in place of fields that may be `undefined`. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** A copy without the fields that are `undefined`. Reports and checkpoints have no such fields. */
export function defined<T extends object>(fields: T): Defined<T> {
  const found: Partial<T> = {};
  for (const key of Object.keys(fields) as (keyof T)[])
    if (fields[key] !== undefined) found[key] = fields[key];
  return found as unknown as Defined<T>;
}
