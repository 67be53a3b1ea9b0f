/** `context-shaping calibrate`: measures whether a model's utilities may outrank relevance, and writes a profile. */
import type { CalibrationProfile, LabelledQuestion } from '../logprobs/index.js';
import { type MeasuredOptions, readMeasuredOptions } from './calibrate-options.js';
import { calibrationPage } from './calibrate-page.js';
import { UsageError } from './errors.js';
import { checkWritable, writeText } from './files.js';
import { readLabelled } from './labelled-file.js';
import { fieldsAsFlags, type ModelFlags, openModel } from './open-model.js';
import { type Io, printable, startProgress, write } from './terminal.js';

export const METHODS = ['answer', 'expected-utility', 'judge', 'trajectory'] as const;

type Method = (typeof METHODS)[number];

export interface CalibrateFlags extends ModelFlags {
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
  const { questions, unanswered } = await readLabelled(data, io.signal);
  const noAnswer = unanswered === undefined ? undefined : `line ${unanswered} of ${data} has none`;
  if (wanted?.includes('answer') && noAnswer) {
    throw new UsageError(`--method answer requires an answer for every question; ${noAnswer}.`);
  }
  const methods = [...new Set(wanted ?? METHODS.filter((each) => each !== 'answer' || !noAnswer))];
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
    !wanted && noAnswer
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
  const { model, close } = await openModel(flags, io);
  try {
    // Reports a server that does not answer at once, not after all questions.
    const name = await model.identify({ signal });
    if (flags.verbose) await write(io.stderr, `Asking ${printable(name)}.\n`);
    const label = methods.length === 1 ? 'Questions' : `Questions by ${methods.length} methods`;
    const progress = await startProgress(io, label, data.length * methods.length);
    const onProgress = () => progress.step();
    return await calibrate({
      data,
      ecs: { ...ecs, model },
      shaping,
      methods,
      onProgress,
      signal,
    }).finally(progress.stop);
  } catch (error) {
    throw fieldsAsFlags(error, flags, io.env);
  } finally {
    await close();
  }
}
