/**
 * Transports over standard streams: one message a line. Those of the SDK drop unknown fields and parse every number; these
 * pass unchanged lines on byte for byte, and know how a server ended.
 */
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { ContextShapingError } from 'context-shaping';
import { messageOf, nearest, within } from 'context-shaping/kit';
import { lineOf, type McpTransport, parseLine } from './json-rpc.js';

/** The most bytes of one message. */
const MOST_BYTES = 2 ** 28;

/** How long a server may take to end after each request to do so, in milliseconds. */
const GRACE = 2000;

export interface LineTransport extends McpTransport {
  send(message: object): Promise<void>;
  onmessage?: ((message: object) => unknown) | undefined;
}

/** Reads the next line only when `onmessage` has finished, so a slow reader slows the writer. */
export function lineTransport(input: Readable, output: Writable): LineTransport {
  let closed = false;
  const finish = () => {
    if (closed) return;
    closed = true;
    transport.onclose?.();
  };
  const transport: LineTransport = {
    async start() {
      output.on('error', (error) => {
        if (!closed) transport.onerror?.(error);
        finish();
      });
      void read()
        .catch((error) => closed || transport.onerror?.(error))
        .finally(finish);
    },
    send: (message) =>
      new Promise((resolve) => {
        // A failing stream also emits an event, which ends the connection.
        if (closed || !output.writable) resolve();
        else output.write(`${lineOf(message)}\n`, () => resolve());
      }),
    async close() {
      finish();
      input.destroy();
    },
  };
  async function read() {
    for await (const line of linesOf(input)) {
      if (closed) return;
      if (line.trim() !== '') await transport.onmessage?.(parseLine(line));
    }
  }
  return transport;
}

/** The lines without their ends. A last line without an end is no message. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    let rest: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...parts, rest.subarray(0, end)]).toString();
      rest = rest.subarray(end + 1);
      parts = [];
      bytes = 0;
      yield line.replace(/\r$/, '');
    }
    parts.push(rest);
    bytes += rest.length;
    if (bytes > MOST_BYTES)
      throw new ContextShapingError('service', {
        field: 'message',
        value: bytes,
        is: `has more than ${MOST_BYTES} bytes`,
        remedy: 'Ask the server for less.',
      });
  }
}

/** How a server ended: by itself, or by a signal. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ServerProcess extends LineTransport {
  ended: Promise<Ended>;
}

/**
 * Starts a server. `close` ends its input, then asks it to end, then kills it.
 *
 * @throws ContextShapingError `invalid-input` if the command cannot be started.
 */
export async function startServer(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ServerProcess> {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const read = new Promise((resolve) => child.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => reject(notStarted(command, cause)));
  });
  child.on('error', () => {});
  const { stdin, stdout } = child;
  async function close() {
    stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const)
      if (!(await comes(GRACE, ended))) child.kill(signal);
    await ended;
    // A process that the server started may hold its output open.
    if (!(await comes(GRACE, read))) stdout.destroy();
  }
  return Object.assign(lineTransport(stdout, stdin), { ended, close });
}

/** Whether the event comes within a time. */
const comes = (milliseconds: number, event: Promise<unknown>): Promise<boolean> =>
  within(milliseconds, undefined, () => event).then(
    () => true,
    () => false,
  );

const notStarted = (command: string, cause: unknown) =>
  new ContextShapingError('invalid-input', {
    field: 'COMMAND',
    value: command,
    is: `cannot be started: ${messageOf(cause)}`,
    remedy:
      process.platform === 'win32'
        ? 'Check its name. Put "cmd /c" before a command that is a script, such as npx.'
        : `Check its name and the PATH.${nearest(command, ['hook']).length > 0 ? ' Did you mean context-shaping-mcp hook?' : ''}`,
    cause,
  });
