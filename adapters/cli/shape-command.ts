/** `context-shaping shape`: reads a retrieval result and writes the shaped context. */
import { createShaper, type ShapingResult } from '../../src/index.js';
import { formatReport, reportLines } from '../report/index.js';
import { fieldsAsWritten, readShapeRequest } from '../shape-request/index.js';
import { UsageError } from './errors.js';
import { inputName, readInput, saveTo } from './files.js';
import { applyFlags, type OptionFlags } from './flags.js';
import { EXCERPT, screenOf } from './screen.js';
import { type Io, type Output, printable, widthOf, write } from './terminal.js';

export const FORMATS = ['table', 'json', 'text', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

export interface ShapeFlags extends OptionFlags {
  query?: string;
  format?: Format;
  save?: string;
  verbose?: boolean;
}

export async function shapeCommand(file: string | undefined, flags: ShapeFlags, io: Io): Promise<void> {
  const save = await saveTo(flags.save, io);
  const { input, options, paths, flagOf } = await readShapeInput(file, flags, io);
  // A screen shows what texts say where they differ.
  const isScreen = flags.format === undefined && io.stdout.isTTY === true;
  const shown = isScreen ? { preview: EXCERPT, ...options } : options;
  let result: ShapingResult;
  try {
    result = await createShaper(shown).shape(input);
  } catch (error) {
    throw fieldsAsWritten(error, paths, flagOf);
  }
  await save({ query: input.query, chunks: input.chunks, options });
  if (!isScreen) return printResult(result, flags.format ?? 'json', io);
  const from = [`Found in ${printable(inputName(file))}.`];
  await write(io.stdout, `${await screenOf({ question: result.report.query, from, result }, flags, io)}\n`);
}

/** The input of a file or of standard input, with the options of the flags, and the names of fields in messages. */
export async function readShapeInput(file: string | undefined, flags: ShapeFlags, io: Io) {
  if (file === undefined && io.stdin.isTTY) {
    throw new UsageError(
      'There is no input. Name a JSON file, or pipe one in: context-shaping shape < input.json. ' +
        'context-shaping shape --help describes the input, and context-shaping demo shows the output.',
    );
  }
  if (flags.verbose) await write(io.stderr, `Reading ${inputName(file)}.\n`);
  const { value } = await readInput(file, io);
  const flag = { name: '--query', question: flags.query };
  const { query, chunks, options: written, paths } = readShapeRequest(value, flag);
  return { input: { query, chunks, signal: io.signal }, paths, ...applyFlags(written, flags) };
}

/** Writes a result in one of the formats. */
export async function printResult({ chunks, report }: ShapingResult, format: Format, io: Io): Promise<void> {
  if (format === 'text') {
    // This format has no report, so degradations go to standard error.
    for (const { stage, message } of report.degradations)
      await write(io.stderr, `${stage}: ${printable(message)}\n`);
  }
  const text = {
    table: () => formatReport(report, { width: widthOf(io.stdout) }),
    json: () => JSON.stringify({ chunks, report }),
    jsonl: () => reportLines(report).join('\n'),
    text: () => shown(chunks.map((chunk) => chunk.text).join('\n\n'), io.stdout),
  }[format]();
  if (text !== '') await write(io.stdout, `${text}\n`);
}

/** A pipe gets the unchanged texts; a terminal would obey control characters in them. */
const shown = (text: string, stream: Output) => (stream.isTTY ? printable(text) : text);
