/** `context-shaping-devtools evaluate`: measures the evidence that options keep of the user's own questions. */
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ContextShapingError, type EcsMethod, type ShapingOptions } from 'context-shaping';
import {
  checkWritable,
  Ends,
  EXIT,
  type Io,
  printable,
  readJson,
  startProgress,
  UsageError,
  write,
  writeText,
} from 'context-shaping/cli';
import { defined, isObject } from 'context-shaping/kit';
import type { EvaluateOptions, EvaluationResult, MethodResult } from '../evaluate/index.js';
import { openCases } from './evaluate-data.js';
import { loadSetup } from './load-setup.js';

export interface EvaluateFlags {
  data?: string;
  options?: string[];
  budgets?: number[];
  budget?: number;
  explain: number;
  html?: string;
  json?: string;
  fit?: string;
  setup?: string;
  method?: EcsMethod[];
  minEvidence?: number;
  against?: string;
  verbose?: boolean;
}

const STANDARD_OUTPUT = '-';

type Library = typeof import('../evaluate/index.js');

/** @throws Ends if less evidence is kept than `--min-evidence`, or than before by more than chance. */
export async function evaluateCommand(flags: EvaluateFlags, io: Io): Promise<void> {
  const { html, json, fit, explain: explained, minEvidence, against } = flags;
  if (flags.setup !== undefined) return fitSetup(flags.setup, flags, io);
  const file = json === STANDARD_OUTPUT ? undefined : json;
  if (minEvidence !== undefined && minEvidence > 1)
    throw new UsageError('--min-evidence is a share from 0 to 1, such as 0.95.');
  if (file !== undefined) await checkWritable(file, 'Name another file with --json.');
  if (html !== undefined) await checkWritable(html, 'Name another file with --html.');
  if (fit !== undefined) await checkWritable(fit, 'Name another file with --fit.');
  const library = await import('../evaluate/index.js');
  const before =
    against === undefined ? undefined : await naming(against, library.parseEvaluation, io.signal);
  const given = await readMethods(flags.options, io.signal);
  const plan = fit === undefined ? undefined : planFit(given, flags.budget, library);
  const methods = plan?.methods ?? given;
  const { cases, count, fieldOf } = await openCases(flags.data, io);
  if (flags.verbose) await write(io.stderr, `Measuring ${count} cases.\n`);
  const progress = await startProgress(io, 'Cases', count, '{value}/{total}, {eta_formatted} left');
  let result: EvaluationResult;
  try {
    result = await library.evaluate({
      ...defined({ methods, budget: flags.budget }),
      ...budgetsOf(flags.budgets ?? plan?.budgets, before?.budget),
      ...{ cases, explained },
      onProgress: () => progress.step(),
      signal: io.signal,
    });
  } catch (error) {
    throw ContextShapingError.isInstance(error)
      ? error.renamed((field) => fieldOf(flagOf(field, flags)))
      : error;
  } finally {
    progress.stop();
  }
  const fitted = fit === undefined ? undefined : await writeFit(fit, result, methods, io, library);
  await writeResult(result, fitted, flags, io);
  const first = result.methods[0] as MethodResult;
  const kept = first.budgets[result.budgets.indexOf(result.budget)]?.evidence.mean as number;
  const problems = [
    ...(minEvidence === undefined || kept >= minEvidence
      ? []
      : [
          `${first.name} keeps ${kept.toFixed(3)} of the evidence at ${result.budget} tokens, less than ${minEvidence}.`,
        ]),
    ...(before === undefined ? [] : comparison(library.compareEvaluations(result, before))),
  ];
  if (problems.length > 0) throw new Ends(EXIT.failed, problems.join(' '));
}

/** Flags that say nothing about models. */
const WITHOUT_MODELS = ['options', 'budgets', 'budget', 'html', 'json', 'minEvidence', 'against'] as const;

/** Measures the models of a module of options, and writes the profiles. */
async function fitSetup(setup: string, flags: EvaluateFlags, io: Io): Promise<void> {
  const { fit, data, method: methods } = flags;
  const useless = WITHOUT_MODELS.find((name) => flags[name] !== undefined);
  if (fit === undefined || useless !== undefined) {
    throw new UsageError(
      `--setup needs --fit, and takes ${useless === undefined ? 'a file for the profiles' : `no --${useless.replace('E', '-e')}`}.`,
    );
  }
  if (fit !== STANDARD_OUTPUT) await checkWritable(fit, 'Name another file with --fit.');
  const { cases, count, fieldOf } = await openCases(data, io);
  const options = (await loadSetup(
    setup,
    'options of a shaper as default, such as { ecs: { model } }',
  )) as ShapingOptions;
  const { fitModels, formatModelFit } = await import('../evaluate/index.js');
  const progress = await startProgress(io, 'Questions', count);
  const { model, judge } = options.ecs || {};
  const fitted = await fitModels({
    ...{ cases, options, onProgress: () => progress.step(), signal: io.signal },
    ...defined({ methods }),
  })
    .catch((error: unknown) => {
      throw ContextShapingError.isInstance(error)
        ? error.renamed((field) => {
            if (field.startsWith('cases')) return fieldOf(field);
            if (field === 'methods') return '--method';
            return error.kind === 'service' ? field : `${setup}: ${field}`;
          })
        : error;
    })
    .finally(async () => {
      progress.stop();
      // A model that runs in this process.
      for (const each of [model, judge]) await (each as { dispose?: () => unknown } | undefined)?.dispose?.();
    });
  const profiles = `${JSON.stringify(fitted.options, null, 2)}\n`;
  if (fit === STANDARD_OUTPUT) return write(io.stdout, profiles);
  try {
    await writeText(fit, profiles, 'The profiles are on standard output instead.');
  } catch (error) {
    // Measuring may have taken hours.
    await write(io.stdout, profiles);
    throw error;
  }
  await write(
    io.stdout,
    `${printable(formatModelFit(fitted))}\nProfiles: ${printable(fit)}, as parts of the options.\n`,
  );
}

function comparison({
  budget,
  cases,
  difference: { mean, low, high },
  isWorse,
}: ReturnType<Library['compareEvaluations']>): string[] {
  if (!isWorse) return [];
  const by = `${mean.toFixed(3)} (95 % interval ${low.toFixed(3)} to ${high.toFixed(3)})`;
  return [`Less evidence is kept than before: ${by}, on ${cases} cases at ${budget} tokens.`];
}

/** The budgets of the flag, with the one of an earlier evaluation. */
function budgetsOf(given: readonly number[] | undefined, earlier: number | undefined) {
  if (given === undefined) return {};
  return { budgets: earlier === undefined ? given : [...given, earlier] };
}

/** @param fitted the choice among options, in place of the tables. */
async function writeResult(
  result: EvaluationResult,
  fitted: string | undefined,
  { html, json }: EvaluateFlags,
  io: Io,
): Promise<void> {
  const text = `${JSON.stringify(result)}\n`;
  if (json === STANDARD_OUTPUT) await write(io.stdout, text);
  else {
    const { formatEvaluation } = await import('../evaluate/index.js');
    const tables = fitted ?? formatEvaluation(result);
    await write(io.stdout, `${printable(tables)}\n`);
    if (json !== undefined) await writeText(json, text, 'Name another file with --json.');
  }
  if (html === undefined) return;
  const { evaluationPage } = await import('../inspector/index.js');
  await writeText(html, evaluationPage(result), 'Name another file with --html.');
  await write(
    io.stderr,
    `Wrote ${printable(html)}. Open it in a browser: ${pathToFileURL(resolve(html)).href}\n`,
  );
}

/** The options of each file, by its name without `.json`. */
async function readMethods(
  files: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<EvaluateOptions['methods']> {
  if (files === undefined) return undefined;
  const names = files.map((file) => basename(file, '.json'));
  const isUnique = new Set(names).size === names.length;
  const methods = [];
  for (const [at, file] of files.entries()) {
    const options = await readJson(file, 'Name a JSON file of shaping options.', signal);
    if (!isObject(options))
      throw new UsageError(`${file} must hold an object of options, such as { "k": 8 }.`);
    methods.push({ name: isUnique ? (names[at] as string) : file, options });
  }
  return methods;
}

/** A field of `evaluate` as the user wrote it. */
function flagOf(field: string, { options = [] }: EvaluateFlags): string {
  const [, at, name] = /^methods\.(\d+)\.(?:options\.)?(.+)$/.exec(field) ?? [];
  if (at !== undefined) return `${options[Number(at)] ?? '--options'}: ${name}`;
  return { budget: '--budget', budgets: '--budgets', 'before.budget': '--budgets' }[field] ?? field;
}

/** Reads and checks a JSON file; errors name it. */
async function naming<T>(file: string, parse: (value: unknown) => T, signal: AbortSignal): Promise<T> {
  const value = await readJson(file, 'Name a result of context-shaping-devtools evaluate --json.', signal);
  try {
    return parse(value);
  } catch (error) {
    throw ContextShapingError.isInstance(error) ? error.renamed(() => file) : error;
  }
}

/** Far apart, and fewer than those of an evaluation: each of the options costs a run at each of them. */
const BUDGETS = [100, 200, 400, 800, 1600];

/** The methods and budgets to measure: at the budget that is given, by the flag or the options in use, else at several. */
function planFit(
  given: EvaluateOptions['methods'],
  budget: number | undefined,
  { fitMethods }: Library,
): Required<Pick<EvaluateOptions, 'methods' | 'budgets'>> {
  const methods = fitMethods(given);
  const own = budget ?? methods[0]?.options?.budget?.maxTokens;
  return { methods, budgets: own == null ? BUDGETS : [own] };
}

/** Writes the options to use, whether or not they change. @returns the options that were tried and the recommendation, as text. */
async function writeFit(
  file: string,
  result: EvaluationResult,
  methods: EvaluateOptions['methods'],
  io: Io,
  { fitOf, formatFit }: Library,
): Promise<string> {
  const fit = fitOf(result, methods ?? []);
  await writeText(file, `${JSON.stringify(fit.options, null, 2)}\n`, 'Name another file with --fit.');
  const what = fit.isRecommended ? 'recommended options' : 'options in use';
  await write(io.stderr, `Wrote ${printable(file)}, with the ${what}.\n`);
  return formatFit(fit, result.budgets);
}
