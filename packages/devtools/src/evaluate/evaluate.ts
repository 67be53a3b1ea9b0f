/** Evaluates options of the shaper on questions whose evidence is known. */

import { ContextShapingError, createShaper, type Shaper, type ShapingOptions } from 'context-shaping';
import { inGroup, silence } from 'context-shaping/internal';
import { invalidInput, parseOptions } from 'context-shaping/kit';
import * as z from 'zod';
import { parseEvaluationCase } from './case.js';
import { CONTROLS } from './controls.js';
import { explainLost } from './lost.js';
import { type CaseRecord, measureCase, type Plan, shapersOf } from './measure.js';
import { isLostAt, summaryOf } from './summary.js';
import type { EvaluateOptions, EvaluationCase, EvaluationResult } from './types.js';

/** Preferred numbers (ISO 3, R10) from 100 to 16,000. */
const BUDGETS = [
  ...[100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000],
  ...[6300, 8000, 10_000, 12_500, 16_000],
];

const tokens = () => z.int().min(1);
const isFunction = (value: unknown) => typeof value === 'function';
/** The options of every run over cases. */
export const optionsOfRuns = {
  cases: z.custom((value) => Array.isArray(value) || isFunction(value), {
    error: 'must be an array, or a function that opens the data',
  }),
  onProgress: z.custom(isFunction, { error: 'must be a function' }).optional(),
  signal: z.custom((value) => value instanceof AbortSignal, { error: 'must be an AbortSignal' }).optional(),
};
const schema = z.strictObject({
  ...optionsOfRuns,
  methods: z
    .array(z.strictObject({ name: z.string().regex(/\S/), options: z.looseObject({}).optional() }))
    .min(1)
    .default([{ name: 'shaping' }]),
  budgets: z.array(tokens()).min(1).default(BUDGETS),
  budget: tokens().optional(),
  explained: z.int().min(0).default(10),
});

/**
 * Measures what options keep of the evidence of your own questions, under each budget, beside controls that need no shaping:
 * sentences by BM25, the first chunks, the head and tail of the list, and random chunks with as many tokens. No model and no
 * network.
 *
 * A case counts by the share of its evidence that is kept, of the evidence that the pool holds; a case whose pool holds none
 * does not count. Intervals are 95 %, by resampling the groups of cases. The result is the same for the same data and
 * options, except for `milliseconds`. Cases are read one after the other, and their texts are not kept.
 *
 * @throws ContextShapingError `invalid-options`; `invalid-input`, for the first malformed case, for two cases with one id,
 *   and if no pool holds evidence; the errors of `shape`.
 * @throws the signal's reason, when aborted.
 */
export async function evaluate(options: EvaluateOptions): Promise<EvaluationResult> {
  const { methods, budgets, budget, explained } = parseOptions(schema, options);
  // As the caller gave them: the schema knows no types of functions and services.
  const { cases, onProgress, signal } = options;
  const own = methods.map(({ name, options: settings = {} }) => ({
    name,
    options: settings as ShapingOptions,
  }));
  checkNames(own.map(({ name }) => name));
  const reported = budget ?? own[0]?.options.budget?.maxTokens ?? undefined;
  const plan: Plan = { methods: own, budgets: ascending([...budgets, ...[reported ?? []].flat()]) };
  const shapers = checkedShapers(plan);
  const total = await checked(cases, signal);
  const records: CaseRecord[] = [];
  for await (const value of opened(cases)) {
    signal?.throwIfAborted();
    const number = records.length + 1;
    const given = parseEvaluationCase(value, `cases[${number - 1}]`, number);
    records.push(await inCase(number, () => measureCase(given, number, plan, shapers, signal)));
    silence(onProgress?.(number, total));
  }
  if (!records.some(({ inPool }) => inPool > 0)) {
    throw invalidInput(
      'cases',
      records.length,
      'have no evidence in their pools',
      'Check the ids and texts of the evidence against those of the chunks.',
    );
  }
  const result = summaryOf({ plan, records, budget: reported });
  const isLost = isLostAt(result.budgets.indexOf(result.budget));
  const numbers = records.flatMap((record, at) => (isLost(record) ? [at + 1] : [])).slice(0, explained);
  for await (const lost of casesAt(numbers, cases))
    result.lost.explained.push(
      ...(await explainLost(lost, shapers[0] as Shaper, result.budget, result.budgets, signal)),
    );
  return result;
}

/** The cases with these numbers, which are ascending. */
async function* casesAt(
  numbers: readonly number[],
  cases: EvaluateOptions['cases'],
): AsyncGenerator<EvaluationCase> {
  if (numbers.length === 0) return;
  let number = 0;
  for await (const value of await opened(cases)) {
    number += 1;
    if (numbers.includes(number)) yield parseEvaluationCase(value, `cases[${number - 1}]`, number);
    if (number === numbers.at(-1)) return;
  }
}

const ascending = (budgets: readonly number[]) => [...new Set(budgets)].sort((a, b) => a - b);

const opened = (cases: EvaluateOptions['cases']) => (typeof cases === 'function' ? cases() : cases);

/** @throws ContextShapingError `invalid-options`, if two methods have one name, or one has that of a control. */
function checkNames(names: readonly string[]): void {
  const known = new Set(CONTROLS.map(({ name }) => name));
  for (const [at, name] of names.entries()) {
    if (known.has(name)) {
      const remedy = 'Give each method a name of its own.';
      const is = 'is the name of another method, or of a control';
      throw new ContextShapingError('invalid-options', {
        field: `methods.${at}.name`,
        value: name,
        is,
        remedy,
      });
    }
    known.add(name);
  }
}

/** The shapers of a plan. Each is checked with the least budget, too: a reserve may be greater. */
function checkedShapers(plan: Plan): Shaper[] {
  const least = plan.budgets[0] as number;
  for (const [at, { options }] of plan.methods.entries())
    inGroup(`methods.${at}.options`, () =>
      createShaper({ ...options, budget: { ...options.budget, maxTokens: least } }),
    );
  return shapersOf(plan);
}

/** Checks all cases before long work. @returns their number. */
async function checked(cases: EvaluateOptions['cases'], signal: AbortSignal | undefined): Promise<number> {
  let total = 0;
  for await (const _ of parsedCases(cases, signal)) total += 1;
  return total;
}

/** @throws ContextShapingError `invalid-input`, for the first malformed case, and for two with one id. */
export async function* parsedCases(
  cases: EvaluateOptions['cases'],
  signal: AbortSignal | undefined,
): AsyncGenerator<EvaluationCase> {
  const ids = new Map<string, number>();
  let number = 0;
  for await (const value of opened(cases)) {
    signal?.throwIfAborted();
    number += 1;
    const given = parseEvaluationCase(value, `cases[${number - 1}]`, number);
    checkId(given.id, number, ids);
    yield given;
  }
}

/** Errors about the input name the case. */
async function inCase<T>(number: number, measure: () => Promise<T>): Promise<T> {
  try {
    return await measure();
  } catch (error) {
    if (!ContextShapingError.isInstance(error) || error.kind !== 'invalid-input') throw error;
    throw error.renamed((field) => `cases[${number - 1}].${field}`);
  }
}

function checkId(id: string, number: number, ids: Map<string, number>): void {
  const before = ids.get(id);
  ids.set(id, number);
  if (before === undefined) return;
  const remedy = `Give each case an id of its own, or none: case ${before} has this one.`;
  throw invalidInput(`cases[${number - 1}].id`, id, 'is the id of an earlier case', remedy);
}
