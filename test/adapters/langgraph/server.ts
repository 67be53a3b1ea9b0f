/** A server on this machine that answers as a service on the web does. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: the body of a request, whichever the service
  body: any;
}

export interface Answer {
  status?: number;
  /** A text is sent as it is, everything else as JSON. */
  body: unknown;
  /** Milliseconds before it is sent. */
  delay?: number;
}

export interface Server {
  url: string;
  /** The received requests, oldest first. */
  asked: Asked[];
  close(): Promise<void>;
}

export async function serve(answer: (asked: Asked, place: number) => Answer): Promise<Server> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: text.startsWith('{') ? JSON.parse(text) : text };
    const { status = 200, body, delay = 0 } = answer(one, asked.push(one) - 1);
    setTimeout(() => {
      const isText = typeof body === 'string';
      response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' });
      response.end(isText ? body : JSON.stringify(body));
    }, delay);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
