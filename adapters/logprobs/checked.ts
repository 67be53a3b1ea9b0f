import type * as z from 'zod';
import { wrongShape } from './json-service.js';

/** Where an answer is from, and what to do if it is not as it should be. */
export interface Source {
  /** What was asked: `POST http://127.0.0.1:8000/v1/completions`. */
  name: string;
  remedy: string;
}

/**
 * An answer that is as documented.
 *
 * @param at where it was within the whole answer: `.choices[0]`.
 * @throws ContextShapingError `service`, naming the place and, in short, what is there.
 */
export function checked<S extends z.ZodType>(
  schema: S,
  answer: unknown,
  { name, remedy }: Source,
  at = '',
): z.output<S> {
  const result = schema.safeParse(answer);
  if (result.success) return result.data;
  const { path } = result.error.issues[0] as z.core.$ZodIssue;
  const value = path.reduce<unknown>(
    (all, key) => (all as Record<PropertyKey, unknown> | null)?.[key],
    answer,
  );
  const place = path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key).slice(0, 80)}`))
    .join('');
  const is = `answers with something else than expected at “${at + place || '.'}”`;
  throw wrongShape(name, value, is, remedy);
}
