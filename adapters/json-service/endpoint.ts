/** Checks what a service answers, and names the endpoint in errors. */
import type * as z from 'zod';
import type { ContextShapingError } from '../../src/index.js';
import { serviceError } from '../model-calls/index.js';

/** One endpoint of a service. */
export class Endpoint {
  /**
   * @param name as errors show it: `POST http://127.0.0.1:8000/v1/completions`.
   * @param remedy what the user can do if an answer is not as documented.
   */
  constructor(
    readonly name: string,
    readonly remedy: string,
  ) {}

  /**
   * Reads an answer by a schema.
   *
   * @param at the path of `answer` within the whole answer: `.choices[0]`.
   * @throws ContextShapingError `service`, with the path of the unexpected value and a short form of it.
   */
  read<S extends z.ZodType>(schema: S, answer: unknown, at = ''): z.output<S> {
    const result = schema.safeParse(answer);
    if (result.success) return result.data;
    const { path } = result.error.issues[0] as z.core.$ZodIssue;
    const value = path.reduce<unknown>(
      (all, key) => (all as Record<PropertyKey, unknown> | null)?.[key],
      answer,
    );
    const below = path
      .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key).slice(0, 80)}`))
      .join('');
    throw this.malformed(value, `answers with an unexpected value at “${at + below || '.'}”`);
  }

  /** The error for an answer that is JSON, but not as documented. It holds a short form of the value. */
  malformed(
    value: unknown,
    is: string,
    { remedy = this.remedy, cause }: { remedy?: string; cause?: unknown } = {},
  ): ContextShapingError {
    return serviceError(this.name, brief(value), is, remedy, cause);
  }

  /** Puts choices into the order of their prompts. Each of `count` prompts must have one. */
  inOrder<Choice extends { index: number }>(choices: readonly Choice[], count: number): Choice[] {
    const ordered = choices.toSorted((a, b) => a.index - b.index);
    if (ordered.length === count && ordered.every(({ index }, at) => index === at)) return ordered;
    const indexes = choices.map(({ index }) => index).join(', ');
    throw this.malformed(indexes, `does not answer each of ${count} prompts once`);
  }
}

const MOST_CHARACTERS = 80;

function brief(value: unknown): unknown {
  const short = (text: string) => text.slice(0, MOST_CHARACTERS);
  if (typeof value === 'string') return short(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return `array of ${value.length}`;
  return short(`object of ${Object.keys(value).join(', ') || 'nothing'}`);
}

/** The error for a model name that the service does not know. */
export function unknownModel(
  model: string,
  service: string,
  remedy: string,
  cause?: unknown,
): ContextShapingError {
  const is = `is not known to ${service}`;
  return serviceError('model', model, is, remedy, cause);
}
