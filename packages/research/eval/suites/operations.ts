/** Outputs of operations, and one list in six notations, at a tenth of their tokens without a question: the signals kept. */
import { shapeToolResult } from 'context-shaping-agents';
import { descending } from '../../../devtools/src/measurement/index.js';
import { Bm25 } from '../bm25.js';
import { NOTATIONS, OPERATIONS } from '../kinds/operations.js';
import type { Sample } from '../kinds/samples.js';
import type { SuiteResult } from '../results.js';
import { termsOf } from '../terms.js';
import { countTokensO200k } from '../tokens.js';
import {
  blindRivals,
  type GivenResult,
  HEAD,
  linesInOrder,
  measureResults,
  RANDOM_LINES,
  type ResultMethod,
  TAIL,
} from './result-suite.js';
import { type Suite, spread } from './suite.js';

type Given = Sample & GivenResult;

const PART = 10;
const BOTH_ENDS = 'head and tail';
const BM25_LINES = 'BM25 lines';
const FAILURES = termsOf(
  'error errors failed failure fatal denied refused exception killed warning invalid missing not found',
);

const rivals: ResultMethod<Given>[] = [
  ...blindRivals<Given>(),
  {
    name: BOTH_ENDS,
    shape: ({ text }, most) =>
      linesInOrder(text, (lines) =>
        Array.from({ length: lines.length }, (_, at) =>
          at % 2 === 0 ? at / 2 : lines.length - (at + 1) / 2,
        ),
      )(most),
  },
  {
    name: BM25_LINES,
    shape: ({ text }, most) =>
      linesInOrder(text, (lines) => descending(new Bm25(lines.map(termsOf)).scores(FAILURES)))(most),
  },
];

const ours: ResultMethod<Given> = {
  name: 'ours',
  gates: [RANDOM_LINES, HEAD, TAIL, BOTH_ENDS, BM25_LINES],
  shape: ({ text }, maxTokens) => shapeToolResult({ content: text, maxTokens, tokenizer: 'o200k_base' }),
};

const budgetOf = (text: string) => Math.floor(countTokensO200k(text) / PART);
const signalsIn = (text: string, { needed }: Sample) => needed.filter((each) => text.includes(each)).length;

/** Each result by itself: its kind, the share of the room that is used, and the signals that each method keeps. */
async function rowsOf(samples: readonly Given[]): Promise<string[][]> {
  return Promise.all(
    samples.map(async (given) => {
      const maxTokens = budgetOf(given.text);
      const { content, report } = await shapeToolResult({
        content: given.text,
        maxTokens,
        tokenizer: 'o200k_base',
      });
      const others = [TAIL, BOTH_ENDS, BM25_LINES].map((name) => {
        const shown = rivals.find((each) => each.name === name)?.shape(given, maxTokens);
        return String(signalsIn(shown as string, given));
      });
      const used = (report.tokens.sent / maxTokens).toFixed(2).replace(/^0/, '');
      const kept = `${signalsIn(content, given)} of ${given.needed.length}`;
      return [given.id, report.kind, used, kept, ...others];
    }),
  );
}

export const operations: Suite = {
  name: 'operations',
  async run({ limit, onProgress }) {
    const parts: SuiteResult[] = [];
    const columns = ['result', 'kind', 'room used', 'shaped', 'tail', BOTH_ENDS, BM25_LINES];
    for (const [suite, title, samples] of [
      ['operations', 'Outputs of operations', OPERATIONS],
      ['notations', 'One list in six notations', NOTATIONS],
    ] as const) {
      const given = spread(samples, limit).map((each): Given => ({ group: each.id, ...each }));
      const measured = await measureResults<Given>({
        ...{ suite, title, given, methods: [...rivals, ours], onProgress },
        budgetsOf: ({ text }) => [[`${PART}x`, budgetOf(text)]],
        keptIn: (text, each) => signalsIn(text, each) / each.needed.length,
      });
      const rows = await rowsOf(given);
      const table = { title: `${title}: signals kept, each`, columns, rows, notes: [] };
      parts.push({ ...measured, tables: [...measured.tables, table] });
    }
    return {
      ...{ suite: 'operations', counts: {}, methods: parts.flatMap(({ methods }) => methods) },
      comparisons: parts.flatMap(({ suite, comparisons }) =>
        comparisons.map((each) => ({ ...each, metric: `${suite}: ${each.metric}` })),
      ),
      tables: parts.flatMap(({ tables }) => tables),
    };
  },
};
