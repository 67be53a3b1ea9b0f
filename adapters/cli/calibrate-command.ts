/** `context-shaping calibrate`: measures whether a model's utilities may outrank relevance, and writes a profile. */
import type { CalibrationProfile, LabelledQuestion } from '../logprobs/index.js';
import { type MeasuredOptions, readMeasuredOptions } from './calibrate-options.js';
import { calibrationPage } from './calibrate-page.js';
import { UsageError } from './errors.js';
import { checkWritable, writeText } from './files.js';
import { readLabelled } from './labelled-file.js';
import { fieldsAsFlags, type ModelFlags, openModel } from './open-model.js';
import { keyAsVariable, openReranker, type RerankerFlags } from './open-reranker.js';
import { type Io, printable, startProgress, write } from './terminal.js';

export const METHODS = ['answer', 'expected-utility', 'judge', 'trajectory'] as const;

type Method = (typeof METHODS)[number];

export interface CalibrateFlags extends ModelFlags, RerankerFlags {
  data: string;
  to: string;
  method?: Method[];
  share?: number;
  maxCandidates?: number;
  embedder?: string;
  prompt?: string;
  options?: string;
  verbose?: boolean;
}

const STANDARD_OUTPUT = '-';

export async function calibrateCommand(flags: CalibrateFlags, io: Io): Promise<void> {
  const { data, to, method: wanted } = flags;
  checkReranker(flags);
  const { questions, unanswered } = await readLabelled(data, io.signal);
  const noAnswer = unanswered === undefined ? undefined : `line ${unanswered} of ${data} has none`;
  if (wanted?.includes('answer') && noAnswer) {
    throw new UsageError(`--method answer requires an answer for every question; ${noAnswer}.`);
  }
  const possible: readonly Method[] = flags.reranker === undefined ? METHODS : ['judge'];
  const methods = [...new Set(wanted ?? possible.filter((each) => each !== 'answer' || !noAnswer))];
  if (to !== STANDARD_OUTPUT) await checkWritable(to, 'Name another file with --to.');
  const options = await readMeasuredOptions(flags, io.signal);
  const profile = await measured({ data: questions, methods, options }, flags, io);
  const json = `${JSON.stringify(profile, null, 2)}\n`;
  if (to === STANDARD_OUTPUT) return write(io.stdout, json);
  try {
    await writeText(to, json, 'The profile is on standard output instead.');
  } catch (error) {
    // Measuring the profile may have taken hours.
    await write(io.stdout, json);
    throw error;
  }
  const notMeasured =
    !wanted && noAnswer && possible.includes('answer')
      ? `The method answer was not measured: it requires an answer for every question, and ${noAnswer}.`
      : undefined;
  await write(io.stdout, printable(calibrationPage(profile, to, notMeasured)));
}

async function measured(
  {
    data,
    methods,
    options: { ecs, shaping },
  }: { data: readonly LabelledQuestion[]; methods: readonly Method[]; options: MeasuredOptions },
  flags: CalibrateFlags,
  io: Io,
): Promise<CalibrationProfile> {
  const { signal } = io;
  const { calibrate } = await import('../logprobs/index.js');
  const { asked, own, close } = await open(flags, io);
  try {
    // Reports a server that does not answer at once, not after all questions.
    const name = await asked.identify({ signal });
    if (flags.verbose) await write(io.stderr, `Asking ${printable(name)}.\n`);
    const label = methods.length === 1 ? 'Questions' : `Questions by ${methods.length} methods`;
    const progress = await startProgress(io, label, data.length * methods.length);
    const onProgress = () => progress.step();
    return await calibrate({
      data,
      ecs: { ...ecs, ...own },
      shaping,
      methods,
      onProgress,
      signal,
    }).finally(progress.stop);
  } catch (error) {
    throw fieldsAsFlags(flags.reranker === undefined ? error : keyAsVariable(error), flags, io.env);
  } finally {
    await close();
  }
}

/** The model or the reranker of the flags, and the options of ecs that name it. */
async function open(flags: CalibrateFlags, io: Io) {
  const { reranker } = flags;
  if (reranker === undefined) {
    const { model, close } = await openModel(flags, io);
    return { asked: model, own: { model }, close };
  }
  try {
    const judge = await openReranker(reranker, flags, io.env);
    return { asked: judge, own: { judge }, close: async () => {} };
  } catch (error) {
    throw fieldsAsFlags(keyAsVariable(error), flags, io.env);
  }
}

/** @throws UsageError if a flag does not go with --reranker. */
function checkReranker({ reranker, provider, method }: CalibrateFlags): void {
  if (reranker === undefined) return;
  if (provider !== undefined) throw new UsageError('Give either --reranker or --provider.');
  const other = method?.find((each) => each !== 'judge');
  if (other !== undefined)
    throw new UsageError(`--reranker is a judge, so it cannot be measured with --method ${other}.`);
}
