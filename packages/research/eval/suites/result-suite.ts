/** Suites that ask how much of the evidence survives if one result of a tool is shaped into a number of tokens. */
import { seededRandom, shuffled } from '../../../../test/random.js';
import { type Scores, type SuiteResult, summarise } from '../results.js';
import { comparisonsTable, methodsTable } from '../tables.js';
import { countTokensO200k } from '../tokens.js';

/** A result of a tool. */
export interface GivenResult {
  id: string;
  /** Is drawn as one by resampling. */
  group: string;
  text: string;
}

/** A way to shorten a result. */
export interface ResultMethod<Given extends GivenResult> {
  name: string;
  /** @returns the text that a model would see. */
  shape(given: Given, maxTokens: number): Promise<Shown | string> | Shown | string;
  /** Names of the rivals that it must not be below. It must be above rivals that know nothing of the result. */
  gates?: readonly string[];
}

/** A text and a note about what is left out. Both count for the budget; evidence in the note is not kept. */
interface Shown {
  content: string;
  note: string;
}

interface ResultSuite<Given extends GivenResult> {
  suite: string;
  title: string;
  given: readonly Given[];
  methods: readonly ResultMethod<Given>[];
  /** The budgets of a result by name. */
  budgetsOf(given: Given): readonly (readonly [name: string, maxTokens: number])[];
  /** The share of the evidence in a text, 0..1. */
  keptIn(text: string, given: Given): number;
  notes?: string[];
  onProgress(done: number, total: number): void;
}

/** Every method at every budget: the share that is kept, and the share of the budget that is used, with the note. */
export async function measureResults<Given extends GivenResult>({
  suite,
  title,
  given: all,
  methods,
  budgetsOf,
  keptIn,
  notes,
  onProgress,
}: ResultSuite<Given>): Promise<SuiteResult> {
  const scores = methods.map(({ name }): Scores => ({ method: name, milliseconds: 0, values: {} }));
  const names = new Set<string>();
  for (const [at, given] of all.entries()) {
    onProgress(at, all.length);
    const budgets = budgetsOf(given);
    for (const [place, method] of methods.entries()) {
      const score = scores[place] as Scores;
      for (const [name, maxTokens] of budgets) {
        names.add(name);
        const started = performance.now();
        const shaped = await method.shape(given, maxTokens);
        score.milliseconds += (performance.now() - started) / (all.length * budgets.length);
        const { content, note } = typeof shaped === 'string' ? { content: shaped, note: '' } : shaped;
        const tokens = countTokensO200k([content, note].filter((each) => each !== '').join('\n\n'));
        // A text over the budget counts as nothing.
        const text = tokens <= maxTokens ? content : '';
        for (const [metric, value] of [
          [keptName(name), keptIn(text, given)],
          [usedName(name), tokens <= maxTokens ? tokens / maxTokens : 0],
        ] as const) {
          score.values[metric] ??= [];
          score.values[metric].push(value);
        }
      }
    }
  }
  const kept = [...names].map(keptName);
  const pairs = methods.flatMap(({ name, gates = [] }) => gates.map((rival) => [name, rival] as const));
  const cases = all.map(({ id, group }) => ({ id, group }));
  const summary = summarise(suite, { cases, counts: { results: all.length } }, scores, pairs, kept);
  const comparisons = summary.comparisons.map((each) => ({
    ...each,
    gates: BLIND.includes(each.baseline) ? ('above' as const) : true,
  }));
  const tables = [
    methodsTable(`${title}: share kept`, summary, kept, notes),
    methodsTable(`${title}: share of the budget used, with the note`, summary, [...names].map(usedName)),
    comparisonsTable(comparisons, kept),
  ];
  return { ...summary, comparisons, tables };
}

const keptName = (budget: string) => `kept at ${budget}`;
const usedName = (budget: string) => `used at ${budget}`;

/** As many lines as fit, in this order of their numbers; they are shown in the order of the text. */
export function linesInOrder(text: string, order: (lines: readonly string[]) => readonly number[]) {
  const lines = text.split('\n');
  const places = order(lines);
  return (maxTokens: number): string => {
    const chosen = new Set<number>();
    let left = maxTokens;
    for (const at of places) {
      const tokens = countTokensO200k(`${lines[at]}\n`);
      if (tokens > left) break;
      left -= tokens;
      chosen.add(at);
    }
    const shown = () => lines.filter((_, at) => chosen.has(at)).join('\n');
    // Lines can have more tokens together than on their own.
    while (countTokensO200k(shown()) > maxTokens) chosen.delete([...chosen].at(-1) as number);
    return shown();
  };
}

export const RANDOM_LINES = 'random lines';
export const HEAD = 'head';
export const TAIL = 'tail';

const BLIND = [RANDOM_LINES, HEAD, TAIL];

/** Rivals that know nothing of the result. */
export const blindRivals = <Given extends GivenResult>(): ResultMethod<Given>[] => [
  {
    name: RANDOM_LINES,
    shape: ({ text }, most) =>
      linesInOrder(text, (lines) => shuffled([...lines.keys()], seededRandom(lines.length)))(most),
  },
  { name: HEAD, shape: ({ text }, most) => linesInOrder(text, (lines) => [...lines.keys()])(most) },
  { name: TAIL, shape: ({ text }, most) => linesInOrder(text, (lines) => [...lines.keys()].reverse())(most) },
];
