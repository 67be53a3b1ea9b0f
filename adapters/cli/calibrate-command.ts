/** `context-shaping calibrate`: may a model's utilities outrank relevance? Measured, and written down. */
import { readFile, writeFile } from 'node:fs/promises';
import { messageOf } from '../../src/index.js';
import type { CalibrationProfile, LabelledQuestion, MethodFigures } from '../logprobs/index.js';
import { UsageError } from './failure.js';
import { parseJson } from './json.js';
import { type ModelFlags, openModel } from './open-model.js';
import { type Io, printable, startProgress, write } from './terminal.js';

export const METHODS = ['answer', 'expected-utility', 'judge', 'trajectory'] as const;

export interface CalibrateFlags extends ModelFlags {
  data: string;
  to: string;
  method?: (typeof METHODS)[number][];
  verbose?: boolean;
}

export async function calibrateCommand(flags: CalibrateFlags, io: Io): Promise<void> {
  // Not before: the other commands do without.
  const { calibrate } = await import('../logprobs/index.js');
  const data = await readQuestions(flags.data, io);
  const { model, close } = await openModel(flags, io.env);
  let profile: CalibrationProfile;
  const progress = await startProgress(io, 'Asking the model', data.length);
  try {
    let shown = 0;
    profile = await calibrate({
      data,
      ecs: { model },
      methods: flags.method,
      onProgress: (done, total) => {
        const now = Math.floor((done * data.length) / total);
        progress.step(now - shown);
        shown = now;
      },
      signal: io.signal,
    });
  } finally {
    progress.stop();
    await close();
  }
  const json = `${JSON.stringify(profile, null, 2)}\n`;
  if (flags.to === '-') return write(io.stdout, json);
  await save(flags.to, json);
  await write(io.stdout, page(profile, flags.to));
}

async function readQuestions(file: string, { signal }: Io): Promise<LabelledQuestion[]> {
  const { checkQuestion } = await import('../logprobs/index.js');
  let text: string;
  try {
    text = await readFile(file, { encoding: 'utf8', signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new UsageError(
      `Cannot read ${file}: ${messageOf(cause)}. Name a file with a question on each line.`,
      {
        cause,
      },
    );
  }
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line, place) => {
      if (line.trim() === '') return [];
      const name = `${file}, line ${place + 1}`;
      return [checkQuestion(parseJson(line, name), name)];
    });
}

async function save(file: string, json: string): Promise<void> {
  try {
    await writeFile(file, json);
  } catch (cause) {
    throw new UsageError(`Cannot write ${file}: ${messageOf(cause)}. Name another file with --to.`, {
      cause,
    });
  }
}

function page(profile: CalibrationProfile, file: string): string {
  const { model, questions, passages, methods } = profile;
  const lines = Object.entries(methods).map(([name, figures]) => row(name, figures));
  const winners = Object.keys(methods).filter((name) => methods[name]?.wins);
  const verdict =
    winners.length === 0
      ? 'No method ranks better than relevance with this model, by more than chance: ecs will leave relevance as it is.'
      : `Trusted: ${winners.join(', ')}. Give the file as ecs.profile.`;
  const header = [
    'method',
    'trust',
    'ecs',
    'relevance',
    'bm25',
    'gain',
    '95 %',
    'requests',
    'tokens',
    'cached',
  ];
  return printable(
    [
      `${model}`,
      `${questions} questions, ${passages} passages; AUC, then F1 at k`,
      '',
      ...aligned([header, ...lines]),
      '',
      `${verdict} Written to ${file}.`,
      '',
    ].join('\n'),
  );
}

const figure = (value: number) => value.toFixed(3).replace(/^(-?)0\./, '$1.');

function row(
  name: string,
  { wins, ecs, relevance, bm25, gainOverRelevance: gain, cost }: MethodFigures,
): string[] {
  const pair = (each: { auc: number; f1AtK: number }) => `${figure(each.auc)} ${figure(each.f1AtK)}`;
  return [
    name,
    wins ? 'yes' : 'no',
    pair(ecs),
    pair(relevance),
    pair(bm25),
    figure(gain.mean),
    `${figure(gain.low)}..${figure(gain.high)}`,
    cost.requestsPerQuestion.toFixed(1),
    cost.tokensPerQuestion === null ? '–' : cost.tokensPerQuestion.toFixed(0),
    cost.cachedShare === null ? '–' : `${(100 * cost.cachedShare).toFixed(0)} %`,
  ];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => (cells[column] ?? '').length)),
  );
  return rows.map((cells) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] as number)).join('  ')}`.trimEnd(),
  );
}
