import type { Chunk } from 'context-shaping';
import { Bm25 } from '../bm25.js';
import type { Kept } from '../metrics.js';
import { questionTerms, termsOf } from '../terms.js';
import { descending, type Method } from './method.js';

interface Sentence {
  chunk: Chunk;
  /** Of the chunk, in the pool. */
  place: number;
  start: number;
  end: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Sentences by their own BM25 and that of their chunk, best first, as many as fit; shown in the order of the
 * texts. Titles are left out: they cost tokens, and answer nothing.
 */
export const naiveSentences: Method = {
  name: 'naive sentences',
  needsVectors: false,
  async fit({ chunks, question }, maxTokens, countTokens) {
    const terms = questionTerms(question);
    const chunkScores = new Bm25(chunks.map(({ text }) => termsOf(text))).scores(terms);
    const sentences = chunks.flatMap(sentencesOf);
    const textOf = ({ chunk, start, end }: Sentence) => chunk.text.slice(start, end);
    const scores = new Bm25(sentences.map(textOf).map(termsOf))
      .scores(terms)
      .map((score, at) => score + (chunkScores[sentences[at]?.place ?? 0] as number));
    const chosen = new Set<Sentence>();
    let left = maxTokens;
    for (const place of descending(scores)) {
      const sentence = sentences[place] as Sentence;
      // One more for the space between neighbours.
      const tokens = countTokens(textOf(sentence)) + 1;
      if (tokens > left) continue;
      left -= tokens;
      chosen.add(sentence);
    }
    return joined(sentences.filter((sentence) => chosen.has(sentence)));
  },
};

function sentencesOf(chunk: Chunk, place: number): Sentence[] {
  return Array.from(segmenter.segment(chunk.text), ({ index: start, segment }) => ({
    chunk,
    place,
    start,
    end: start + segment.trimEnd().length,
  })).filter(({ start, end }) => chunk.text.slice(start, end) !== chunk.metadata?.title);
}

/** Neighbours become one stretch of text again. */
function joined(sentences: readonly Sentence[]): Kept[] {
  const stretches: Sentence[] = [];
  for (const sentence of sentences) {
    const last = stretches.at(-1);
    const isNext =
      last?.chunk === sentence.chunk && last.chunk.text.slice(last.end, sentence.start).trim() === '';
    if (isNext) stretches[stretches.length - 1] = { ...last, end: sentence.end };
    else stretches.push(sentence);
  }
  return stretches.map(({ chunk, start, end }) => ({ id: chunk.id, text: chunk.text.slice(start, end) }));
}
