import * as z from 'zod/mini';
import { ContextShapingError } from '../../src/index.js';
import { invalidInput, lazily, parseOptions } from '../../src/internal.js';
import type { ReviewRequest } from './types.js';

/** In UTF-16 code units. More than a person types, and small enough for a checkpoint. */
const MAX_TEXT = 20_000;

const forms = lazily(() => {
  const text = z
    .string()
    .check(z.maxLength(MAX_TEXT), z.regex(/\S/, 'must have a character that is no white space'));
  /** The name of the person, and a note, for the ledger. */
  const who = { by: z.optional(text), note: z.optional(text) };
  /** Ids of `chunks` and `evicted` in the request: the only documents that the model may see. Absent: all of `chunks`. */
  const keep = z.optional(z.array(z.string()));
  return {
    /** Continue with this context, or search for the words in `search` first. */
    approve: z.strictObject({ action: z.literal('approve'), search: z.optional(text), keep, ...who }),
    /** The person answers. The answer becomes a pinned document of the context. */
    answer: z.strictObject({ action: z.literal('answer'), answer: text, keep, ...who }),
    /** No document may reach the model. */
    refuse: z.strictObject({ action: z.literal('refuse'), ...who }),
  };
});
type Forms = ReturnType<typeof forms>;

/** A person's answer to a request. */
export type ReviewAnswer = z.output<Forms[keyof Forms]>;

/**
 * Checks a person's answer against the request.
 *
 * @throws ContextShapingError `invalid-input`, naming the first field that is wrong (`answer.keep.0`).
 */
export function parseReviewAnswer(value: unknown, request: ReviewRequest): ReviewAnswer {
  const answer = parsed(value);
  const { keep = [], search } = answer as { keep?: string[]; search?: string };
  const known = [...request.chunks, ...request.evicted].map(({ id }) => id);
  const at = keep.findIndex((id) => !known.includes(id));
  if (at >= 0) {
    const remedy = `Give some of ${known.map((id) => JSON.stringify(id)).join(', ')}.`;
    throw invalidInput(`answer.keep.${at}`, keep[at], 'is not the id of a chunk of the request', remedy);
  }
  if (keep.length > 0 && search !== undefined)
    throw invalidInput('answer.keep', keep, 'has no effect before a search', 'Leave it or search out.');
  return answer;
}

function parsed(value: unknown): ReviewAnswer {
  const action: unknown = (value as { action?: unknown } | null | undefined)?.action;
  const known = Object.keys(forms());
  if (typeof action !== 'string' || !known.includes(action))
    throw invalidInput(
      'answer.action',
      action,
      'is no action',
      `Give an object with one of ${known.join(', ')}.`,
    );
  try {
    return parseOptions(forms()[action as keyof Forms], value);
  } catch (error) {
    if (!ContextShapingError.isInstance(error)) throw error;
    const { field, value: wrong, problem, remedy } = error;
    throw invalidInput(`answer.${field}`, wrong, problem, remedy);
  }
}
