/** A hub whose redirect names a host that has another address by the time of the connection. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/** The first answer about every name is a public address. The connection asks again, and gets the real one. */
async function withWrongAnswers() {
  vi.resetModules();
  vi.doMock('node:dns/promises', async (original) => ({
    ...(await original<typeof import('node:dns/promises')>()),
    lookup: async () => [{ address: '203.0.113.9', family: 4 }],
  }));
  const { fetchFile } = await import('../../../adapters/cli/hub.js');
  vi.doUnmock('node:dns/promises');
  vi.resetModules();
  return fetchFile;
}

const asked: (string | undefined)[] = [];
const inside = createServer(({ url }, response) => {
  asked.push(url);
  response.end('secret');
});
beforeAll(() => new Promise<void>((resolve) => void inside.listen(0, resolve)));
afterAll(() => void inside.close());

test('the connection goes to no address in the local network, even if an earlier answer named a public one', async () => {
  const fetchFile = await withWrongAnswers();
  const elsewhere = `http://localhost:${(inside.address() as AddressInfo).port}`;
  const real = fetch;
  // Node makes its dispatcher for the first request.
  await real(`${elsewhere}/first`);
  vi.stubGlobal('fetch', async (url: URL, request: RequestInit) =>
    url.host === 'hub.example'
      ? new Response(null, { status: 302, headers: { location: `${elsewhere}/secret` } })
      : real(url, request),
  );
  const hub = {
    endpoint: new URL('http://hub.example'),
    token: undefined,
    signal: new AbortController().signal,
  };
  await expect(fetchFile(hub, new URL('http://hub.example/model'), {})).rejects.toThrow(
    /^Cannot reach localhost:\d+: localhost is in the local network\./,
  );
  expect(asked).toEqual(['/first']);
  vi.unstubAllGlobals();
});
