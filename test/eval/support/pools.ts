/** What a retriever hands on for a question: with what answers it, without that, and for another question. */
import { type Chunk, createShaper } from 'context-shaping';
import { type SupportFeatures, supportFeatures } from '../../../src/relevance/support.js';
import { Lexicon } from '../../../src/text/lexicon.js';
import type { Case } from '../data/case.js';
import { questionTerms, termsOf } from '../terms.js';
import { drawOf } from '../train/folds.js';

export const KINDS = ['with', 'without', 'other'] as const;

/** The chunks that shaping keeps of one pool, each with what it is judged by. */
export interface Kept {
  kind: (typeof KINDS)[number];
  group: string;
  /** Per chunk: is it part of the evidence? */
  gold: readonly boolean[];
  /** Per chunk, in the order of `columns`. */
  features: readonly (readonly number[])[];
  /** The naive judge, per chunk: the share of the question's words that are in it. */
  words: readonly number[];
}

/** As few as one would have graded one by one. */
const shaper = createShaper({ k: 8, tokenizer: () => 1 });

/**
 * For half of the questions texts begin with their titles, for the other half they do not: people retrieve both.
 *
 * @param columns features of support, in the order in which rows have them.
 */
export async function keptOf(
  cases: readonly Case[],
  columns: readonly (keyof SupportFeatures)[],
  onProgress: (done: number, total: number) => void,
): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const [at, question] of cases.entries()) {
    onProgress(at, cases.length);
    const isTitled = drawOf(`title of ${question.id}`) % 2 === 0;
    const isGold = (id: string) => question.relevant.includes(id);
    const answering = new Set(question.chunks.filter(({ id }) => isGold(id)).map(({ text }) => text));
    const other = cases[(at + Math.ceil(cases.length / 2)) % cases.length] as Case;
    const pools = {
      with: question.chunks,
      without: question.chunks.filter(({ id }) => !isGold(id)),
      other: other === question ? [] : other.chunks.filter(({ text }) => !answering.has(text)),
    };
    for (const kind of KINDS) {
      const chunks = isTitled ? pools[kind] : pools[kind].map(untitled);
      if (chunks.length === 0) continue;
      const { chunks: best } = await shaper.shape({ query: question.question, chunks });
      const texts = chunks.map(({ text }) => text);
      const features = supportFeatures(question.question, texts, new Lexicon());
      if (features === undefined) continue;
      const asked = [...new Set(questionTerms(question.question))];
      kept.push({
        kind,
        group: question.group,
        gold: best.map(({ id }) => kind === 'with' && isGold(id)),
        features: best.map(({ index }) => columns.map((name) => features[name][index] as number)),
        words: best.map(({ index }) => shareIn(asked, texts[index] as string)),
      });
    }
  }
  return kept;
}

function untitled(chunk: Chunk): Chunk {
  const title = `${chunk.metadata?.title ?? ''}\n`;
  return chunk.text.startsWith(title) ? { ...chunk, text: chunk.text.slice(title.length) } : chunk;
}

function shareIn(asked: readonly string[], text: string): number {
  const terms = new Set(termsOf(text));
  return asked.filter((term) => terms.has(term)).length / Math.max(1, asked.length);
}
