/**
 * The conformance tests of the protocol, on the reference server of every feature: as it is, and behind the proxy. They need
 * an address, so a transport of the SDK over HTTP stands before both.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { type McpTransport, proxyMcp, startServer } from '../../../mcp/src/index.js';

const PACKAGES = join(import.meta.dirname, 'node_modules/@modelcontextprotocol');
const SUITE = join(PACKAGES, 'conformance/dist/index.js');
const EVERYTHING = join(PACKAGES, 'server-everything/dist/index.js');
// The suite uses a function of Node 22.
const missing =
  Number(process.versions.node.split('.')[0]) < 22 ? 'Node 22' : existsSync(SUITE) ? undefined : 'the suite';

type Connect = (client: McpTransport, server: McpTransport) => Promise<unknown>;

/** Passes every message on. */
const direct: Connect = async (client, server) => {
  client.onmessage = (message) => server.send(message).catch(() => {});
  server.onmessage = (message) => client.send(message).catch(() => {});
  client.onclose = () => void server.close();
  await server.start();
  await client.start();
};

/** Serves the server at an address: a process for each session. */
async function serve(connect: Connect): Promise<string> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known !== undefined) return void known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableDnsRebindingProtection: true,
      allowedHosts: [request.headers.host ?? '']
        .filter((host) => /^(localhost|127\.0\.0\.1):\d+$/.test(host))
        .concat('localhost'),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const behind = await startServer(process.execPath, [EVERYTHING, 'stdio'], process.env);
    void connect(transport as unknown as McpTransport, behind);
    onTestFinished(() => behind.close());
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as { port: number }).port}/mcp`;
}

/** The scenarios, each with the number of its passed and failed checks. */
async function scenarios(url: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const args = [SUITE, 'server', '--url', url, '--output-dir', folder];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (_, stdout) => resolve(stdout));
  });
  const summary = output.slice(output.lastIndexOf('SUMMARY'));
  return summary.match(/[✓✗] [\w-]+: \d+ passed, \d+ failed/gu) ?? [];
}

test.skipIf(missing !== undefined)(
  `the same checks pass through the proxy${missing ? `: needs ${missing}` : ''}`,
  async () => {
    const before = await scenarios(await serve(direct));
    const after = await scenarios(await serve((client, server) => proxyMcp(client, server)));
    console.log(before.join('\n'));
    expect(before.filter((line) => line.startsWith('✓')).length).toBeGreaterThan(8);
    expect(after).toEqual(before);
  },
);
