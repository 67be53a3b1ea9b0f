/** `context-shaping-devtools calibrate`: measures whether a model's utilities may outrank relevance, and writes a profile. */
import { ContextShapingError, createShaper, type ShapingOptions } from 'context-shaping';
import {
  checkWritable,
  type Io,
  printable,
  startProgress,
  UsageError,
  write,
  writeText,
} from 'context-shaping/cli';
import type { CalibrateOptions, CalibrationProfile } from '../calibrate/index.js';
import { calibrationPage } from './calibrate-page.js';
import { readLabelled } from './labelled-file.js';
import { loadSetup } from './load-setup.js';

export const METHODS = ['answer', 'expected-utility', 'judge', 'trajectory'] as const;

type Method = (typeof METHODS)[number];

export interface CalibrateFlags {
  setup: string;
  data: string;
  to: string;
  method?: Method[];
  verbose?: boolean;
}

const STANDARD_OUTPUT = '-';

export async function calibrateCommand(flags: CalibrateFlags, io: Io): Promise<void> {
  const { data, to, setup, method: wanted } = flags;
  const { questions, unanswered } = await readLabelled(data, io.signal);
  const noAnswer = unanswered === undefined ? undefined : `line ${unanswered} of ${data} has none`;
  if (wanted?.includes('answer') && noAnswer) {
    throw new UsageError(`--method answer requires an answer for every question; ${noAnswer}.`);
  }
  if (to !== STANDARD_OUTPUT) await checkWritable(to, 'Name another file with --to.');
  const options = await readSetup(setup);
  const possible: readonly Method[] = options.ecs.model === undefined ? ['judge'] : METHODS;
  const methods = [...new Set(wanted ?? possible.filter((each) => each !== 'answer' || !noAnswer))];
  const profile = await measured({ ...options, data: questions, methods }, flags, io);
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

/** The options of a shaper that change the measurement. Others are checked, and have no effect. */
async function readSetup(file: string): Promise<Pick<CalibrateOptions, 'ecs' | 'shaping'>> {
  const given = (await loadSetup(
    file,
    'options of a shaper as default, such as { ecs: { model } }',
  )) as ShapingOptions;
  try {
    createShaper(given);
  } catch (error) {
    throw named(error, (field) => `${file}: ${field}`);
  }
  const { embedder, ranked, relevance, tokenizer } = given;
  // The profile that is in use does not count in the measurement of the next one.
  const { trust: _, profile: __, withoutAnswer: ___, ...ecs } = given.ecs || {};
  if (ecs.model === undefined && ecs.judge === undefined)
    throw new UsageError(`${file} has neither ecs.model nor ecs.judge. Give the model to measure.`);
  return { ecs, shaping: { embedder, ranked, relevance, tokenizer } };
}

async function measured(
  options: CalibrateOptions & { methods: readonly Method[] },
  { data, setup, verbose }: CalibrateFlags,
  io: Io,
): Promise<CalibrationProfile> {
  const { signal } = io;
  const { ecs, methods } = options;
  const asked = ecs.model ?? ecs.judge;
  const { calibrate } = await import('../calibrate/index.js');
  try {
    // Reports a server that does not answer at once, not after all questions.
    const name = await asked?.identify({ signal });
    if (verbose) await write(io.stderr, `Asking ${printable(name ?? '')}.\n`);
    const label = methods.length === 1 ? 'Questions' : `Questions by ${methods.length} methods`;
    const progress = await startProgress(io, label, options.data.length * methods.length);
    const onProgress = () => progress.step();
    return await calibrate({ ...options, onProgress, signal }).finally(progress.stop);
  } catch (error) {
    const names: Record<string, string> = { data, methods: '--method' };
    throw named(error, (field) => names[field] ?? (field.startsWith('ecs.') ? `${setup}: ${field}` : field));
  } finally {
    // A model that runs in this process.
    await (asked as { dispose?: () => unknown } | undefined)?.dispose?.();
  }
}

const named = (error: unknown, nameOf: (field: string) => string): unknown =>
  ContextShapingError.isInstance(error) ? error.renamed(nameOf) : error;
