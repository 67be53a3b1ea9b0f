/** `context-shaping calibrate`: may a model's utilities outrank relevance? Measured, and written down. */
import type { CalibrationProfile, LabelledQuestion } from '../logprobs/index.js';
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
  verbose?: boolean;
}

const STANDARD_OUTPUT = '-';

export async function calibrateCommand(flags: CalibrateFlags, io: Io): Promise<void> {
  const { data, to, method: wanted } = flags;
  const { questions, unanswered } = await readLabelled(data, io.signal);
  const noAnswer = unanswered === undefined ? undefined : `${data}, line ${unanswered} has none`;
  if (wanted?.includes('answer') && noAnswer) {
    throw new UsageError(`--method answer needs an answer to every question, and ${noAnswer}.`);
  }
  const methods = [...new Set(wanted ?? METHODS.filter((each) => each !== 'answer' || !noAnswer))];
  if (to !== STANDARD_OUTPUT) await checkWritable(to, 'Name another file with --to.');
  const profile = await measured(questions, methods, flags, io);
  const json = `${JSON.stringify(profile, null, 2)}\n`;
  if (to === STANDARD_OUTPUT) return write(io.stdout, json);
  try {
    await writeText(to, json, 'The profile is on standard output instead.');
  } catch (error) {
    // It may have taken hours to make.
    await write(io.stdout, json);
    throw error;
  }
  const notMeasured = !wanted && noAnswer ? `Not measured: answer, for ${noAnswer}.` : undefined;
  await write(io.stdout, printable(calibrationPage(profile, to, notMeasured)));
}

async function measured(
  data: readonly LabelledQuestion[],
  methods: readonly Method[],
  flags: CalibrateFlags,
  io: Io,
): Promise<CalibrationProfile> {
  const { signal } = io;
  const { calibrate } = await import('../logprobs/index.js');
  const { model, close } = await openModel(flags, io);
  try {
    // A server that does not answer is told of at once, not after all questions.
    const name = await model.identify({ signal });
    if (flags.verbose) await write(io.stderr, `Asking ${printable(name)}.\n`);
    const label = methods.length === 1 ? 'Questions' : `Questions by ${methods.length} methods`;
    const progress = await startProgress(io, label, data.length * methods.length);
    const onProgress = () => progress.step();
    return await calibrate({ data, ecs: { model }, methods, onProgress, signal }).finally(progress.stop);
  } catch (error) {
    throw fieldsAsFlags(error, flags, io.env);
  } finally {
    await close();
  }
}
