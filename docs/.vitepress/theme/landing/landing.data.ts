/** The result of the library for the sample, computed when the site is built. */

import {
  DEFAULT_QUESTION,
  DEMO_OPTIONS,
  readCorpus,
  retrieve,
} from '../../../../adapters/cli/demo-corpus.js';
import { conflictsInContext } from '../../../../adapters/report/index.js';
import { rivalsOf } from '../../../../packages/devtools/page/model/conflicts.js';
import { createShaper, type Eviction } from '../../../../src/index.js';
import { root } from '../../repository.js';

/** As many chunks as the demo retrieves. */
const RETRIEVED = 60;
const MAX_TOKENS = 1500;
/** Passages to show: the three that differ. */
const PASSAGES = 3;

export interface Cell {
  id: string;
  outcome: 'kept' | 'copy' | 'evicted';
  /** The share of the text that stays. */
  share: number;
}

export interface Landing {
  query: string;
  maxTokens: number;
  chunks: { input: number; kept: number };
  tokens: { input: number; output: number };
  cells: Cell[];
  passages: { id: string; text: string; against: number[] }[];
  conflicts: number;
  flags: number;
}

declare const data: Landing;

export { data };

export default {
  async load(): Promise<Landing> {
    const { signal } = new AbortController();
    const query = DEFAULT_QUESTION;
    const corpus = await readCorpus(`${root}/demo`, signal);
    const chunks = await retrieve(query, corpus.chunks, RETRIEVED, signal);
    const shaper = createShaper({ ...DEMO_OPTIONS, budget: { maxTokens: MAX_TOKENS } });
    const { chunks: kept, report } = await shaper.shape({ query, chunks });
    const cells = chunks.map(({ id, text }, index): Cell => {
      const entry = report.kept.find((each) => each.index === index);
      const eviction = report.evicted.find((each) => each.index === index);
      const left = entry?.excerpts?.reduce((sum, { start, end }) => sum + end - start, 0) ?? text.length;
      return {
        id,
        outcome: entry !== undefined ? 'kept' : isCopy(eviction) ? 'copy' : 'evicted',
        share: entry === undefined ? 0 : left / text.length,
      };
    });
    const place = new Map(report.kept.map(({ index }, at) => [index, at + 1]));
    return {
      query,
      maxTokens: MAX_TOKENS,
      chunks: { input: report.input.length, kept: report.kept.length },
      tokens: { input: report.tokens.input, output: report.tokens.output },
      cells,
      passages: kept.slice(0, PASSAGES).map(({ id, index, text }) => ({
        id,
        text: text.replace(/^#+ .*\n+/, ''),
        against: rivalsOf(index, report.conflicts).flatMap((rival) => place.get(rival) ?? []),
      })),
      conflicts: conflictsInContext(report).length,
      flags: report.flags.length,
    };
  },
};

const isCopy = (eviction: Eviction | undefined) => /duplicate|cluster/.test(eviction?.reason ?? '');
