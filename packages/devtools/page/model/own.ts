/** Chunks that the reader of the page gives, shaped and recorded in the page. */
import { type Chunk, createShaper } from 'context-shaping';
import { recordContext } from '../../src/lockfile/index.js';
import type { Run } from '../data.js';

/** The budget of the demo. The sliders change it. */
const MAX_TOKENS = 1500;
/** The most characters of a statement that differs from another one. */
const EXCERPT = 120;

/** @throws SyntaxError if the text begins as JSON and is none; the errors of `shape`. */
export async function ownRun(question: string, text: string): Promise<Run> {
  const shaper = createShaper({ budget: { maxTokens: MAX_TOKENS }, preview: EXCERPT });
  const lockfile = await recordContext(shaper.session({ query: question, chunks: chunksIn(text) }));
  return { name: question, report: lockfile.report, lockfile };
}

/** A JSON array of chunks, or texts with blank lines between them, which get their numbers as ids. */
export const chunksIn = (text: string): Chunk[] =>
  /^\s*\[\s*\{/.test(text)
    ? JSON.parse(text)
    : text
        .split(/\n\s*\n/)
        .filter((part) => part.trim() !== '')
        .map((part, at) => ({ id: String(at + 1), text: part.trim() }));
