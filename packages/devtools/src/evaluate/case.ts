/** Checks the cases of an evaluation, and brings their forms into one. */

import type { Chunk, Ranked } from 'context-shaping';
import { defined, invalidInput, isObject, nearest } from 'context-shaping/kit';
import * as z from 'zod';
import type { EvaluationCase, Evidence } from './types.js';

const text = () => z.string({ error: 'must be a string' });
const filled = () => text().regex(/\S/, { error: 'must not be blank' });
const list = <T extends z.ZodType>(of: T) => z.array(of, { error: 'must be an array' });
const number = () => z.number({ error: 'must be a finite number' });
const vector = () => list(number()).min(1, { error: 'must not be empty' });
const id = () => text().min(1, { error: 'must not be empty' });

const turn = z.strictObject({
  role: z.enum(['user', 'assistant'], { error: 'must be "user" or "assistant"' }),
  text: text(),
});
const query = z.strictObject({
  text: filled(),
  answer: filled().optional(),
  embedding: vector().optional(),
  history: list(turn).optional(),
});
const chunk = z.strictObject(
  {
    id: id().optional(),
    text: text(),
    rendered: text().optional(),
    score: number().optional(),
    embedding: vector().optional(),
    metadata: z.record(z.string(), z.unknown(), { error: 'must be an object' }).optional(),
  },
  { error: 'must be a string or an object' },
);
const alternatives = z.array(filled()).min(1, { error: 'must not be empty' });

const evidenceSchema = z.strictObject(
  {
    ids: list(id()).optional(),
    answers: list(
      z.union([filled(), alternatives], { error: 'must be a text, or a list of texts' }),
    ).optional(),
    passages: list(filled()).optional(),
  },
  { error: 'must be an object' },
);

const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;

const caseSchema = z.strictObject(
  {
    id: z.union([id(), z.number()], { error: 'must be a text or a number' }).optional(),
    group: text().optional(),
    query: z.union([filled(), query], { error: 'must be a text that is not blank, or an object with text' }),
    chunks: list(z.union([text(), chunk], { error: 'must be a string or an object' })),
    ranked: z
      .custom<Ranked>((value) => typeof value === 'boolean' || value === 'reranked' || isShare(value), {
        error: 'must be true, false, "reranked", or a number from 0 to 1',
      })
      .optional(),
    evidence: evidenceSchema,
  },
  { error: 'must be an object' },
);

/** The remedy of a wrong value: the message has what the field must be. */
const EXAMPLE =
  'Correct it; a case is { "query": "…", "chunks": [{ "id": "a", "text": "…" }], "evidence": { "answers": ["…"] } }.';
const EVIDENCE =
  'Write the evidence as { "ids": ["…"] }, { "answers": ["…"] } or { "passages": ["…"] }, with at least one.';
/** Every name of a field, for misspelt ones. */
const NAMES = [caseSchema, query, turn, chunk, evidenceSchema].flatMap(({ shape }) => Object.keys(shape));

/**
 * Checks one case, and completes it: a query or chunk that is a text becomes an object, and an absent id the number. `null`
 * counts as absent.
 *
 * @param value a case as JSON: `{ query, chunks, evidence }`.
 * @param name of the case in messages, such as a file and a line.
 * @param number of the case, from 1.
 * @throws ContextShapingError `invalid-input`, with the path of the first wrong field.
 */
export function parseEvaluationCase(value: unknown, name = 'case', number = 1): EvaluationCase {
  const given = withoutNulls(value);
  const parsed = caseSchema.safeParse(given, { reportInput: true });
  if (!parsed.success) throw wrongField(parsed.error.issues, given, name);
  const { query: asked, chunks: written, evidence, ...rest } = parsed.data;
  const question = typeof asked === 'string' ? { text: asked } : asked;
  const chunks = written.map((each, place) => {
    const own = typeof each === 'string' ? { text: each } : each;
    return defined({ ...own, id: ('id' in own ? own.id : undefined) ?? String(place + 1) }) as Chunk;
  });
  checkIds(chunks, name);
  checkForms(evidence, `${name}.evidence`);
  const own = String(rest.id ?? number);
  return defined({
    ...rest,
    id: own,
    group: rest.group ?? own,
    query: defined(question),
    chunks,
    evidence,
  }) as EvaluationCase;
}

/** Checks evidence without its chunks. */
export function parseEvidence(value: unknown, name: string): Evidence {
  const given = isObject(value) ? withoutNullFields(value) : value;
  const parsed = evidenceSchema.safeParse(given, { reportInput: true });
  if (!parsed.success) throw wrongField(parsed.error.issues, given, name);
  checkForms(parsed.data, name);
  return parsed.data as Evidence;
}

const withoutNullFields = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));

function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { query: asked, chunks, evidence, ...rest } = withoutNullFields(value);
  const each = (inner: unknown) => (isObject(inner) ? withoutNullFields(inner) : inner);
  return defined({
    ...rest,
    query: each(asked),
    chunks: Array.isArray(chunks) ? chunks.map(each) : chunks,
    evidence: each(evidence),
  });
}

/** A field with an unknown name comes first: an absent field may have been written by that name. */
function wrongField(issues: readonly z.core.$ZodIssue[], value: unknown, name: string) {
  const first = issues.find(({ code }) => code === 'unrecognized_keys') ?? (issues[0] as z.core.$ZodIssue);
  const { issue, path: inner } = innermost(first, []);
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknown === undefined ? inner : [...inner, unknown];
  const at = path.reduce<unknown>((from, key) => (from as Record<PropertyKey, unknown>)?.[key], value);
  const field = name + path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  if (unknown === undefined) return invalidInput(field, at, issue.message, EXAMPLE);
  const [near] = nearest(
    unknown,
    NAMES.filter((each) => each !== unknown),
  );
  const remedy = near === undefined ? EXAMPLE : `Did you mean ${JSON.stringify(near)}?`;
  return invalidInput(field, at, 'is not a known field', remedy);
}

/** The issue of the branch of a union that fits the kind of the value. */
function innermost(
  issue: z.core.$ZodIssue,
  prefix: PropertyKey[],
): { issue: z.core.$ZodIssue; path: PropertyKey[] } {
  const path = [...prefix, ...issue.path];
  if (issue.code !== 'invalid_union') return { issue, path };
  const branch = issue.errors
    .map(([first]) => first)
    .find((first) => first !== undefined && (first.path.length > 0 || first.code !== 'invalid_type'));
  return branch === undefined ? { issue, path } : innermost(branch, path);
}

function checkIds(chunks: readonly Chunk[], name: string): void {
  const known = new Map<string, string>();
  for (const [place, { id: own, text: given }] of chunks.entries()) {
    const before = known.get(own);
    if (before !== undefined && before !== given) {
      throw invalidInput(
        `${name}.chunks[${place}].id`,
        own,
        'is the id of an earlier chunk with another text',
        'Give each chunk an id of its own.',
      );
    }
    known.set(own, given);
  }
}

function checkForms(evidence: Evidence, name: string): void {
  if (Object.values(evidence).some((units) => units !== undefined && units.length > 0)) return;
  throw invalidInput(name, evidence, 'names no evidence', EVIDENCE);
}
