/**
 * Questions about invented facts, each with eight labelled passages, for the small model of `test/fixtures/ecs-tiny`; its
 * prompts; and a measure of how well a score separates passages.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ScoreRequest } from 'context-shaping';

export type Kind = 'answer' | 'same_rel' | 'same_ent' | 'random_fact' | 'filler' | 'counterfactual';

export interface Passage {
  kind: Kind;
  text: string;
}

export interface Item {
  question: string;
  answer: string;
  /** Passages that come before the candidate in the context. */
  base: readonly string[];
  candidates: readonly Passage[];
}

const FOLDER = new URL('../../fixtures/ecs-tiny/', import.meta.url);

/** The path of the small model, and its bytes. */
export const TINY_MODEL = fileURLToPath(new URL('ecs-tiny-f16.gguf', FOLDER));
export const tinyModel = (): Uint8Array => readFileSync(TINY_MODEL);

export const items: readonly Item[] = (
  JSON.parse(readFileSync(new URL('items.json', FOLDER), 'utf8')) as {
    q: string;
    a: string;
    base: string[];
    cands: { t: Kind; text: string }[];
  }[]
).map(({ q, a, base, cands }) => ({
  question: q,
  answer: a,
  base,
  candidates: cands.map(({ t, text }) => ({ kind: t, text })),
}));

/** The prompt form on which the small model was trained. */
export function promptOf(question: string, passages: readonly string[]): string {
  const context = passages.length === 0 ? '' : `Context:\n${passages.join('\n')}\n\n`;
  return `${context}Question: ${question}\nAnswer:`;
}

/** The request for the probability of the answer, with a further passage or without one. */
export function requestOf({ question, answer, base }: Item, passage?: string): ScoreRequest {
  const passages = passage === undefined ? base : [...base, passage];
  return { prompt: promptOf(question, passages), continuation: ` ${answer}` };
}

/** For each item the request without a candidate, then one per candidate: 540 for all items. */
export function scoreRequests(of: readonly Item[] = items): ScoreRequest[] {
  return of.flatMap((item) => [requestOf(item), ...item.candidates.map(({ text }) => requestOf(item, text))]);
}

/**
 * Area under the curve: how often a good element has a higher value than another element; ties count half.
 *
 * Source: H. B. Mann, D. R. Whitney, "On a Test of Whether One of Two Random Variables Is Stochastically Larger
 * than the Other", 1947: U / (n m).
 */
export function areaUnderCurve(good: readonly number[], other: readonly number[]): number {
  const wins = good.flatMap((a) => other.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)));
  return wins.reduce((sum: number, win) => sum + win, 0) / wins.length;
}
