import * as z from 'zod';
import { ContextShapingError } from '../../src/index.js';
import type { ReviewAnswer, ReviewRequest } from './types.js';

/** In UTF-16 code units. More than a person types, and small enough for a checkpoint. */
const MAX_TEXT = 20_000;

const text = z
  .string()
  .max(MAX_TEXT)
  .refine((value) => value.trim() !== '', 'is empty');
const ids = z.array(z.string());
const who = { by: text.optional(), note: text.optional() };
const edits = { pin: ids.optional(), veto: ids.optional(), unevict: ids.optional() };
const EDITS = ['pin', 'veto', 'unevict'] as const satisfies (keyof typeof edits)[];
const shapes = {
  approve: { ...who, ...edits, search: z.union([text, z.literal(false)]).optional() },
  answer: { ...who, ...edits, answer: text },
  edit: { ...who, ...edits, query: text },
  refuse: who,
};
const schema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('approve'), ...shapes.approve }),
  z.strictObject({ action: z.literal('answer'), ...shapes.answer }),
  z.strictObject({ action: z.literal('edit'), ...shapes.edit }),
  z.strictObject({ action: z.literal('refuse'), ...shapes.refuse }),
]);
const ACTIONS = Object.keys(shapes);

/**
 * Checks a person's answer against the request.
 *
 * Short forms are allowed: `'approve'` and `true` approve, `'refuse'` refuses. `false` declines the request: about a
 * search, the run continues without one; about a context, it refuses.
 *
 * Only chunks of the context can be pinned, only evicted chunks can come back, and both can be vetoed. Repeated ids
 * count once.
 *
 * @throws ContextShapingError `invalid-input`, naming the first field that is wrong (`answer.pin[0]`).
 */
export function parseReviewAnswer(value: unknown, request: ReviewRequest): ReviewAnswer {
  const parsed = schema.safeParse(inFull(value, request));
  if (!parsed.success) throw malformed(parsed.error.issues[0] as z.core.$ZodIssue, value);
  // Zod omits absent optional fields, though its types allow the value `undefined`.
  const answer = parsed.data as ReviewAnswer;
  if (answer.action === 'refuse') return answer;
  checkIds(answer, request);
  for (const edit of EDITS) if (answer[edit]) answer[edit] = [...new Set(answer[edit])];
  return answer;
}

function inFull(value: unknown, { about }: ReviewRequest): unknown {
  if (value === true || value === 'approve') return { action: 'approve' };
  if (value === false && about === 'search') return { action: 'approve', search: false };
  if (value === false || value === 'refuse') return { action: 'refuse' };
  return value;
}

function checkIds(
  { pin = [], veto = [], unevict = [] }: Exclude<ReviewAnswer, { action: 'refuse' }>,
  { chunks, evicted }: ReviewRequest,
): void {
  const kept = chunks.map(({ id }) => id);
  const gone = evicted.map(({ id }) => id);
  const check = (field: string, given: readonly string[], allowed: readonly string[], also = '') => {
    given.forEach((id, at) => {
      if (!allowed.includes(id)) {
        throw invalid(
          `${field}[${at}]`,
          id,
          `is not the id of a chunk that ${field} can name`,
          `${known(allowed)}${also}`,
        );
      }
    });
  };
  check('pin', pin, kept, gone.length > 0 ? ' Evicted chunks come back with unevict.' : '');
  check('veto', veto, [...kept, ...gone]);
  check('unevict', unevict, gone);
  veto.forEach((id, at) => {
    const other = pin.includes(id) ? 'pin' : unevict.includes(id) ? 'unevict' : undefined;
    if (other === undefined) return;
    throw invalid(`veto[${at}]`, id, `is also in ${other}`, 'Remove it from one of the two.');
  });
}

const known = (allowed: readonly string[]) =>
  allowed.length === 0
    ? 'Leave it out: no chunk can be named here.'
    : `Give one of ${allowed.map((id) => JSON.stringify(id)).join(', ')}.`;

function malformed(issue: z.core.$ZodIssue, value: unknown): ContextShapingError {
  const extra = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...extra];
  const field = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  const got = path.reduce<unknown>((outer, key) => (outer as Record<PropertyKey, unknown>)?.[key], value);
  return invalid(field.replace(/^\./, ''), got, ...complaint(issue, value));
}

function complaint(issue: z.core.$ZodIssue, value: unknown): [is: string, remedy: string] {
  const { action } = (value ?? {}) as { action?: keyof typeof shapes };
  const step = issue.path[0];
  if (issue.code === 'unrecognized_keys') {
    const allowed = ['action', ...Object.keys(shapes[action as keyof typeof shapes])].join(', ');
    return [`is not a field of the action ${action}`, `Leave it out; the fields are ${allowed}.`];
  }
  if (step === undefined || step === 'action') {
    const actions = ACTIONS.map((name) => JSON.stringify(name)).join(', ');
    return ['has no valid action', `Give an object with one of the actions ${actions}.`];
  }
  if (issue.code === 'too_big') return [`is longer than ${MAX_TEXT} characters`, 'Shorten it.'];
  if (issue.code === 'custom') return [issue.message, 'Give a text, or leave it out.'];
  if (step === 'search') {
    return ['must be a search query or false', `Give at most ${MAX_TEXT} characters, or false.`];
  }
  if (step in edits) return ['must be a list of ids', 'Give an array of strings.'];
  return ['must be a string', 'Give a string.'];
}

function invalid(field: string, value: unknown, is: string, remedy: string): ContextShapingError {
  const name = field === '' ? 'answer' : `answer.${field}`;
  return new ContextShapingError('invalid-input', { field: name, value, is, remedy });
}
