/** The configuration of nginx on the page about deployment, in a real nginx before the real service. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService } from 'context-shaping-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/free-port.js';
import { blocksOf } from '../../documents/page.js';
import { mustHaveAll } from '../../must-have-all.js';

const hasNginx = ['nginx', 'openssl'].every((each) => spawnSync(each, ['-v']).error === undefined);

describe.runIf(hasNginx || mustHaveAll)('nginx', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  let port: number;
  let nginx: ReturnType<typeof spawn>;
  let service: Awaited<ReturnType<typeof createService>>;
  /** The embedder of the service waits for it. */
  let heard = () => {};
  const isHeard = new Promise<void>((resolve) => {
    heard = resolve;
  });

  beforeAll(async () => {
    const embedder = {
      async embed(texts: readonly string[]) {
        await isHeard;
        return texts.map((text) => [text.length, 1]);
      },
    };
    service = await createService({
      workers: 0,
      port: 0,
      logger: false,
      trustProxy: '127.0.0.1',
      setup: { embedder },
    });
    const upstream = new URL(await service.listen()).host;
    port = await freePort();
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
    const subject = ['-subj', '/CN=localhost', '-days', '1', '-nodes'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', ...subject, '-keyout', key, '-out', certificate],
      {
        stdio: 'ignore',
      },
    );
    const [documented] = blocksOf('docs/guide/deployment.md').filter(({ language }) => language === 'nginx');
    let code = documented?.code ?? '';
    for (const [there, here] of Object.entries({
      '127.0.0.1:8000': upstream,
      // A slow machine sends no 20 requests in a second.
      'rate=20r/s': 'rate=1r/m',
      'listen 443': `listen 127.0.0.1:${port}`,
      '/etc/ssl/shaping.example.com.pem': certificate,
      '/etc/ssl/shaping.example.com.key': key,
    })) {
      expect(code).toContain(there);
      code = code.replaceAll(there, here);
    }
    mkdirSync(join(folder, 'temporary'));
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (each) => `${each}_temp_path ${join(folder, 'temporary', each)};`,
    );
    const file = join(folder, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off; pid ${join(folder, 'pid')}; error_log stderr crit;
       events {}
       http { access_log off; ${paths.join(' ')}\n${code}\n}`,
    );
    execFileSync('nginx', ['-t', '-e', 'stderr', '-c', file], { stdio: 'pipe' });
    nginx = spawn('nginx', ['-e', 'stderr', '-c', file], { stdio: 'inherit' });
    while ((await ask('GET', '/health').catch(() => undefined)) === undefined) {
      if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`);
    }
  });
  afterAll(async () => {
    const ended = once(nginx, 'exit');
    nginx.kill('SIGTERM');
    await Promise.all([ended, service.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Each request has a connection of its own. */
  function ask(method: string, path: string, body?: string, headers = {}, onText = (_: string) => {}) {
    return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers,
        rejectUnauthorized: false,
        agent: false,
      };
      const sent = request(options, async (answer) => {
        let text = '';
        for await (const part of answer.setEncoding('utf8')) {
          text += part;
          onText(text);
        }
        resolve({ status: answer.statusCode, text });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
  const body = JSON.stringify({
    query: 'When did the bridge open?',
    chunks: [
      { id: 'a', text: 'The bridge opened in 1932.' },
      { id: 'b', text: 'Cats sleep.' },
    ],
  });
  const json = { 'content-type': 'application/json' };

  test('passes events on as they are sent', async () => {
    // The service goes on only when the first event has come through; a proxy that collects them would wait for ever.
    const accept = { ...json, accept: 'text/event-stream' };
    const { status, text } = await ask('POST', '/v1/shape', body, accept, (so_far) => {
      if (so_far.includes('event: stage')) heard();
    });
    expect(status).toBe(200);
    expect(text).toMatch(/event: result\ndata: \{"chunks":/);
  });

  test('refuses bodies of more than 16 MB, and hides the metrics', async () => {
    const large = JSON.stringify({ query: 'x'.repeat(17 * 2 ** 20), chunks: [] });
    const tooLarge = await ask('POST', '/v1/shape', large, json).catch((error) => error);
    // nginx answers and closes the connection, perhaps while the client still writes.
    if (tooLarge instanceof Error)
      expect(tooLarge).toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) });
    else expect(tooLarge.status).toBe(413);
    expect((await ask('GET', '/metrics')).status).toBe(404);
  });

  test('limits the requests of an address', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask('GET', '/health')));
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([200, 429]));
  });
});
