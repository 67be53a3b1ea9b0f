import * as z from 'zod';
import { ContextShapingError } from '../../src/index.js';
import type { ReviewRequest } from './types.js';

/** In UTF-16 code units. More than a person types, and small enough for a checkpoint. */
const MAX_TEXT = 20_000;

const text = z
  .string('must be a text')
  .max(MAX_TEXT, `is longer than ${MAX_TEXT} characters`)
  .refine((value) => value.trim() !== '', 'is empty');
/** The name of the person, and a note, for the ledger. */
const who = { by: z.optional(text), note: z.optional(text) };
/** Ids of `chunks` and `evicted` in the request: the only documents that the model may see. Absent: all of `chunks`. */
const keep = z.optional(z.array(z.string('must be an id'), 'must be a list of ids'));
const ANSWERS = {
  /** Continue with this context, or search for the words in `search` first. */
  approve: z.strictObject({ action: z.literal('approve'), search: z.optional(text), keep, ...who }),
  /** The person answers. The answer becomes a pinned document of the context. */
  answer: z.strictObject({ action: z.literal('answer'), answer: text, keep, ...who }),
  /** Another question: all documents are shaped and graded again for it. */
  edit: z.strictObject({ action: z.literal('edit'), query: text, ...who }),
  /** No document may reach the model. */
  refuse: z.strictObject({ action: z.literal('refuse'), ...who }),
};
const schema = z.discriminatedUnion(
  'action',
  [ANSWERS.approve, ANSWERS.answer, ANSWERS.edit, ANSWERS.refuse],
  'has no valid action',
);
const FORMS = Object.entries(ANSWERS)
  .map(([action, { shape }]) => [`action: "${action}"`, ...Object.keys(shape).slice(1)].join(', '))
  .map((fields) => `{ ${fields} }`)
  .join(', ');

/** A person's answer to a request. */
export type ReviewAnswer = z.output<typeof schema>;

/**
 * Checks a person's answer against the request. `true` and `'approve'` approve, `false` and `'refuse'` refuse.
 *
 * @throws ContextShapingError `invalid-input`, naming the first field that is wrong (`answer.keep[0]`).
 */
export function parseReviewAnswer(value: unknown, request: ReviewRequest): ReviewAnswer {
  const parsed = schema.safeParse(inFull(value));
  if (!parsed.success) throw malformed(parsed.error.issues[0] as z.core.$ZodIssue, value);
  const answer = parsed.data;
  const { keep = [], search } = answer as { keep?: string[]; search?: string };
  const known = [...request.chunks, ...request.evicted].map(({ id }) => id);
  const at = keep.findIndex((id) => !known.includes(id));
  if (at >= 0) {
    const remedy = `Give some of ${known.map((id) => JSON.stringify(id)).join(', ')}.`;
    throw invalid(`keep[${at}]`, keep[at], 'is not the id of a chunk of the request', remedy);
  }
  if (keep.length > 0 && search !== undefined)
    throw invalid('keep', keep, 'has no effect before a search', 'Leave it out, or answer without search.');
  return answer;
}

function inFull(value: unknown): unknown {
  if (value === true || value === 'approve') return { action: 'approve' };
  if (value === false || value === 'refuse') return { action: 'refuse' };
  return value;
}

function malformed(issue: z.core.$ZodIssue, value: unknown): ContextShapingError {
  const extra = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...extra];
  const field = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  const got = path.reduce<unknown>((outer, key) => (outer as Record<PropertyKey, unknown>)?.[key], value);
  const is = issue.code === 'unrecognized_keys' ? 'is not a field of this action' : issue.message;
  return invalid(field.replace(/^\./, ''), got, is, `Give one of ${FORMS}.`);
}

function invalid(field: string, value: unknown, is: string, remedy: string): ContextShapingError {
  const name = field === '' ? 'answer' : `answer.${field}`;
  return new ContextShapingError('invalid-input', { field: name, value, is, remedy });
}
