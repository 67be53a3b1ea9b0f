/** The subject of an explanation: a result, a session or a report, and a chunk of it. */
import type {
  ContextShapingError,
  Eviction,
  KeptEntry,
  ShapingReport,
  ShapingSession,
} from '../../src/index.js';
import { checkReportVersion, insideOf, invalidInput, isObject, sessionOf } from '../../src/internal.js';
import { Runs } from './runs.js';

/** By the result or the session, so that all explanations of one object share its runs. */
const runs = new WeakMap<object, Runs>();

/** The runs of a result of this process, or of a session. Undefined for anything else, such as a stored report. */
export function runsOf(of: object): Runs | undefined {
  const known = runs.get(of);
  if (known !== undefined) return known;
  const session = sessionOf(of);
  if (session === undefined && insideOf(of) === undefined) return undefined;
  const made = session === undefined ? new Runs(of as ShapingSession) : new Runs(session, reportIn(of));
  runs.set(of, made);
  return made;
}

/**
 * The report in a report, a result or a context lockfile.
 *
 * @throws ContextShapingError `invalid-input`, if there is none, or one of another version.
 */
export function reportIn(of: unknown): ShapingReport {
  const found = isObject(of) && isObject(of.report) ? of.report : of;
  const isReport =
    isObject(found) &&
    ['input', 'kept', 'evicted', 'degradations', 'flags', 'conflicts'].every((name) =>
      Array.isArray(found[name]),
    ) &&
    isObject(found.options);
  if (isReport) {
    checkReportVersion(found, 'report');
    return found as unknown as ShapingReport;
  }
  throw invalidInput(
    'of',
    of,
    'is no result, session or report',
    'Give what shaper.shape() or shaper.session() returned, or a report.',
  );
}

/** The ledger's entry of one chunk. */
export type Found = { readonly id: string; readonly index: number } & (
  | { readonly entry: KeptEntry; readonly eviction?: never }
  | { readonly eviction: Eviction; readonly entry?: never }
);

/**
 * The entry of a chunk, by its id or its place in the input. Chunks may share an id, and then share their text: the first
 * kept one is meant, else the first of the input.
 *
 * @throws ContextShapingError `invalid-input`, if there is none.
 */
export function chunkOf(report: ShapingReport, id: string | number): Found {
  const isIt = (each: { id: string; index: number }) =>
    typeof id === 'number' ? each.index === id : each.id === id;
  const entry = report.kept.filter(isIt).sort(byIndex)[0];
  if (entry !== undefined) return { id: entry.id, index: entry.index, entry };
  const eviction = report.evicted.filter(isIt).sort(byIndex)[0];
  if (eviction !== undefined) return { id: eviction.id, index: eviction.index, eviction };
  throw unknownChunk(report, id);
}

const byIndex = (a: { index: number }, b: { index: number }) => a.index - b.index;

function unknownChunk({ input }: ShapingReport, id: string | number): ContextShapingError {
  if (input.length === 0) {
    return invalidInput('id', id, 'is not a chunk, because the input has none', 'Give a run with chunks.');
  }
  if (typeof id === 'number') {
    return invalidInput(
      'id',
      id,
      'is not a place in the input',
      `Give a number from 0 to ${input.length - 1}.`,
    );
  }
  const remedy = `Chunks have ids such as ${JSON.stringify(input[0])}.`;
  return invalidInput('id', id, 'is not the id of a chunk of the input', remedy);
}
