/** The measured cases of an evaluation on disk, one line each, so that an interrupted one goes on. */
import { createHash } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { invalidInput, isObject, LIBRARY, messageOf } from '../../src/internal.js';
import { ifPresent, openOwn, readOwn, writeOwn } from '../own-file/index.js';
import type { CaseRecord, Plan } from './measure.js';
import type { EvaluationCase } from './types.js';

export interface Checkpoint {
  /** The measurement of a case that was measured before, unless the case has changed. */
  recordOf(number: number, given: EvaluationCase): CaseRecord | undefined;
  add(number: number, given: EvaluationCase, record: CaseRecord): Promise<void>;
  close(): Promise<void>;
  /** After the evaluation. */
  remove(): Promise<void>;
}

interface Line {
  number: number;
  digest: string;
  record: CaseRecord;
}

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Opens a checkpoint.
 *
 * @param resume false: it is begun anew.
 * @throws ContextShapingError `invalid-input`, if it is one of other options, budgets or another release, or cannot be
 *   written.
 */
export async function openCheckpoint(path: string, plan: Plan, resume: boolean): Promise<Checkpoint> {
  const key = digestOf({ version: 1, library: LIBRARY.version, plan });
  const lines = resume ? await linesOf(path, key) : [];
  const known = new Map(lines.map((line) => [line.number, line]));
  const header = JSON.stringify({ key });
  try {
    // A line that was being written when the process ended goes. The file that is there stays until the new one is whole.
    await writeOwn(`${path}.new`, [header, ...lines.map((line) => JSON.stringify(line)), ''].join('\n'));
    await rename(`${path}.new`, path);
  } catch (cause) {
    const remedy = 'Name a file in a folder that can be written.';
    throw invalidInput('checkpoint', path, `cannot be written: ${messageOf(cause)}`, remedy, cause);
  }
  const handle = await openOwn(path, 'a');
  return {
    recordOf(number, given) {
      const line = known.get(number);
      return line?.digest === digestOf(given) ? line.record : undefined;
    },
    async add(number, given, record) {
      const line: Line = { number, digest: digestOf(given), record };
      await handle.appendFile(`${JSON.stringify(line)}\n`);
    },
    close: () => handle.close(),
    remove: () => rm(path, { force: true }),
  };
}

async function linesOf(path: string, key: string): Promise<Line[]> {
  const text = await ifPresent(readOwn(path));
  if (text === undefined) return [];
  const [header, ...lines] = text.split('\n').flatMap((line) => parsed(line));
  if (header?.key === key) return lines as unknown as Line[];
  throw invalidInput(
    'checkpoint',
    path,
    'is of other options, budgets or another release',
    'Give the options with which it was begun, or begin anew without resume.',
  );
}

/** Nothing for a line that is not whole. */
function parsed(line: string): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? [value] : [];
  } catch {
    return [];
  }
}
