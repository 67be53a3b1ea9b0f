/** `context-shaping-devtools evaluate --fit`: chooses among options on the cases, and writes the options to use. */

import { type Io, printable, write, writeText } from 'context-shaping/cli';
import {
  type EvaluateOptions,
  type EvaluationResult,
  fitMethods,
  fitOf,
  formatFit,
} from '../evaluate/index.js';

/** Far apart, and fewer than those of an evaluation: each of the options costs a run at each of them. */
const BUDGETS = [100, 200, 400, 800, 1600];

/** The methods and budgets to measure: at the budget that is given, by the flag or the options in use, else at several. */
export function planFit(
  given: EvaluateOptions['methods'],
  budget: number | undefined,
): Required<Pick<EvaluateOptions, 'methods' | 'budgets'>> {
  const methods = fitMethods(given);
  const own = budget ?? methods[0]?.options?.budget?.maxTokens;
  return { methods, budgets: own == null ? BUDGETS : [own] };
}

/** Writes the options to use, whether or not they change. @returns the options that were tried and the recommendation, as text. */
export async function writeFit(
  file: string,
  result: EvaluationResult,
  methods: EvaluateOptions['methods'],
  io: Io,
): Promise<string> {
  const fit = fitOf(result, methods ?? []);
  await writeText(file, `${JSON.stringify(fit.options, null, 2)}\n`, 'Name another file with --fit.');
  const what = fit.isRecommended ? 'recommended options' : 'options in use';
  await write(io.stderr, `Wrote ${printable(file)}, with the ${what}.\n`);
  return formatFit(fit, result.budgets);
}
