/** `context-shaping-devtools inspect`: writes a page that shows what became of each chunk. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { createShaper, type ShapingReport } from 'context-shaping';
import {
  checkWritable,
  demoPool,
  exitCodesHelp,
  type Io,
  printable,
  readInput,
  UsageError,
  write,
  writeText,
} from 'context-shaping/cli';
import { fieldsAsWritten, isObject, readShapeRequest } from 'context-shaping/kit';
import type { InspectorRun } from '../inspector/index.js';
import { parseLockfile, recordContext } from '../lockfile/index.js';

const DEFAULT_PAGE = 'context-inspector.html';

interface InspectFlags {
  demo?: boolean;
  to: string;
  verbose?: boolean;
}

const STANDARD_OUTPUT = '-';
const OTHER_FILE = 'Name another file with --to.';

async function inspectCommand(files: readonly string[], flags: InspectFlags, io: Io): Promise<void> {
  const { demo, to } = flags;
  if (files.length > 0 === (demo === true)) throw new UsageError('Give files, or --demo.');
  if (to !== STANDARD_OUTPUT) await checkWritable(to, OTHER_FILE);
  const runs = demo === true ? await demoRuns(io) : await runsOfFiles(files, flags, io);
  const { inspectorPage } = await import('../inspector/index.js');
  const page = inspectorPage(runs);
  if (to === STANDARD_OUTPUT) return write(io.stdout, page);
  await writeText(to, page, OTHER_FILE);
  const count = `${runs.length} run${runs.length === 1 ? '' : 's'}`;
  const address = pathToFileURL(resolve(to)).href;
  await write(io.stdout, `${printable(to)} has ${count}. Open it in a browser: ${address}\n`);
}

async function runsOfFiles(
  files: readonly string[],
  { verbose }: InspectFlags,
  io: Io,
): Promise<InspectorRun[]> {
  const runs: InspectorRun[] = [];
  for (const file of files) {
    if (verbose) await write(io.stderr, `Reading ${file}.\n`);
    const { value, name } = await readInput(file, io);
    runs.push({ ...(await runOf(value, name, io.signal)), origin: name });
  }
  return runs;
}

/** A recorded context, a result, a report, or the input of `context-shaping shape`, which is shaped and recorded first. */
async function runOf(value: unknown, name: string, signal: AbortSignal): Promise<InspectorRun> {
  if (!isObject(value)) throw nothingToShow(name);
  if ('lockfileVersion' in value) {
    const lockfile = parseLockfile(value);
    return { lockfile, report: lockfile.report };
  }
  const report = 'report' in value ? value.report : value;
  if (isReport(report)) return { report };
  if (!('chunks' in value) || 'report' in value) throw nothingToShow(name);
  const { query, chunks, options, paths } = readShapeRequest(value);
  try {
    const lockfile = await recordContext(createShaper(options).session({ query, chunks }), { signal });
    return { lockfile, report: lockfile.report };
  } catch (error) {
    throw fieldsAsWritten(error, paths);
  }
}

const isReport = (value: unknown): value is ShapingReport =>
  isObject(value) &&
  typeof value.query === 'string' &&
  [value.input, value.kept, value.evicted, value.stages].every(Array.isArray);

const nothingToShow = (name: string) =>
  new UsageError(
    `${name} is none of these: a recorded context, a report, a result { chunks, report }, the input of context-shaping shape.`,
  );

/** Two budgets, so that there is something to compare. */
const DEMO_BUDGETS = [1500, 600];
/** The most characters of a statement that differs from another one. */
const EXCERPT = 120;

async function demoRuns(io: Io): Promise<InspectorRun[]> {
  const { question, chunks, options } = await demoPool(io);
  const runs: InspectorRun[] = [];
  for (const maxTokens of DEMO_BUDGETS) {
    const session = createShaper({ ...options, budget: { maxTokens }, preview: EXCERPT }).session({
      query: question,
      chunks,
    });
    const lockfile = await recordContext(session, { signal: io.signal });
    runs.push({
      name: `${question} (${maxTokens} tokens)`,
      lockfile,
      report: lockfile.report,
      origin: 'demo',
    });
  }
  return runs;
}

const HELP = `
A FILE is one of these, as JSON; -: standard input
  a recorded context           with it, the page shows texts and shapes again in the browser
  the input of shape           it is shaped and recorded first
  { chunks, report }, a report the page has no texts

The page is one HTML file. It works from disk and makes no request. It has the questions, and the texts where they were
recorded: give it only to people who may read them.

Examples:
  $ context-shaping-devtools inspect retrieved.json
`;

export function addInspect(program: Command, io: Io): void {
  program
    .command('inspect')
    .summary('write a page that shows which chunks are kept, and why')
    .description('Writes a page that shows the way of each chunk, and shapes again with other limits.')
    .argument('[files...]', 'JSON files: recorded contexts, inputs of shape, results or reports')
    .option('--demo', 'show the demo')
    .option('--to <file>', 'file for the page; -: standard output', DEFAULT_PAGE)
    .addHelpText('after', HELP + exitCodesHelp)
    .action((files: string[], _flags, command: Command) =>
      inspectCommand(files, command.optsWithGlobals<InspectFlags>(), io),
    );
}
