/**
 * LogDx: logs of failed runs of continuous integration, with the signals that name the cause. Signals are `critical`,
 * `important` or `optional`.
 *
 * Source: the LogDx benchmark, development cases.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { readJson } from './files.js';

const truth = z.object({
  required_signals: z.array(
    z.object({
      importance: z.string(),
      value: z.optional(z.string()),
      file: z.optional(z.string()),
      aliases: z.optional(z.array(z.string())),
    }),
  ),
});

export interface FailedRun {
  id: string;
  log: string;
  /** The texts of each critical signal: one of them must be kept. */
  signals: readonly (readonly string[])[];
}

/** Undefined if the data is not there. Runs without a critical signal are skipped. */
export function loadLogDx(dataDir: string): FailedRun[] | undefined {
  const folder = join(dataDir, 'logdx');
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .toSorted()
    .flatMap((id): FailedRun[] => {
      const file = join(folder, id, 'raw.log.gz');
      if (!existsSync(file)) return [];
      const { required_signals: all } = readJson(join(folder, id, 'ground_truth.json'), truth);
      const critical = all.filter(({ importance }) => importance === 'critical');
      const signals = critical.map(({ value, file: path, aliases = [] }) =>
        [value, path, ...aliases].filter((text) => text !== undefined),
      );
      return signals.length === 0
        ? []
        : [{ id, log: gunzipSync(readFileSync(file)).toString('utf8'), signals }];
    });
}
