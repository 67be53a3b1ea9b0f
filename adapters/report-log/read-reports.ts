/** Reads reports back from a log that `reportLog` wrote. */
import { resolve } from 'node:path';
import type { ShapingReport } from '../../src/index.js';
import { invalidInput, isObject, type JsonObject, parseJson, REPORT_VERSION } from '../../src/internal.js';
import { ifPresent, readOwn } from '../own-file/index.js';
import { numbersOf } from './rotate.js';

/** The list of the report that each event is an entry of. */
const LISTS: Readonly<Record<string, string>> = {
  kept: 'kept',
  evicted: 'evicted',
  conflict: 'conflicts',
  flagged: 'flags',
  support: 'support',
  degradation: 'degradations',
};

/** Reports of a log. */
export interface LoggedReports {
  /** In the order in which they were written. */
  reports: ShapingReport[];
  /** Number of lines that are no part of a complete report, for instance because the disk was full. */
  unreadable: number;
}

/**
 * Reads the last reports of a log, rotated files included. The log may be in use. Reports of version 1 are read without
 * their conflicts, which had another form.
 *
 * @param file the path that `reportLog` was given.
 * @param options `last`: the most reports to return, at least 1. Default 50.
 * @throws the error of the file system; ContextShapingError `invalid-input` if `last` is wrong.
 */
export async function readReports(
  file: string,
  { last = 50, signal }: { last?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<LoggedReports> {
  if (!Number.isInteger(last) || last < 1)
    throw invalidInput('last', last, 'must be a whole number above 0', 'Leave it out for 50 reports.');
  const path = resolve(file);
  const found: LoggedReports = { reports: [], unreadable: 0 };
  const rotated = (await numbersOf(path)).sort((a, b) => b - a).map((number) => `${path}.${number}`);
  for (const each of [path, ...rotated]) {
    if (found.reports.length >= last) break;
    const reading = readOwn(each, signal);
    // The log may just have been rotated, or its oldest file deleted.
    const { reports, unreadable } = parse((await (rotated.length > 0 ? ifPresent(reading) : reading)) ?? '');
    found.reports.unshift(...reports);
    found.unreadable += unreadable;
  }
  return { ...found, reports: found.reports.slice(-last) };
}

/** The lines of a report follow each other, because each report is one append. */
function parse(text: string): LoggedReports {
  const reports: ShapingReport[] = [];
  let unreadable = 0;
  let open: { first: JsonObject; lists: Record<string, JsonObject[]>; lines: number } | undefined;
  const close = () => {
    const report = open && whole(open.first, open.lists);
    if (report !== undefined) reports.push(report);
    else unreadable += open?.lines ?? 0;
    open = undefined;
  };
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const parsed = parseJson(line);
    const entry = isObject(parsed) ? parsed : {};
    const list = LISTS[String(entry.event)];
    if (entry.event === 'shaped') {
      close();
      const lists = Object.fromEntries(Object.values(LISTS).map((name) => [name, []]));
      open = { first: entry, lists, lines: 1 };
    } else if (open !== undefined && list !== undefined && entry.digest === open.first.digest) {
      const { event: _, digest: __, ...rest } = entry;
      open.lists[list]?.push(rest);
      open.lines += 1;
    } else unreadable += 1;
  }
  close();
  return { reports, unreadable };
}

/** The report, if it has as many kept and evicted chunks as its first line says. */
function whole(first: JsonObject, lists: Record<string, JsonObject[]>): ShapingReport | undefined {
  const { event: _, chunks, kept, evicted, ...rest } = first;
  const input: unknown[] = [];
  for (const { index, id } of [...(lists.kept ?? []), ...(lists.evicted ?? [])]) input[index as number] = id;
  const isWhole = lists.kept?.length === kept && lists.evicted?.length === evicted && input.length === chunks;
  const older = rest.version === 1 && { version: REPORT_VERSION, conflicts: [] };
  return isWhole ? ({ ...rest, input, ...lists, ...older } as unknown as ShapingReport) : undefined;
}
