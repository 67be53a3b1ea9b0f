/** Reads reports back from a log of the lines of `reportLines`, the lines of each report together. */

import type { ShapingReport } from 'context-shaping';
import { isObject, type JsonObject, parseJson, readOwn } from 'context-shaping/kit';

/** The list of the report that each event is an entry of. */
const LISTS: Readonly<Record<string, string>> = {
  kept: 'kept',
  evicted: 'evicted',
  conflict: 'conflicts',
  flagged: 'flags',
  support: 'support',
  degradation: 'degradations',
};

export interface LoggedReports {
  /** In the order in which they were written. */
  reports: ShapingReport[];
  /** Number of lines that are no part of a complete report, for instance because the disk was full. */
  unreadable: number;
}

/** @throws the error of the file system; the reason of the signal. */
export async function readReports(file: string, signal: AbortSignal): Promise<LoggedReports> {
  const reports: ShapingReport[] = [];
  let unreadable = 0;
  let open: { first: JsonObject; lists: Record<string, JsonObject[]>; lines: number } | undefined;
  const close = () => {
    const report = open && whole(open.first, open.lists);
    if (report !== undefined) reports.push(report);
    else unreadable += open?.lines ?? 0;
    open = undefined;
  };
  for (const line of (await readOwn(file, signal)).split('\n')) {
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
  return isWhole ? ({ ...rest, input, ...lists } as unknown as ShapingReport) : undefined;
}
