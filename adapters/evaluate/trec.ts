/** Cases from the files of retrieval benchmarks: those of TREC and of BEIR. */
import { type Chunk, ContextShapingError } from '../../src/index.js';
import { invalidInput, isObject } from '../../src/internal.js';

/** The lines of each file. */
export interface TrecFiles {
  /** `query iteration document relevance` of TREC, or `query document relevance` of BEIR; a header is skipped. */
  qrels: Iterable<string> | AsyncIterable<string>;
  /** `query Q0 document rank score tag`. */
  run: Iterable<string> | AsyncIterable<string>;
  /** JSON lines `{ "_id", "title", "text" }`. */
  corpus: Iterable<string> | AsyncIterable<string>;
  /** JSON lines `{ "_id", "text" }`, or `query<TAB>text`. */
  queries: Iterable<string> | AsyncIterable<string>;
}

/** A case of `evaluate`, whose evidence is ids. */
export interface TrecCase {
  id: string;
  query: string;
  chunks: Chunk[];
  evidence: { ids: string[] };
}

interface Retrieved {
  id: string;
  score: number;
}

/**
 * The cases of a run: for each query the best documents, best first, and as evidence the documents whose relevance is above 0.
 * Queries without such documents, or without a run, are left out. The texts of the retrieved documents are held in memory, and no
 * others.
 *
 * @param options `depth`: documents of each query; default 60. Equal scores are in the order of the run.
 * @returns the cases in the order of the run.
 * @throws ContextShapingError `invalid-input`, with file and line of the first mistake.
 */
export async function trecCases(
  { qrels, run, corpus, queries }: TrecFiles,
  { depth = 60 }: { depth?: number | undefined } = {},
): Promise<TrecCase[]> {
  const relevant = await relevantBy(qrels);
  const retrieved = await retrievedBy(run, depth, relevant);
  const questions = await textsOf('queries', queries, new Set(retrieved.keys()));
  const wanted = new Set(Array.from(retrieved.values(), (all) => all.map(({ id }) => id)).flat());
  const texts = await textsOf('corpus', corpus, wanted);
  return Array.from(retrieved, ([id, all]) => ({
    id,
    query: known(questions, id, 'queries'),
    chunks: all.map((each) => ({ ...each, text: known(texts, each.id, 'corpus') })),
    evidence: { ids: relevant.get(id) as string[] },
  }));
}

async function relevantBy(lines: TrecFiles['qrels']): Promise<Map<string, string[]>> {
  const relevant = new Map<string, string[]>();
  for await (const [number, line] of numbered(lines)) {
    const parts = line.trim().split(/\s+/);
    const [query, document, relevance] = parts.length === 4 ? [parts[0], parts[2], parts[3]] : parts;
    if (number === 1 && parts.length === 3 && !isNumber(relevance)) continue;
    if (query === undefined || document === undefined || parts.length > 4 || !isNumber(relevance))
      throw wrongLine('qrels', number, line, 'Write: query 0 document relevance.');
    if (Number(relevance) > 0) relevant.set(query, [...(relevant.get(query) ?? []), document]);
  }
  return relevant;
}

async function retrievedBy(
  lines: TrecFiles['run'],
  depth: number,
  relevant: ReadonlyMap<string, string[]>,
): Promise<Map<string, Retrieved[]>> {
  const retrieved = new Map<string, Retrieved[]>();
  for await (const [number, line] of numbered(lines)) {
    const parts = line.trim().split(/\s+/);
    const [query, , id, , score] = parts;
    if (parts.length < 5 || query === undefined || id === undefined || !isNumber(score))
      throw wrongLine('run', number, line, 'Write: query Q0 document rank score tag.');
    if (!relevant.has(query)) continue;
    const all = retrieved.get(query) ?? [];
    if (all.some((each) => each.id === id))
      throw wrongLine('run', number, line, `Name each document of a query once: ${id} is there twice.`);
    retrieved.set(query, [...all, { id, score: Number(score) }]);
  }
  for (const [query, all] of retrieved)
    retrieved.set(query, all.toSorted((a, b) => b.score - a.score).slice(0, depth));
  return retrieved;
}

const isNumber = (text: string | undefined) =>
  text !== undefined && /^[-+]?(?:\d*\.)?\d+(e[-+]?\d+)?$/i.test(text);

/** The texts with these ids. A title is the first line. */
async function textsOf(
  name: 'corpus' | 'queries',
  lines: TrecFiles['corpus'],
  wanted: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const [number, line] of numbered(lines)) {
    const { id, text } = line.trimStart().startsWith('{')
      ? ofJson(name, number, line)
      : name === 'queries' && line.includes('\t')
        ? { id: line.slice(0, line.indexOf('\t')), text: line.slice(line.indexOf('\t') + 1) }
        : { id: undefined, text: undefined };
    if (id === undefined || text === undefined)
      throw wrongLine(name, number, line, 'Write: { "_id": "…", "text": "…" }.');
    if (wanted.has(id)) texts.set(id, text);
  }
  return texts;
}

function ofJson(name: string, number: number, line: string): { id?: string; text?: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw wrongLine(name, number, line, 'Write one JSON object on each line.', cause);
  }
  if (!isObject(value)) return {};
  const { _id: id = value.id, title, text } = value;
  if (typeof id !== 'string' || typeof text !== 'string') return {};
  return { id, text: typeof title === 'string' && title !== '' ? `${title}\n${text}` : text };
}

function known(texts: ReadonlyMap<string, string>, id: string, name: string): string {
  const text = texts.get(id);
  if (text !== undefined) return text;
  throw invalidInput(name, id, 'has no text with this id', `Add ${JSON.stringify(id)} to the ${name}.`);
}

async function* numbered(lines: TrecFiles['run']): AsyncGenerator<[number: number, line: string]> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() !== '') yield [number, line];
  }
}

const wrongLine = (name: string, number: number, line: string, remedy: string, cause?: unknown) =>
  new ContextShapingError('invalid-input', {
    field: `${name}, line ${number},`,
    value: line,
    is: 'cannot be read',
    remedy,
    cause,
  });
