/** What the page shows of a result. */
import type { Chunk, Conflict, Eviction, Excerpt, KeptEntry } from 'context-shaping';
import type { Shaped } from './protocol';

export interface Part {
  text: string;
  kept: boolean;
}

/** A text in its kept and its cut parts. */
export function partsOf(text: string, excerpts: readonly Excerpt[] | undefined): Part[] {
  if (excerpts === undefined) return [{ text, kept: true }];
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end } of [...excerpts].sort((a, b) => a.start - b.start)) {
    if (start > at) parts.push({ text: text.slice(at, start), kept: false });
    parts.push({ text: text.slice(start, end), kept: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), kept: false });
  return parts;
}

export interface Kept {
  entry: KeptEntry;
  chunk: Chunk;
  parts: Part[];
  /** Places of kept chunks that say something else, from 1. */
  against: number[];
  features: string[];
}

export function keptOf({ input, report }: Shaped): Kept[] {
  const place = new Map(report.kept.map(({ index }, at) => [index, at + 1]));
  return report.kept.map((entry) => {
    const chunk = input[entry.index] as Chunk;
    const others = rivalsOf(entry.index, report.conflicts).flatMap((index) => place.get(index) ?? []);
    const against = [...new Set(others)];
    const features = Object.entries(entry.features ?? {})
      .filter(([, share]) => share > 0)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([name]) => name);
    return { entry, chunk, parts: partsOf(chunk.text, entry.excerpts), against, features };
  });
}

/** The chunks of the other sides of a chunk’s conflicts. */
export const rivalsOf = (index: number, conflicts: readonly Conflict[]): number[] =>
  conflicts.flatMap(({ sides }) => {
    const others = sides.filter(({ indices }) => !indices.includes(index));
    return others.length === sides.length ? [] : others.flatMap(({ indices }) => indices);
  });

export interface Evicted {
  eviction: Eviction;
  why: string;
  text: string;
}

export const evictedOf = ({ input, report, whys }: Shaped): Evicted[] =>
  report.evicted.map((eviction, at) => ({
    eviction,
    why: whys[at] ?? '',
    text: input[eviction.index]?.text ?? '',
  }));

export interface Step {
  name: string;
  purpose: string;
  chunks: { before: number; after: number };
  tokens: { before: number; after: number };
  evicted: Evicted[];
}

/** Each stage with the chunks and tokens that it leaves. What is cut from kept chunks is counted where it is cut. */
export function stepsOf(shaped: Shaped): Step[] {
  const { report } = shaped;
  const evicted = evictedOf(shaped);
  const lost = evicted.reduce((sum, { eviction }) => sum + eviction.tokens, 0);
  const cut = report.tokens.input - lost - report.tokens.output;
  const cutter = report.stages.some(({ name }) => name === 'extract') ? 'extract' : 'budget';
  let before = report.tokens.input;
  return report.stages.map(({ name, input, kept }) => {
    const own = evicted.filter(({ eviction }) => eviction.stage === name);
    const gone = own.reduce((sum, { eviction }) => sum + eviction.tokens, 0) + (name === cutter ? cut : 0);
    const step = {
      name,
      purpose: PURPOSES[name] ?? '',
      chunks: { before: input, after: kept },
      tokens: { before, after: before - gone },
      evicted: own,
    };
    before -= gone;
    return step;
  });
}

const PURPOSES: Readonly<Record<string, string>> = {
  flag: 'notes what is written for the search or the model',
  annotate: 'counts tokens, measures entropy',
  'exact-dedup': 'evicts the same text',
  embed: 'asks for vectors, if there is an embedder',
  'semantic-dedup': 'evicts near-copies, finds what texts say differently',
  relevance: 'measures relevance to the question',
  cluster: 'evicts redundant chunks, if the budget is short',
  select: 'ranks by relevance and novelty, applies k',
  extract: 'keeps the sentences that answer, if the budget is short',
  budget: 'never a token over',
  order: 'sorts the result',
};
