/**
 * `context-shaping-mcp hook`: shapes the output of a tool on its way to a model. After any error the output passes as it was,
 * and the program ends with success: a hook never fails a tool.
 *
 * It starts with each call of a tool, and most outputs are small and pass. So this file imports nothing that only a large
 * output needs.
 */
import { readFile, stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Io } from 'context-shaping/cli';
import { toolTest } from 'context-shaping-agents/tool-calls';
import { eventOf, type HookEvent, noted, type Output, type OutputContent, outputOf } from './event.js';
import { type HookFlags, Passes } from './flags.js';

/** Most bytes of an output that is shaped. */
const MOST_BYTES = 2 ** 24;

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
    await write(io.stderr, `context-shaping-mcp hook: The output passes as it is: ${reason}.\n`);
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
  const { write, file, ...call } = output;
  if (call.tool !== undefined && !toolTest(flags)(call.tool)) return undefined;
  const content = file === undefined ? call.content : await wholeIn(file);
  // A token has at least one byte, so a smaller output has no more tokens.
  const bytes = sizeOf(content);
  if (bytes <= Math.max(flags.minTokens, flags.maxTokens)) return undefined;
  if (bytes > MOST_BYTES) throw new Passes(`it has more than ${MOST_BYTES} bytes`);
  const { shapedInTime } = await import('./in-time.js');
  const now = await shapedInTime({ ...call, content, flags }, signal);
  return now && write(now.content, now.note);
}

/** Most reasons need no more than these files. */
const reasonOf = async (error: unknown): Promise<string> =>
  error instanceof Passes ? error.message : (await import('./shape-output.js')).reasonOf(error);

const sizeOf = (content: OutputContent): number =>
  Buffer.byteLength(typeof content === 'string' ? content : JSON.stringify(content));

/** @throws Passes if the file cannot be read as a text. */
async function wholeIn(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new Passes('the file with the whole of it is missing');
  if (found.size > MOST_BYTES) throw new Passes(`it has more than ${MOST_BYTES} bytes`);
  return textOf(await readFile(file));
}

/** Resolves when the stream has taken it, or has closed. */
const write = (stream: NodeJS.WritableStream, data: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    if (data.length === 0) resolve();
    else stream.write(data, () => resolve());
  });
