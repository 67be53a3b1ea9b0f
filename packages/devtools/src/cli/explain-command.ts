/** `context-shaping-devtools explain`: says what became of chunks, and what would change it. */
import { ContextShapingError, createShaper, type ShapingReport, type ShapingSession } from 'context-shaping';
import {
  applyFlags,
  FLAGS,
  type Io,
  type OptionFlags,
  printable,
  readInput,
  startProgress,
  UsageError,
  widthOf,
  write,
} from 'context-shaping/cli';
import { type Explanation, explain, formatExplanation } from 'context-shaping/explain';
import { fieldsAsWritten, isObject, readShapeRequest } from 'context-shaping/kit';
import { openLockfile, parseLockfile } from '../lockfile/index.js';

export const EXPLAIN_FORMATS = ['text', 'json'] as const;

export interface ExplainFlags extends OptionFlags {
  query?: string;
  format?: (typeof EXPLAIN_FORMATS)[number];
}

/** A report without texts, or a session, in which everything can be run. */
type Subject = ShapingReport | ShapingSession;

export async function explainCommand(
  file: string,
  ids: readonly string[],
  flags: ExplainFlags,
  io: Io,
): Promise<void> {
  const { value: body, name } = await readInput(file, io);
  const explanations = await asWritten(body, name, flags, (subject) => explainAll(subject, ids, io));
  const asJson = flags.format === 'json';
  const width = widthOf(io.stdout);
  const brief = ids.length === 0;
  const texts = explanations.map((each) => formatExplanation(each, { width, brief, flags: FLAGS }));
  const text = asJson
    ? JSON.stringify(explanations)
    : texts.join(brief ? '\n' : '\n\n') || 'No chunk was evicted.';
  await write(io.stdout, `${asJson ? text : printable(text)}\n`);
}

/** Runs a task on the content of the file. An error names fields as the file has them. */
async function asWritten<T>(
  body: unknown,
  name: string,
  flags: ExplainFlags,
  task: (subject: Subject) => Promise<T>,
): Promise<T> {
  const recorded = recordedIn(body, name, flags);
  if (recorded !== undefined) return task(recorded);
  const {
    query,
    chunks,
    options: written,
    paths,
  } = readShapeRequest(body, {
    name: '--query',
    question: flags.query,
  });
  const { options, flagOf } = applyFlags(written, flags);
  try {
    return await task(createShaper(options).session({ query, chunks }));
  } catch (error) {
    if (ContextShapingError.isInstance(error) && error.field === 'id') throw error.renamed(() => 'ID');
    throw fieldsAsWritten(error, paths, flagOf);
  }
}

/** The session of a context lockfile; else the report of a result, or a report. */
function recordedIn(body: unknown, name: string, { query, ...flags }: ExplainFlags): Subject | undefined {
  if (!isObject(body)) return undefined;
  const lockfile = 'lockfileVersion' in body ? parseLockfile(body) : undefined;
  const report = lockfile?.report ?? body.report ?? body;
  if (!isObject(report) || !Array.isArray(report.kept)) return undefined;
  const { options, flagOf } = applyFlags({}, flags);
  const idle =
    query !== undefined ? '--query' : lockfile === undefined ? flagOf.values().next().value : undefined;
  if (idle !== undefined) {
    const why = lockfile ? 'is a context lockfile, which has its question' : 'has no texts to shape again';
    throw new UsageError(`${idle} has no effect: ${name} ${why}. Give the input of context-shaping shape.`);
  }
  return lockfile ? openLockfile(lockfile, { options }) : (report as unknown as ShapingReport);
}

/** The chunks with these ids; without ids, all evicted ones. */
async function explainAll(subject: Subject, ids: readonly string[], io: Io): Promise<Explanation[]> {
  const wanted: readonly (string | number)[] = ids.length > 0 ? ids : await evictedIn(subject, io.signal);
  const progress = await startProgress(io, 'Explaining', wanted.length);
  try {
    const explanations: Explanation[] = [];
    for (const id of wanted) {
      explanations.push(await explain(subject, id, { signal: io.signal }));
      progress.step();
    }
    return explanations;
  } finally {
    progress.stop();
  }
}

async function evictedIn(subject: Subject, signal: AbortSignal): Promise<number[]> {
  const { evicted } = 'at' in subject ? (await subject.at({}, { signal })).report : subject;
  return evicted.map(({ index }) => index);
}
