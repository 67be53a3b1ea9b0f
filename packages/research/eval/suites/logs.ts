/** Logs of failed runs: how many of the signals that name the cause are kept. */
import { shapeToolResult } from 'context-shaping-agents';
import { type FailedRun, loadLogDx } from '../data/logdx.js';
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

interface Log extends GivenResult, Pick<FailedRun, 'signals'> {}

const BUDGETS = [1000, 3500, 6100, 20_000];
export const PLAIN = 'Why did this CI run fail?';
export const CUED = 'Which error, failed test or exception made this run fail, and what is the exit code?';

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes begin with one
const CODES = /(?:\u001b|\^\[)\[[\d;]*[A-Za-z]/g;
const STAMP = /^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /gm;
const FAILURE = /error|fail|exception|panic|fatal|traceback|assert/i;

const GREP = 'grep';
const PLAIN_TAIL = 'tail without time stamps';

const rivals: ResultMethod<Log>[] = [
  ...blindRivals<Log>(),
  {
    name: GREP,
    shape: ({ text }, most) =>
      linesInOrder(text, (lines) => [...lines.keys()].filter((at) => FAILURE.test(lines[at] as string)))(
        most,
      ),
  },
  {
    name: PLAIN_TAIL,
    shape: ({ text }, most) =>
      linesInOrder(text.replace(STAMP, ''), (lines) => [...lines.keys()].reverse())(most),
  },
];

const ours = (name: string, query?: string): ResultMethod<Log> => ({
  name,
  gates: [RANDOM_LINES, HEAD, TAIL, GREP, PLAIN_TAIL],
  shape: ({ text }, maxTokens) =>
    shapeToolResult({ content: text, maxTokens, query, tokenizer: 'o200k_base' }),
});

/** The share of the critical signals that a text shows. Codes of terminals are no part of them. */
export function signalsKept(text: string, { signals }: Pick<FailedRun, 'signals'>): number {
  const plain = text.replace(CODES, '');
  return signals.filter((texts) => texts.some((each) => plain.includes(each))).length / signals.length;
}

export const logs: Suite = {
  name: 'logs',
  async run({ dataDir, limit, onProgress }) {
    const runs = loadLogDx(dataDir);
    if (runs === undefined) return undefined;
    return measureResults<Log>({
      suite: 'logs',
      title: 'Logs of failed runs, critical signals',
      given: spread(runs, limit).map(({ id, log, signals }): Log => ({ id, group: id, text: log, signals })),
      methods: [
        ...rivals,
        ours('ours'),
        ours('ours, plain question', PLAIN),
        ours('ours, cued question', CUED),
      ],
      budgetsOf: () => BUDGETS.map((most) => [most.toLocaleString('en'), most] as const),
      keptIn: signalsKept,
      notes: [
        `Plain question: ${PLAIN}`,
        `Cued question: ${CUED}`,
        'Tokens of o200k_base. Notes are not counted as kept.',
      ],
      onProgress,
    });
  },
};
