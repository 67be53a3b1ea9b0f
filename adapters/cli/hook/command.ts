/**
 * `context-shaping hook`: shapes the output of a tool on its way to a model. After any error the output passes as it was,
 * and the program ends with success: a hook never fails a tool.
 *
 * It starts with each call of a tool, and most outputs are small and pass. So this file imports nothing that only a large
 * output needs.
 */
import { readFile, stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { toolTest } from '../../tool-calls/index.js';
import type { Io } from '../terminal.js';
import { eventOf, type HookEvent, noted, type Output, type OutputContent, outputOf } from './event.js';
import { type HookFlags, Passes } from './flags.js';

/** Most bytes of an output that is shaped. */
const MOST_BYTES = 2 ** 24;

/** Tokens of the words around a handle and of the handle, at most. */
const RECALL_TOKENS = 40;

/**
 * Reads an event or an output, and writes the answer or the output.
 *
 * @param flags throws if the flags are wrong.
 */
export async function hookCommand(flags: () => HookFlags, io: Io): Promise<void> {
  const given = await read(io);
  let event: HookEvent | undefined;
  let answer: string | undefined;
  try {
    io.signal.throwIfAborted();
    const text = textOf(given);
    event = eventOf(text);
    const output = event === undefined ? filtered(text) : outputOf(event);
    answer = output && (await shaped(output, flags(), io.signal));
  } catch (error) {
    const reason = io.signal.aborted ? 'the program was interrupted' : await reasonOf(error);
    await write(io.stderr, `context-shaping hook: The output passes as it is: ${reason}.\n`);
  }
  // Without an answer to an event, the host shows the output as it was.
  await write(io.stdout, answer ?? (event === undefined ? given : ''));
}

/** The bytes before the end, an error or an interrupt. */
async function read({ stdin, signal }: Io): Promise<Buffer> {
  const parts: Buffer[] = [];
  try {
    for await (const part of addAbortSignal(signal, stdin as Readable)) parts.push(Buffer.from(part));
  } catch {}
  return Buffer.concat(parts);
}

/** @throws Passes if the bytes are no text. */
function textOf(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Passes('it is no text in UTF-8');
  }
  if (text.includes('\0')) throw new Passes('it is binary');
  return text;
}

const filtered = (content: string): Output => ({
  content,
  write: (...now) => `${noted(...now)}\n`,
});

/** The answer, or the text, of a shaped output. Undefined: the output passes as it is. */
async function shaped(output: Output, flags: HookFlags, signal: AbortSignal): Promise<string | undefined> {
  const { tool, file } = output;
  const { maxTokens, minTokens, kind, query, keep, store } = flags;
  if (tool !== undefined && !toolTest(flags)(tool)) return undefined;
  const content = file === undefined ? output.content : await wholeIn(file);
  // A token has at least one byte, so a smaller output has no more tokens.
  const bytes = sizeOf(content);
  if (bytes <= Math.max(minTokens, maxTokens)) return undefined;
  if (bytes > MOST_BYTES) throw new Passes(`it has more than ${MOST_BYTES} bytes`);
  const { shapeToolResult } = await import('../../tool-results/index.js');
  const result = await shapeToolResult({
    // The end of the last line would be an empty line.
    content: typeof content === 'string' ? content.replace(/(?<!\n)\n+$/, '') : content,
    maxTokens: store === undefined ? maxTokens : Math.max(1, maxTokens - RECALL_TOKENS),
    kind: kind as never,
    query,
    keep: keep as never,
    tool,
    arguments: output.arguments,
    signal,
  });
  const { tokens, blocks, kind: is } = result.report;
  // The beginning of one long block counts as something; the brackets around left-out data do not.
  const isEmpty = is === 'json' || !textsOf(result.content).some((text) => /[\p{L}\p{N}]/u.test(text));
  if (blocks.sent === 0 && isEmpty) throw new Passes('nothing of it would stay');
  if (tokens.given <= Math.max(minTokens, maxTokens) || tokens.sent >= tokens.given) return undefined;
  const recall = store === undefined ? '' : ` [Whole: ${await keptIn(store, content)}]`;
  return output.write(result.content, `${result.note}${recall}`);
}

const textsOf = (content: OutputContent): string[] =>
  typeof content === 'string'
    ? [content]
    : content.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));

const sizeOf = (content: OutputContent): number =>
  textsOf(content).reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** @throws Passes if the file cannot be read as a text. */
async function wholeIn(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new Passes('the file with the whole of it is missing');
  if (found.size > MOST_BYTES) throw new Passes(`it has more than ${MOST_BYTES} bytes`);
  return textOf(await readFile(file));
}

/** Keeps an output, and returns the call that reads it. @throws Passes if the folder cannot be used. */
async function keptIn(folder: string, content: OutputContent): Promise<string> {
  const { keepOutput, RECALL_OUTPUT_TOOL } = await import('../../output-store/index.js');
  try {
    return `${RECALL_OUTPUT_TOOL} ${await keepOutput(folder, textsOf(content).join('\n\n'))}`;
  } catch (error) {
    throw new Passes(`the folder of --store cannot be used: ${await reasonOf(error)}`);
  }
}

/** The reason why an output passes, without its text: the messages of most errors quote some of it. */
async function reasonOf(error: unknown): Promise<string> {
  if (error instanceof Passes) return error.message;
  const { ContextShapingError } = await import('../../../src/index.js');
  if (ContextShapingError.isInstance(error)) return `${error.field} ${error.problem}`;
  const { reasonOf: inWords } = await import('../files.js');
  const { name = 'error', code } = error as NodeJS.ErrnoException;
  return inWords(error) ?? `${name}${typeof code === 'string' ? ` ${code}` : ''}`;
}

/** Resolves when the stream has taken it, or has closed. */
const write = (stream: NodeJS.WritableStream, data: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    if (data.length === 0) resolve();
    else stream.write(data, () => resolve());
  });
