/** Answers of a service: the error message in them, and values, checked by a schema. */
import type * as z from 'zod';
import type { ContextShapingError } from '../../src/index.js';
import { isObject, parseJson } from '../../src/internal.js';
import { serviceError } from './errors.js';

/** A response whose status is not a success. */
export interface Refusal {
  status: number;
  /** The parsed body if it is JSON, else its text. */
  body: unknown;
  /** The error message in the body; the whole body if no message is found. */
  message: string;
}

const MOST_CHARACTERS_SHOWN = 1000;

/** The beginning of a text: enough for a message, too few for a whole page. */
export const excerpt = (text: string): string => text.slice(0, MOST_CHARACTERS_SHOWN);

/** The cause of an error about a refusal. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(excerpt(refusal.message));
  }
}

/** The refusal that an error is about, if it is about one. */
export function refusalOf(error: unknown): Refusal | undefined {
  const cause = (error as { cause?: unknown } | null)?.cause;
  return cause instanceof Refused ? cause.refusal : undefined;
}

/**
 * The message in an error body: `{ error: { message } }`, `{ error }`, `{ message }`, `{ detail }`, or a text. Ollama sends
 * the error of its engine as JSON in a text.
 */
export function messageIn(body: unknown): string {
  const found = textIn(body);
  return textIn(parseJson(found)) || found;
}

function textIn(body: unknown): string {
  if (!isObject(body)) return typeof body === 'string' ? body : '';
  const { error, message, detail } = body;
  const inner = isObject(error) ? error.message : error;
  return [message, detail, inner].find((each) => typeof each === 'string') ?? '';
}

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
  return serviceError('model', model, `is not known to ${service}`, remedy, cause);
}
