/** `context-shaping-mcp`: a proxy before a server of MCP, or a server of its own. */
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/server';
import { Ends, type Io, printable, UsageError, write } from 'context-shaping/cli';
import { messageOf, openOwn } from 'context-shaping/kit';
import type { McpTransport } from './json-rpc.js';
import { type Ended, lineTransport, startServer } from './line-transport.js';
import type { McpCallReport } from './options.js';
import { createOutputServer } from './output-server.js';
import { proxyMcp } from './proxy.js';
import { createShapingServer } from './shaping-server.js';
import { openState } from './state.js';

export interface McpFlags {
  url?: string;
  header?: string[];
  maxTokens?: number;
  readTokens?: number;
  tools?: string[];
  except?: string[];
  queryField: Record<string, string>;
  store?: string;
  thread?: string;
  log?: string;
  timeout?: number;
  tokenizer?: 'estimate' | 'o200k_base' | 'cl100k_base';
  serve?: boolean;
  outputs?: string;
}

/**
 * Resolves when the client has gone.
 *
 * @throws Ends with the code of the server, if it ended first
 */
export async function mcpCommand(command: readonly string[], flags: McpFlags, io: Io): Promise<void> {
  const { url, header: _, queryField, store, log, timeout, serve, outputs, ...limits } = flags;
  const given = [
    command.length > 0 && 'COMMAND',
    url && '--url',
    serve && '--serve',
    outputs && '--outputs',
  ].filter(Boolean);
  if (given.length !== 1)
    throw new UsageError(
      given.length === 0
        ? 'No server is given. Write its command after --, or its address after --url, or use --serve or --outputs'
        : `${given.join(' and ')} exclude each other. Give one of them`,
    );
  if (outputs !== undefined)
    return serveTools(io, () =>
      createOutputServer(outputs, { maxTokens: limits.maxTokens, tokenizer: limits.tokenizer }),
    );
  const { close, ...shaping } = await openState(store, io);
  const calls = log === undefined ? undefined : await callLog(log);
  const options = {
    ...shaping,
    thread: JSON.stringify(url ?? command),
    ...limits,
    queryFields: queryField,
    timeoutMs: timeout && 1000 * timeout,
    onCall: calls?.add,
    onError: (error: unknown) => write(io.stderr, `context-shaping-mcp: ${printable(messageOf(error))}\n`),
  };
  try {
    if (serve) return await serveTools(io, () => createShapingServer(options));
    const { server, ended } = await connect(command, flags, io);
    const client = lineTransport(io.stdin as Readable, io.stdout as Writable);
    io.signal.addEventListener('abort', () => void client.close(), { once: true });
    const first = await proxyMcp(client, server, options);
    if (first === 'server') throw new Ends(codeOf(await ended));
  } finally {
    await calls?.close();
    await close();
  }
}

/** Resolves when the client has gone. */
async function serveTools({ stdin, stdout, signal }: Io, newServer: () => McpServer): Promise<void> {
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const transport = new StdioServerTransport(stdin as Readable, stdout as Writable);
  serveStdio(newServer, { transport });
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
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
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

/** Several processes may write to one log on a local disk: each line is one append. */
async function callLog(
  file: string,
): Promise<{ add(call: McpCallReport): Promise<void>; close(): Promise<void> }> {
  const handle = await openOwn(file, 'a').catch((cause) => {
    throw new UsageError(`Cannot write ${file}: ${messageOf(cause)}. Name another file with --log.`, {
      cause,
    });
  });
  return {
    add: async (call) => {
      await handle.appendFile(`${JSON.stringify({ time: new Date().toISOString(), ...call })}\n`);
    },
    close: () => handle.close(),
  };
}
