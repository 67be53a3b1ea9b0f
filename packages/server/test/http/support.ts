/** Requests for a service, and services for tests. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createService, type Service, type ServiceOptions } from 'context-shaping-server';
import { afterEach, expect } from 'vitest';

const HERE = dirname(fileURLToPath(import.meta.url));
const started: Service[] = [];

/** A service without threads. It is closed after the test. */
export async function service(options: ServiceOptions = {}): Promise<Service> {
  const one = await createService({ workers: 0, port: 0, logger: false, ...options });
  started.push(one);
  return one;
}

afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});

export const setupFile = (name: string) => join(HERE, 'setups', name);

export const ask = (question: string, ...texts: string[]) => ({
  query: question,
  chunks: texts.map((each, at) => ({ id: `chunk ${at}`, text: each })),
});

export function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

/** A promise, and the function that fulfils it. */
export function gate<T = void>(): { opened: Promise<T>; open: (value: T) => void } {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Asks again until it is as expected. A busy machine may take minutes to start a program. */
export const eventually = <T>(read: () => T) => expect.poll(read, { interval: 20, timeout: 300_000 });
