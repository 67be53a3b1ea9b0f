/** `context-shaping mcp`: a proxy before a server of MCP, or a server of its own. */
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { importOptional, messageOf } from '../../src/internal.js';
import {
  createShapingServer,
  type Ended,
  lineTransport,
  type McpProxyOptions,
  type McpTransport,
  proxyMcp,
  startServer,
} from '../mcp/index.js';
import { ServerEnded, UsageError } from './errors.js';
import { callLog } from './mcp-log.js';
import { openState } from './mcp-state.js';
import { type Io, printable, write } from './terminal.js';

const PACKAGES = ['context-shaping', '@modelcontextprotocol/client', '@modelcontextprotocol/server'];
/** Node 22.13 and later have SQLite. */
const needed = process.getBuiltinModule?.('node:sqlite') ? PACKAGES : [...PACKAGES, 'better-sqlite3'];
/** Runs the command with the packages that it needs. */
const RUN = `npx ${needed.map((name) => `-p ${name}`).join(' ')} context-shaping mcp`;

export interface McpFlags {
  url?: string;
  header?: string[];
  maxTokens?: number;
  queryField: Record<string, string>;
  store?: string;
  thread?: string;
  log?: string;
  tokenizer?: 'estimate' | 'o200k_base' | 'cl100k_base';
  serve?: boolean;
}

/**
 * Resolves when the client has gone.
 *
 * @throws ServerEnded
 */
export async function mcpCommand(command: readonly string[], flags: McpFlags, io: Io): Promise<void> {
  const {
    url,
    maxTokens,
    queryField,
    store,
    log,
    tokenizer,
    serve,
    thread = JSON.stringify(url ?? command),
  } = flags;
  const given = [command.length > 0 && 'COMMAND', url && '--url', serve && '--serve'].filter(Boolean);
  if (given.length !== 1)
    throw new UsageError(
      given.length === 0
        ? 'No server is given. Write its command after --, or its address after --url, or use --serve'
        : `${given.join(' and ')} exclude each other. Give one of them`,
    );
  // The client of the SDK also validates structured content for a server over standard streams.
  await (serve ? loadServer() : loadClient());
  const { close, ...shaping } = await openState(store, io);
  const calls = log === undefined ? undefined : await callLog(log);
  const options = {
    ...shaping,
    maxTokens,
    queryFields: queryField,
    thread,
    tokenizer,
    onCall: calls?.add,
    onError: (error: unknown) => write(io.stderr, `context-shaping: ${printable(messageOf(error))}\n`),
  };
  try {
    if (serve) return await serveTools(io, options);
    const { server, ended } = await connect(command, flags, io);
    const client = lineTransport(io.stdin as Readable, io.stdout as Writable);
    io.signal.addEventListener('abort', () => void client.close(), { once: true });
    const first = await proxyMcp(client, server, options);
    if (first === 'server') throw new ServerEnded(codeOf(await ended));
  } finally {
    await calls?.close();
    await close();
  }
}

const load = <T>(module: () => Promise<T>): Promise<T> => importOptional(module, 'context-shaping mcp', RUN);
const loadClient = () => load(() => import('@modelcontextprotocol/client'));
const loadServer = () => load(() => import('@modelcontextprotocol/server/stdio'));

/** Resolves when the client has gone. */
async function serveTools({ stdin, stdout, signal }: Io, options: McpProxyOptions): Promise<void> {
  const { serveStdio, StdioServerTransport } = await loadServer();
  const transport = new StdioServerTransport(stdin as Readable, stdout as Writable);
  serveStdio(() => createShapingServer(options), { transport });
  await new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    signal.addEventListener('abort', () => void transport.close(), { once: true });
  });
}

async function connect(
  [command, ...args]: readonly string[],
  { url, header = [] }: McpFlags,
  { env }: Io,
): Promise<{ server: McpTransport; ended?: Promise<Ended> }> {
  if (command !== undefined) {
    const server = await startServer(command, args, env);
    return { server, ended: server.ended };
  }
  if (!/^https?:\/\//.test(url ?? '') || !URL.canParse(url as string))
    throw new UsageError('The address after --url must begin with http:// or https://');
  const { StreamableHTTPClientTransport } = await loadClient();
  const headers = Object.fromEntries(header.map((line) => headerOf(line, env)));
  return { server: new StreamableHTTPClientTransport(new URL(url as string), { requestInit: { headers } }) };
}

/** A variable of the environment keeps a secret out of the list of processes. The error does not show the value. */
function headerOf(line: string, env: Io['env']): [name: string, value: string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new UsageError("Write --header as 'NAME: VALUE'");
  return [name, value.replace(/\$\{(\w+)\}/g, (_, variable) => env[variable] ?? '')];
}

/** As shells count: 128 and the number of the signal. */
const codeOf = ({ code, signal }: Ended = { code: 1, signal: null }): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
