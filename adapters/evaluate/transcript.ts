/**
 * Cases from transcripts: the passages that an answer cites are its evidence. These are weak labels: an answer cites only passages that
 * its model saw, not all that it used, and it may cite the wrong one.
 */
import { distinctIds, invalidInput } from '../../src/internal.js';
import { parseEvaluationCase } from './case.js';
import { fold } from './texts.js';
import { type Passage, type Turn, turnsOf } from './transcript-messages.js';
import type { EvaluationCase, Evidence } from './types.js';

/** A conversation that ends with an answer. */
export interface Transcript {
  /**
   * Oldest first, as OpenAI, Anthropic, the AI SDK or LangChain store them. The last message of the assistant with a text is the
   * answer, and the last text of the user before it is the question.
   */
  messages: readonly unknown[];
  /** The question, if it stands in a longer prompt. */
  query?: unknown;
  /** The chunks that the retriever found, in its order. Default: the passages of the messages between question and answer. */
  chunks?: readonly unknown[] | undefined;
  id?: string | number | undefined;
  group?: string | undefined;
}

/** A case of `evaluate`. Without an id of the transcript it has none, so that its number becomes its id. */
export interface TranscriptCase extends Pick<EvaluationCase, 'query' | 'chunks' | 'evidence' | 'labels'> {
  id?: string | number | undefined;
  group?: string | undefined;
}

/**
 * The question of a transcript and its chunks, with the cited passages of the answer as evidence. A citation is one of
 *
 * - a mark in the text: `[1]`, `[1, 2]`, `[2-4]` or `【1】` with the number of a chunk, from 1, or `[id]`;
 * - an entry of `citations` or `annotations` of the message or of a part of it, or a source of the AI SDK. It is a number, an id,
 *   or an object with the cited text, or with an id, file, source, address or title of a chunk.
 *
 * A cited text that a chunk holds is a passage of the evidence. Any other citation names chunks, as `ids`.
 *
 * @param name of the transcript in messages.
 * @returns undefined for a transcript without a question, passages or a citation of one of them.
 * @throws ContextShapingError `invalid-input`, for malformed messages or chunks.
 */
export function transcriptCase(
  { messages, chunks: given, query, ...rest }: Transcript,
  name = 'transcript',
): TranscriptCase | undefined {
  if ('evidence' in rest) {
    const remedy = 'Leave it out, or give query and chunks in place of messages.';
    throw invalidInput(`${name}.evidence`, rest.evidence, 'comes from the citations of the answer', remedy);
  }
  const turns = turnsOf(messages, `${name}.messages`);
  const last = turns.findLastIndex(({ role, text }) => role === 'assistant' && text.trim() !== '');
  const asked = turns.slice(0, Math.max(0, last)).findLastIndex(isQuestion);
  if (last < 0 || (asked < 0 && query === undefined)) return undefined;
  const shown = turns.slice(Math.max(0, asked), last + 1).flatMap(({ passages }) => passages);
  if (given == null && shown.length === 0) return undefined;
  const spoken = turns.slice(0, Math.max(0, asked)).filter(isSpoken);
  const history = spoken.map(({ role, text }) => ({ role, text }));
  const found = parseEvaluationCase(
    {
      ...rest,
      query: query ?? { text: (turns[asked] as Turn).text, ...(history.length === 0 ? {} : { history }) },
      chunks: given ?? withIds(shown),
      // Its own is read below: it needs the ids of the chunks.
      evidence: { ids: ['1'] },
    },
    name,
  );
  const evidence = citedIn(turns[last] as Turn, found);
  return evidence && { ...rest, query: found.query, chunks: found.chunks, evidence, labels: 'citations' };
}

const isQuestion = ({ role, text }: Turn) => role === 'user' && text.trim() !== '';
const isSpoken = ({ role, text }: Turn) => role !== 'other' && text.trim() !== '';

function withIds(passages: readonly Passage[]): object[] {
  const distinct = distinctIds();
  return passages.map(({ id, ...rest }, at) => ({ ...rest, id: distinct(id ?? String(at + 1), rest.text) }));
}

/** Undefined, if no citation is of one of the chunks. */
function citedIn(
  { text, citations }: Turn,
  { chunks }: Pick<EvaluationCase, 'chunks'>,
): Evidence | undefined {
  const ids = new Set<string>();
  const passages = new Set<string>();
  const folded = chunks.map((chunk) => fold(chunk.text));
  for (const citation of [...marksIn(text), ...citations]) {
    const quoted = quoteIn(citation);
    if (quoted !== undefined && folded.some((own) => own.includes(fold(quoted)))) passages.add(quoted);
    else for (const at of placesOf(citation, chunks)) ids.add(chunks[at]?.id as string);
  }
  if (ids.size + passages.size === 0) return undefined;
  return {
    ...(ids.size === 0 ? {} : { ids: [...ids] }),
    ...(passages.size === 0 ? {} : { passages: [...passages] }),
  };
}

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const MARK = /[[【]([^[\]【】\n]{1,120})[\]】]/g;

/** The texts in square brackets, outside of code: parts between commas, with the numbers of a range one by one. */
function marksIn(text: string): string[] {
  const marks = Array.from(text.replace(CODE, ' ').matchAll(MARK), ([, inner = '']) => inner);
  return marks
    .flatMap((inner) => [inner, ...inner.split(/[,;]/)])
    .flatMap((each) => {
      const [, from, to] = /^\s*\^?(\d{1,4})\s*[-–]\s*(\d{1,4})\s*$/.exec(each) ?? [];
      const count = Number(to) - Number(from) + 1;
      return count > 0 ? Array.from({ length: count }, (_, at) => String(Number(from) + at)) : [each.trim()];
    });
}

const QUOTES = ['cited_text', 'citedText', 'quote'];
/** Numbers from 0 of providers. */
const PLACES = ['search_result_index', 'document_index'];
const NAMES = ['id', 'sourceId', 'file_id', 'fileId', 'filename', 'source', 'url', 'title', 'document_title'];
/** OpenAI's chat completions have the fields of a citation inside. */
const INSIDE = ['file_citation', 'url_citation'];

const valuesOf = (citation: unknown, names: readonly string[]) =>
  names.map((name) => (citation as Record<string, unknown> | null)?.[name]);

const quoteIn = (citation: unknown) =>
  valuesOf(citation, QUOTES).find((each): each is string => typeof each === 'string' && /\S/.test(each));

/** The chunks that a citation names, by their index. */
function placesOf(citation: unknown, chunks: EvaluationCase['chunks']): number[] {
  if (typeof citation === 'number') return placesOf(String(citation), chunks);
  if (typeof citation === 'string') return citation === '' ? [] : placesByName(citation, chunks);
  if (typeof citation !== 'object' || citation === null) return [];
  const inside = valuesOf(citation, INSIDE).find((each) => each != null);
  if (inside !== undefined) return placesOf(inside, chunks);
  for (const name of valuesOf(citation, NAMES)) {
    const places = typeof name === 'string' && name !== '' ? namedBy(name, chunks) : [];
    if (places.length > 0) return places;
  }
  const place = valuesOf(citation, PLACES).find((each) => typeof each === 'number') as number | undefined;
  return place !== undefined && chunks[place] !== undefined ? [place] : [];
}

/** By id or metadata, or else by number, from 1. */
function placesByName(name: string, chunks: EvaluationCase['chunks']): number[] {
  const places = namedBy(name, chunks);
  const number = /^\^?(\d{1,6})$/.exec(name)?.[1];
  return places.length > 0 || chunks[Number(number) - 1] === undefined ? places : [Number(number) - 1];
}

const namedBy = (name: string, chunks: EvaluationCase['chunks']) =>
  [...chunks.keys()].filter((at) => {
    const { id, metadata } = chunks[at] as EvaluationCase['chunks'][number];
    return id === name || valuesOf(metadata, NAMES).includes(name);
  });
