/** Checks the cases of an evaluation, and brings their forms into one. */

import type { Chunk, Ranked } from 'context-shaping';
import { nearest } from 'context-shaping/internal';
import { defined, invalidInput, isObject } from 'context-shaping/kit';
import * as z from 'zod';
import { fold, spanText } from './texts.js';
import type { EvaluationCase, Evidence, EvidenceSpan } from './types.js';

const text = () => z.string({ error: 'must be a string' });
const filled = () => text().regex(/\S/, { error: 'must not be blank' });
const list = <T extends z.ZodType>(of: T) => z.array(of, { error: 'must be an array' });
const number = () => z.number({ error: 'must be a finite number' });
const vector = () => list(number()).min(1, { error: 'must not be empty' });
const whole = (least: number) =>
  z.int({ error: 'must be a whole number' }).min(least, { error: `must be at least ${least}` });
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
const span = (first: number) =>
  z.strictObject(
    { id: id(), from: whole(first), to: whole(first) },
    { error: 'must be an object with id, from and to' },
  );
const alternatives = z.array(filled()).min(1, { error: 'must not be empty' });

const evidenceSchema = z.strictObject(
  {
    ids: list(id()).optional(),
    answers: list(
      z.union([filled(), alternatives], { error: 'must be a text, or a list of texts' }),
    ).optional(),
    passages: list(filled()).optional(),
    lines: list(span(1)).optional(),
    characters: list(span(0)).optional(),
  },
  { error: 'must be an object' },
);

const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;

const caseSchema = z.strictObject(
  {
    id: z.union([id(), z.number()], { error: 'must be a text or a number' }).optional(),
    group: text().optional(),
    query: z.union([filled(), query], { error: 'must be a text that is not blank, or an object with text' }),
    queryEmbedding: vector().optional(),
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

const SHAPE = '{ "query": "…", "chunks": ["…"], "evidence": { "answers": ["…"] } }';

/** The remedies, by the last name in the path of a field. */
const REMEDIES: Readonly<Record<string, string>> = {
  query: 'Write the question as a text, or as { "text": "…", "history": […] }.',
  history: 'Write [{ "role": "user", "text": "…" }, …], oldest turn first.',
  role: 'Write "user" or "assistant".',
  chunks:
    'Write the retrieved chunks as texts, or as [{ "id": "…", "text": "…" }, …], in the order of the retriever.',
  embedding: 'Write the vector as an array of numbers, or leave it out.',
  queryEmbedding: 'Write the vector as an array of numbers, or leave it out.',
  metadata: 'Write an object, or leave it out.',
  score: 'Write the score of the retriever, or leave it out.',
  ranked: 'Write how far the order of the chunks can be trusted, or leave it out.',
  evidence: 'Write the evidence as { "ids": ["…"] }, { "answers": ["…"] } or { "passages": ["…"] }.',
  ids: 'Write the ids of the chunks that hold the evidence.',
  answers: 'Write texts; alternatives of one answer are a list.',
  passages: 'Write the texts word for word.',
  lines: 'Write [{ "id": "…", "from": 1, "to": 2 }]: the first line is 1, and the last one is included.',
  characters:
    'Write [{ "id": "…", "from": 0, "to": 9 }]: the first character is 0, and the last one is not included.',
  from: 'Give the place where the span begins.',
  to: 'Give the place where the span ends.',
  id: 'Give an id, or leave it out where a number will do.',
  labels: 'Write "citations" if the evidence is what an answer cites, or leave it out.',
  group: 'Write the name of the group, such as its conversation, or leave it out.',
  text: 'Write the text as a string.',
};

/** The names that a field with an unknown name may have, by the name of the object that has it. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  query: Object.keys(query.shape),
  history: Object.keys(turn.shape),
  chunks: Object.keys(chunk.shape),
  evidence: Object.keys(evidenceSchema.shape),
  lines: ['id', 'from', 'to'],
  characters: ['id', 'from', 'to'],
  '': Object.keys(caseSchema.shape),
};

/** Names that other programs use. */
const PEERS: Readonly<Record<string, string>> = {
  question: 'query',
  documents: 'chunks',
  contexts: 'chunks',
  passages: 'chunks',
  answer: 'evidence',
  answers: 'evidence',
  qrels: 'evidence',
  pageContent: 'text',
  page_content: 'text',
  content: 'text',
  body: 'text',
  vector: 'embedding',
  start: 'from',
  end: 'to',
};

/**
 * Checks one case, and completes it: a query or chunk that is a text becomes an object, and an absent id the number. `null`
 * counts as absent.
 *
 * @param value a case as JSON: `{ query, chunks, evidence }`.
 * @param name of the case in messages, such as a file and a line.
 * @param number of the case, from 1.
 * @throws ContextShapingError `invalid-input`, with the path of the first wrong field, and what to write.
 */
export function parseEvaluationCase(value: unknown, name = 'case', number = 1): EvaluationCase {
  const given = withoutNulls(value);
  const parsed = caseSchema.safeParse(given, { reportInput: true });
  if (!parsed.success) throw wrongField(parsed.error.issues[0] as z.core.$ZodIssue, given, name);
  const { query: asked, queryEmbedding, chunks: written, evidence, ...rest } = parsed.data;
  const question = typeof asked === 'string' ? { text: asked } : asked;
  if (queryEmbedding !== undefined && 'embedding' in question && question.embedding !== undefined) {
    throw invalidInput(
      `${name}.queryEmbedding`,
      queryEmbedding,
      'repeats query.embedding',
      'Give the vector only once.',
    );
  }
  const chunks = written.map((each, place) => {
    const own = typeof each === 'string' ? { text: each } : each;
    return defined({ ...own, id: ('id' in own ? own.id : undefined) ?? String(place + 1) }) as Chunk;
  });
  checkIds(chunks, name);
  checkEvidence(evidence, chunks, name);
  const own = String(rest.id ?? number);
  return defined({
    ...rest,
    id: own,
    group: rest.group ?? own,
    query: defined({ ...question, ...(queryEmbedding === undefined ? {} : { embedding: queryEmbedding }) }),
    chunks,
    evidence,
  }) as EvaluationCase;
}

/** Checks evidence without its chunks. */
export function parseEvidence(value: unknown, name: string): Evidence {
  const given = isObject(value) ? withoutNullFields(value) : value;
  const parsed = evidenceSchema.safeParse(given, { reportInput: true });
  if (!parsed.success) throw wrongField(parsed.error.issues[0] as z.core.$ZodIssue, given, name, 'evidence');
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

function wrongField(found: z.core.$ZodIssue, value: unknown, name: string, root = '') {
  const { issue, path: inner } = innermost(found, []);
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknown === undefined ? inner : [...inner, unknown];
  const at = path.reduce<unknown>((from, key) => (from as Record<PropertyKey, unknown>)?.[key], value);
  const field = name + path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const owner = String(inner.findLast((key) => typeof key === 'string') ?? root);
  if (unknown !== undefined) {
    const keys = KEYS[owner] ?? [];
    const peer = PEERS[unknown];
    const [like] = peer !== undefined && keys.includes(peer) ? [peer] : nearest(unknown, keys);
    const remedy =
      like === undefined ? `The fields are ${keys.join(', ')}.` : `Did you mean ${JSON.stringify(like)}?`;
    return invalidInput(field, at, 'is not a known field', remedy);
  }
  // An absent field may have been written by another name.
  const wrongName = at === undefined ? misspelt(value, path, root) : undefined;
  const remedy = wrongName ?? REMEDIES[owner] ?? `Write ${SHAPE}.`;
  return invalidInput(field, at, issue.message, remedy);
}

/** The field whose name was probably meant for an absent one. */
function misspelt(value: unknown, path: readonly PropertyKey[], root: string): string | undefined {
  const wanted = String(path.at(-1));
  const holder = path.slice(0, -1).reduce<unknown>((from, key) => (from as never)?.[key], value);
  const owner = String(path.slice(0, -1).findLast((key) => typeof key === 'string') ?? root);
  const unknown = isObject(holder)
    ? Object.keys(holder).filter((key) => !(KEYS[owner] ?? []).includes(key))
    : [];
  const meant = unknown.find((key) => PEERS[key] === wanted) ?? nearest(wanted, unknown)[0];
  return meant === undefined
    ? undefined
    : `Rename the field ${JSON.stringify(meant)} to ${JSON.stringify(wanted)}.`;
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
  throw invalidInput(name, evidence, 'names no evidence', REMEDIES.evidence as string);
}

function checkEvidence(evidence: Evidence, chunks: readonly Chunk[], name: string): void {
  checkForms(evidence, `${name}.evidence`);
  const texts = new Map(chunks.map(({ id: own, text: given }) => [own, given]));
  for (const form of ['lines', 'characters'] as const) {
    for (const [place, given] of (evidence[form] ?? []).entries())
      checkSpan(form, given, texts, `${name}.evidence.${form}[${place}]`);
  }
}

function checkSpan(
  form: 'lines' | 'characters',
  given: EvidenceSpan,
  texts: ReadonlyMap<string, string>,
  field: string,
): void {
  const { id: own, from, to } = given;
  const found = texts.get(own);
  if (found === undefined) {
    const [like] = nearest(own, [...texts.keys()].slice(0, 1000));
    const remedy =
      like === undefined ? 'Name a chunk of this case.' : `Did you mean ${JSON.stringify(like)}?`;
    throw invalidInput(`${field}.id`, own, 'is the id of no chunk', remedy);
  }
  const [size, first] = form === 'lines' ? [found.split('\n').length, from] : [found.length, from + 1];
  if (to < first)
    throw invalidInput(`${field}.to`, to, `must be at least ${first}`, REMEDIES[form] as string);
  if (to > size) {
    const has = `the chunk ${JSON.stringify(own)} has ${size} ${form}`;
    throw invalidInput(`${field}.to`, to, `must be at most ${size}: ${has}`, REMEDIES[form] as string);
  }
  if (fold(spanText(form, given, found)) === '')
    throw invalidInput(field, given, 'has no text', 'Give a span with text.');
}
