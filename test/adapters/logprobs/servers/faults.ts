/** Tests of all models behind HTTP with failing servers: they use the service, whose own test has every fault. */
import { ContextShapingError, type LogprobModel } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { type JsonServer, jsonServer, type Reply } from './json-server.js';

interface HttpSettings {
  baseUrl: string;
  maxRetries: number;
}

/** @param scores whether the model scores given texts. */
export function faultsOfHttp(
  path: string,
  make: (settings: HttpSettings) => LogprobModel,
  scores = true,
): void {
  const request = { prompt: 'Question: Who?\nAnswer:', continuation: ' no' };
  const calls: Record<string, (model: LogprobModel, signal?: AbortSignal) => Promise<unknown>> = {
    ...(scores ? { score: (model, signal) => model.score([request], { signal }) } : {}),
    nextTokens: (model, signal) => model.nextTokens([request.prompt], { signal }),
    identify: (model, signal) => model.identify({ signal }),
  };

  async function withServer(reply: Reply, use: (server: JsonServer) => Promise<void>): Promise<void> {
    const server = await jsonServer(() => reply);
    try {
      await use(server);
    } finally {
      await server.close();
    }
  }

  describe.each(Object.entries(calls))('%s', (name, call) => {
    test('a refusal names the address and the path, and is asked once', async () => {
      await withServer({ status: 401, json: { error: 'who?' } }, async (server) => {
        const error = await call(make({ baseUrl: server.address, maxRetries: 0 })).catch((thrown) => thrown);
        if (!ContextShapingError.isInstance(error)) return expect.unreachable(String(error));
        expect(error).toMatchObject({ kind: 'service', problem: 'refuses the request', value: '401 who?' });
        expect(error.field).toContain(server.address);
        if (name !== 'identify') expect(error.field).toBe(`POST ${server.address}${path}`);
        expect(server.asked).toHaveLength(1);
      });
    });

    test('says so if there is no server', async () => {
      const server = await jsonServer(() => 'silence');
      await server.close();
      const error = await call(make({ baseUrl: server.address, maxRetries: 0 })).catch((thrown) => thrown);
      expect(error).toMatchObject({ kind: 'service', problem: 'cannot be reached' });
    });

    test('is aborted while it waits', async () => {
      await withServer('silence', async (server) => {
        const controller = new AbortController();
        const reason = new Error('not wanted any more');
        const outcome = expect(
          call(make({ baseUrl: server.address, maxRetries: 9 }), controller.signal),
        ).rejects.toBe(reason);
        while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        controller.abort(reason);
        await outcome;
      });
    });
  });

  test.each([
    { baseUrl: 'nowhere at all' },
    { timeoutMs: 0 },
    { timeoutMs: 1.5 },
    { maxRetries: -1 },
    { maxConcurrency: 0 },
    { model: '' },
  ])('refuses %o', (wrong) => {
    const [field] = Object.keys(wrong);
    const settings = { baseUrl: 'http://127.0.0.1:9', maxRetries: 0, ...wrong };
    expect(() => make(settings)).toThrow(expect.objectContaining({ kind: 'invalid-options', field }));
  });

  test('refuses an option that it does not know', () => {
    const settings = { baseUrl: 'http://127.0.0.1:9', maxRetries: 0, retries: 3 };
    expect(() => make(settings)).toThrow(
      expect.objectContaining({ kind: 'invalid-options', field: 'retries' }),
    );
  });
}
