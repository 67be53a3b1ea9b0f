/** A local JSON server that records its requests, and can fail like a real server. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: requests have many forms
  body: any;
  headers: Record<string, unknown>;
}

/**
 * The server's reaction to a request: it answers with JSON or with any text, never answers, or breaks off in the middle.
 */
export type Reply =
  | { status?: number; json: unknown }
  | { status?: number; text: string }
  | 'silence'
  | { brokenOff: string };

export interface JsonServer {
  address: string;
  asked: readonly Asked[];
  close(): Promise<void>;
}

export async function jsonServer(answer: (asked: Asked) => Reply | Promise<Reply>): Promise<JsonServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) };
    asked.push(one);
    send(response, await answer(one));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'silence') return;
  const headers = { 'content-type': 'application/json' };
  if ('brokenOff' in reply) {
    response.writeHead(200, { ...headers, 'content-length': 2 * reply.brokenOff.length + 1 });
    response.write(reply.brokenOff, () => response.destroy());
    return;
  }
  response.writeHead(reply.status ?? 200, headers);
  response.end('json' in reply ? JSON.stringify(reply.json) : reply.text);
}
