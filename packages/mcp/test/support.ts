/** Clients, servers and a proxy between them. */
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { Client, InMemoryTransport as ClientTransport } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { lineTransport, type McpProxyOptions, proxyMcp } from 'context-shaping-mcp';
import { onTestFinished } from 'vitest';

type Json = Record<string, unknown>;

/** A client of the SDK, the proxy, and a server of the SDK. All is in one thread. */
export async function connected(server: McpServer, options: McpProxyOptions = {}): Promise<Client> {
  const [clientEnd, toClient] = ClientTransport.createLinkedPair();
  const [toServer, serverEnd] = InMemoryTransport.createLinkedPair();
  await server.connect(serverEnd);
  const done = proxyMcp(toClient, toServer, { workers: 0, ...options });
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { sampling: {} } });
  await client.connect(clientEnd);
  onTestFinished(async () => {
    await client.close();
    await done;
  });
  return client;
}

export const newServer = () => new McpServer({ name: 'test', version: '1.0.0' });

/** The text of all pieces of a result. */
export const textOf = (result: unknown): string =>
  (result as { content: { text?: string }[] }).content.map(({ text = '' }) => text).join('\n\n');

/** The handle in the note of a result. */
export const handleIn = (text: string): string => /recall_passage ([\w-]+)/.exec(text)?.[1] as string;

/** One side of a connection of lines, written and read by a test. */
export class Side {
  readonly lines: string[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(
    readonly input: Writable,
    output: Readable,
  ) {
    let rest = '';
    output.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() as string;
      this.lines.push(...lines);
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }

  write(message: string | object): void {
    this.input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** The next message that no call has returned before and that fits. */
  async next(fits: (message: Json) => boolean = () => true): Promise<Json> {
    for (;;) {
      const at = this.lines.findIndex((line) => fits(JSON.parse(line)));
      if (at >= 0) return JSON.parse(this.lines.splice(at, 1)[0] as string);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

/** A proxy between two sides of lines. All is in one thread. */
export function lines(options: McpProxyOptions = {}) {
  const streams = () => new PassThrough();
  const [fromClient, toClient, fromServer, toServer] = [streams(), streams(), streams(), streams()];
  const done = proxyMcp(lineTransport(fromClient, toClient), lineTransport(fromServer, toServer), {
    workers: 0,
    ...options,
  });
  onTestFinished(async () => {
    fromClient.end();
    await done;
  });
  return { client: new Side(fromClient, toClient), server: new Side(fromServer, toServer), done };
}

/** A call of a tool, as a message. */
export const call = (id: number | string, name: string, args: Json = {}): Json => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

export const answer = (id: unknown, result: unknown): Json => ({ jsonrpc: '2.0', id, result });

/** A text of many sections, one of which answers. */
export const manual = (sections: number): string =>
  Array.from(
    { length: sections },
    (_, at) => `## Pump ${at}\n\nThe pump ${at} in hall ${at % 7} has a pressure of ${at * 31} bar.`,
  ).join('\n\n');

/** Records of many stations. */
export const stations = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: at,
    name: `Station ${at}`,
    kind: ['river', 'lake', 'coast'][at % 3],
    level: (at * 7919) % 10_007,
    remark: `Measured by crew ${at % 40} with gauge number ${at * 13}.`,
  }));
