/**
 * Talk of people for training, made of what may be learned from: there is no set of talk with marked evidence that may.
 * What matters is that its turns are as short as those of people, name their subject once, and need each other.
 */
import type { Chunk } from 'context-shaping';
import { seededRandom, shuffled } from '../../../../test/random.js';
import type { Case, Dataset } from '../data/case.js';
import { readOracle } from '../data/longmemeval.js';
import { loadHotpotSentences } from '../data/multihop.js';
import { loadMixedTurns } from './haystacks.js';

/** No question names them. */
const STRANGERS = ['Xaq', 'Yoq'];
const USER = 'Anna';
const ASSISTANT = 'Ben';
/** People do not talk in essays: so many sentences of each answer of an assistant stay. */
const SENTENCES = 2;
const SENTENCE = /[^.!?\n]+[.!?]*\s*/g;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * HotpotQA: every document is a talk of two, its sentences are their turns.
 *
 * @param others how many documents of other questions each question gets besides its own.
 */
export function loadDocumentTalk(dataDir: string, others: number): Dataset | undefined {
  const dataset = loadHotpotSentences(dataDir);
  if (dataset === undefined) return undefined;
  const pools = dataset.cases.map(({ chunks }) => byDocument(chunks.map(asTurn)));
  const cases = dataset.cases.map((question, at): Case => {
    const own = pools[at] as ReadonlyMap<string, Chunk[]>;
    const rest = new Map(pools.flatMap((pool) => [...pool]).filter(([document]) => !own.has(document)));
    const drawn = shuffled([...rest.values()], seededRandom(at)).slice(0, others);
    return { ...question, chunks: [...own.values(), ...drawn].flat() };
  });
  return { ...dataset, cases };
}

const asTurn = (chunk: Chunk): Chunk => ({
  ...chunk,
  metadata: { ...chunk.metadata, speaker: STRANGERS[chunk.metadata?.position % 2] },
});

function byDocument(chunks: readonly Chunk[]): Map<string, Chunk[]> {
  const documents = new Map<string, Chunk[]>();
  for (const chunk of chunks) {
    const { source } = chunk.metadata as { source: string };
    const own = documents.get(source) ?? [];
    documents.set(source, own);
    own.push(chunk);
  }
  return documents;
}

/** Which answers were not said by the user, or are nowhere said. */
const NOT_OF_USER = ['single-session-assistant', 'single-session-preference'];

/**
 * LongMemEval: the user and the assistant have names, each sentence is a turn, and others ask about the user. Of a turn
 * that answers, the sentence that shares most words with question and answer does; the first of several.
 */
export function loadNamedTalk(dataDir: string, distractors: number): Dataset | undefined {
  const dataset = loadMixedTurns(dataDir, distractors);
  if (dataset === undefined) return undefined;
  const answers = new Map(
    readOracle(dataDir).map(({ question_id, answer }) => [question_id, String(answer)]),
  );
  const cases = dataset.cases.flatMap((item): Case[] => {
    if (NOT_OF_USER.includes(item.category ?? '')) return [];
    const wanted = contentOf(`${item.question} ${answers.get(item.id)}`);
    const marked = new Set(item.relevant);
    const relevant: string[] = [];
    const places = new Map<string, number>();
    const chunks = item.chunks.flatMap(({ id, text, metadata }) => {
      const { source, speaker } = metadata as { source: string; speaker: string };
      const isUser = speaker === 'user';
      const sentences = sentencesOf(text).slice(0, isUser ? undefined : SENTENCES);
      if (isUser && marked.has(id)) {
        const shared = sentences.map(
          (sentence) => [...contentOf(sentence)].filter((word) => wanted.has(word)).length,
        );
        relevant.push(`${id}/${shared.indexOf(Math.max(...shared))}`);
      }
      return sentences.map((sentence, at): Chunk => {
        const position = places.get(source) ?? 0;
        places.set(source, position + 1);
        return {
          id: `${id}/${at}`,
          text: sentence,
          metadata: { ...metadata, position, speaker: isUser ? USER : ASSISTANT },
        };
      });
    });
    return relevant.length === 0 ? [] : [{ ...item, question: aboutUser(item.question), chunks, relevant }];
  });
  return { ...dataset, cases };
}

function sentencesOf(text: string): string[] {
  const sentences = (text.match(SENTENCE) ?? []).map((sentence) => sentence.trim());
  const said = sentences.filter((sentence) => sentence.match(WORD) !== null);
  return said.length === 0 ? [text] : said;
}

/** Numbers, and words of more than three letters. */
const contentOf = (text: string) =>
  new Set((text.toLowerCase().match(WORD) ?? []).filter((word) => word.length > 3 || /\d/.test(word)));

/** What the user asked, as somebody else would. */
const aboutUser = (question: string) =>
  question
    .replace(/\bI(?:'m| am)\b/g, `${USER} is`)
    .replace(/\bI(?:'ve| have)\b/g, `${USER} has`)
    .replace(/\bI(?:'d)\b/g, `${USER} would`)
    .replace(/\bmy\b/gi, `${USER}'s`)
    .replace(/\bI\b|\b(?:me|mine|myself)\b/g, USER);
