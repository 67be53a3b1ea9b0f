import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cli, type Setting, start } from '../../../adapters/cli/harness.js';
import { type Hub, sha256, startHub } from '../../../adapters/cli/pull-hub.js';
import { filesOf, modelOf, TINY } from '../../../adapters/embeddings/static-model.js';

const root = mkdtempSync(join(tmpdir(), 'context-shaping-pull-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Large enough to break off in. */
const LARGE = modelOf({
  '[UNK]': [0],
  ...Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`w${at}`, [at]])),
});
const FILES = ['config.json', 'model.safetensors', 'tokenizer.json'];
const HALF = 9000;

let hub: Hub;
let folder: string;
beforeEach(async () => {
  hub = await startHub(filesOf(LARGE));
  folder = join(mkdtempSync(join(root, 'run-')), 'model');
});
afterEach(() => hub.close());

const pull = (args: string[] = [], setting: Setting = {}) =>
  cli(['pull', 'owner/model', '--to', folder, '--endpoint', hub.endpoint, ...args], setting);
const fetched = (name: string) => readFileSync(join(folder, name));
const expectWhole = () => {
  expect(readdirSync(folder).sort()).toEqual(FILES);
  for (const name of FILES) expect(fetched(name).equals(hub.files[name] as Uint8Array)).toBe(true);
};
const gets = () => hub.log.filter(({ method, path }) => method === 'GET' && path.startsWith('/cdn/'));

describe('a model that is not there', () => {
  test('is fetched, each file compared with the checksum that the server gives', async () => {
    const { code, stdout, stderr } = await pull();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expectWhole();
    expect(stdout).toMatch(/^config\.json +2 bytes {2}fetched; SHA-1 \(of a git blob\) matches$/m);
    expect(stdout).toMatch(/^model\.safetensors +20,\d+ bytes {2}fetched; SHA-256 matches$/m);
    expect(stdout).toContain(`${folder}: a model with 1 dimensions. Load it with loadStaticEmbedder("`);
  });
  test('comes from one commit, at the addresses of the hub', async () => {
    await pull(['--revision', 'refs/pr/1']);
    expect(hub.log.filter(({ method }) => method === 'GET').map(({ path }) => path)).toEqual([
      '/owner/model/resolve/refs%2Fpr%2F1/config.json',
      '/owner/model/resolve/0123456789abcdef0123456789abcdef01234567/tokenizer.json',
      '/owner/model/resolve/0123456789abcdef0123456789abcdef01234567/model.safetensors',
      '/cdn/model.safetensors',
    ]);
  });
  test('a bar on a terminal, nothing in a pipe', async () => {
    const { stderr } = await pull([], { terminal: 80 });
    expect(stderr).toMatch(/model\.safetensors, kB/);
  });
  test('--verbose says where from', async () => {
    expect((await pull(['--verbose'])).stderr).toContain(
      `Fetching ${hub.endpoint}/owner/model/resolve/main/config.json.\n`,
    );
  });
  test('HF_ENDPOINT is the address where no flag is', async () => {
    const args = ['pull', 'owner/model', '--to', folder];
    expect((await cli(args, { env: { HF_ENDPOINT: `${hub.endpoint}/` } })).code).toBe(0);
    expectWhole();
  });
  test('an endpoint below a path', async () => {
    await pull(['--endpoint', `${hub.endpoint}/mirror/`]);
    expect(hub.log[0]?.path).toBe('/mirror/owner/model/resolve/main/config.json');
  });
});

describe('a second run', () => {
  test('fetches nothing', async () => {
    await pull();
    const before = FILES.map((name) => statSync(join(folder, name)).mtimeMs);
    hub.log.length = 0;
    const { code, stdout } = await pull();
    expect(code).toBe(0);
    expect(stdout.match(/already there; SHA/g)).toHaveLength(3);
    expect(hub.log.map(({ method }) => method)).toEqual(['HEAD', 'HEAD', 'HEAD']);
    expect(FILES.map((name) => statSync(join(folder, name)).mtimeMs)).toEqual(before);
  });
  test('replaces damaged files, of the same length or another, and changed ones', async () => {
    await pull();
    const damaged = fetched('model.safetensors');
    damaged[damaged.length - 1] = 1 + (damaged.at(-1) as number);
    writeFileSync(join(folder, 'model.safetensors'), damaged);
    writeFileSync(join(folder, 'config.json'), '{"a":1}');
    await pull();
    expectWhole();
    const changed = (hub.files['model.safetensors'] as Uint8Array).slice();
    changed.fill(1, changed.length - 8);
    hub.files['model.safetensors'] = changed;
    await pull();
    expectWhole();
  });
});

describe('a connection that breaks off', () => {
  const part = () => readFileSync(join(folder, 'model.safetensors.part'));
  /** Once all sent bytes are written: others may be lost. */
  const arrived = (bytes: number) => () => {
    const path = join(folder, 'model.safetensors.part');
    return existsSync(path) && statSync(path).size === bytes;
  };
  const breakOff = async () => {
    Object.assign(hub.behaviour, { stallAfter: HALF, breakWhen: arrived(HALF) });
    const outcome = await pull();
    hub.log.length = 0;
    return outcome;
  };

  test('is an error that keeps the received bytes', async () => {
    const { code, stderr } = await breakOff();
    expect(code).toBe(1);
    expect(stderr).toMatch(/was lost after 9000 bytes of model\.safetensors .*Run the command again/);
    expect(part().equals(Buffer.from(hub.files['model.safetensors'] as Uint8Array).subarray(0, HALF))).toBe(
      true,
    );
    expect(existsSync(join(folder, 'model.safetensors'))).toBe(false);
  });
  test('the next run goes on from there', async () => {
    await breakOff();
    const { code, stdout } = await pull();
    expect(code).toBe(0);
    expect(stdout).toContain('resumed and fetched; SHA-256 matches');
    expect(gets()).toMatchObject([{ range: `bytes=${HALF}-`, ifRange: expect.stringMatching(/^"content-/) }]);
    expectWhole();
  });
  test('twice', async () => {
    await breakOff();
    Object.assign(hub.behaviour, { stallAfter: 500, breakWhen: arrived(HALF + 500) });
    expect((await pull()).code).toBe(1);
    expect(part()).toHaveLength(HALF + 500);
    expect((await pull()).code).toBe(0);
    expectWhole();
  });
  test('from a server that ignores Range: anew', async () => {
    await breakOff();
    hub.behaviour.ignoreRange = true;
    expect((await pull()).stdout).toMatch(/model\.safetensors.*bytes {2}fetched;/);
    expectWhole();
  });
  test.each([false, true])(
    'from a file that has changed since (server ignores If-Range: %j): anew',
    async (ignoreIfRange) => {
      await breakOff();
      hub.behaviour.ignoreIfRange = ignoreIfRange;
      const changed = (hub.files['model.safetensors'] as Uint8Array).slice();
      changed.fill(7, HALF - 4000, HALF - 1000);
      hub.files['model.safetensors'] = changed;
      expect((await pull()).code).toBe(0);
      expectWhole();
    },
  );
  test('a part without its ETag is not trusted', async () => {
    await breakOff();
    rmSync(join(folder, 'model.safetensors.part.etag'));
    expect((await pull()).code).toBe(0);
    expect(gets()).toEqual([{ method: 'GET', path: '/cdn/model.safetensors' }]);
    expectWhole();
  });
  test('a part that is all there needs no more', async () => {
    await breakOff();
    writeFileSync(join(folder, 'model.safetensors.part'), hub.files['model.safetensors'] as Uint8Array);
    expect((await pull()).code).toBe(0);
    expect(gets()).toEqual([]);
    expectWhole();
  });
  test('a part that is damaged is found out, deleted, and fetched by the next run', async () => {
    await breakOff();
    writeFileSync(join(folder, 'model.safetensors.part'), Buffer.alloc(HALF));
    const { code, stderr } = await pull();
    expect(code).toBe(1);
    expect(stderr).toMatch(/download of model\.safetensors is corrupt: its SHA-256 differs/);
    expect(readdirSync(folder).sort()).toEqual(['config.json', 'tokenizer.json']);
    expect((await pull()).code).toBe(0);
    expectWhole();
  });
  test('Ctrl-C leaves the part, and leaves with 130', async () => {
    hub.behaviour.stallAfter = HALF;
    const { child, outcome } = start(['pull', 'owner/model', '--to', folder, '--endpoint', hub.endpoint]);
    await expect.poll(arrived(HALF), { timeout: 300_000 }).toBe(true);
    child.kill('SIGINT');
    expect(await outcome).toMatchObject({ code: 130, stderr: '' });
    hub.behaviour = {};
    expect((await pull()).stdout).toContain('resumed and fetched');
    expectWhole();
  });
});

describe('checks', () => {
  test('a wrong checksum: nothing is left', async () => {
    hub.behaviour.wrongChecksum = true;
    const { code, stderr } = await pull();
    expect(code).toBe(1);
    expect(stderr).toContain('its SHA-256 differs');
    expect(readdirSync(folder).sort()).toEqual(['config.json', 'tokenizer.json']);
  });
  test('ETags that are no checksums: sizes are compared, and the output says so', async () => {
    hub.behaviour.plainEtags = true;
    expect((await pull()).stdout).toMatch(/config\.json.*size matches; the server gives no checksum/);
    expectWhole();
    writeFileSync(join(folder, 'config.json'), 'other');
    await pull();
    expectWhole();
  });
  test('a server that says nothing: fetched each time, unchecked, and the output says so', async () => {
    hub.behaviour.silent = true;
    await pull();
    const { code, stdout } = await pull();
    expect(code).toBe(0);
    expect(stdout.match(/ {2}fetched; unchecked/g)).toHaveLength(3);
    expectWhole();
  });
  test('a model of another kind is downloaded, and refused with a list of the supported kinds', async () => {
    hub.files['tokenizer.json'] = Buffer.from(JSON.stringify({ model: { type: 'Unigram', vocab: [] } }));
    const { code, stderr } = await pull();
    expect(code).toBe(2);
    expect(stderr).toMatch(/tokenizer\.json: model\.type is not supported; WordPiece is/);
  });
});

describe('a hub that means harm', () => {
  test('sends more than it announced: no more is taken, and nothing is left', async () => {
    hub.behaviour.tooMuch = true;
    const { code, stderr } = await pull();
    expect(code).toBe(1);
    expect(stderr).toMatch(/more of model\.safetensors than the 18 bytes that it announced/);
    expect(readdirSync(folder).sort()).toEqual(['config.json', 'tokenizer.json']);
  });

  test.each([
    'http://127.0.0.1:1',
    'http://localhost:1',
    'http://10.1.2.3',
    'http://192.168.0.1:8080',
    'http://172.31.0.1',
    'http://169.254.169.254',
    'http://0x7f.1',
    'http://[::1]',
    'http://[::ffff:10.0.0.1]',
    'http://[fd00::1]',
    'http://[fe80::1]',
    'http://[64:ff9b::a00:1]',
  ])('redirects to %s, within the network of the client', async (elsewhere) => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: URL) => {
      asked.push(url.origin);
      return new Response(null, { status: 302, headers: { location: `${elsewhere}/secrets` } });
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { code, stderr } = await pull(['--endpoint', 'https://203.0.113.7']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/203\.0\.113\.7 redirects to .*, an address in the local network/);
    expect(asked).toEqual(['https://203.0.113.7']);
  });

  test('may redirect to other public addresses', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: URL, { method }: RequestInit) => {
      asked.push(`${method} ${url}`);
      return url.port === ''
        ? new Response(null, { status: 302, headers: { location: 'https://u:secret@198.51.100.7:8443/x' } })
        : new Response(null, { status: 404 });
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    await pull(['--endpoint', 'https://203.0.113.7']);
    expect(asked.at(-1)).toBe('GET https://198.51.100.7:8443/x');
  });
});

describe('links where parts go', () => {
  test.each(['model.safetensors.part', 'model.safetensors.part.etag'])(
    '%s: their targets stay unchanged',
    async (name) => {
      const precious = join(root, `precious ${name}`);
      writeFileSync(precious, 'precious');
      mkdirSync(folder, { recursive: true });
      symlinkSync(precious, join(folder, name));
      expect((await pull()).code).toBe(0);
      expectWhole();
      expect(readFileSync(precious, 'utf8')).toBe('precious');
    },
  );

  test('also where an earlier run seems to have broken off', async () => {
    const precious = join(root, 'precious');
    const start = (hub.files['model.safetensors'] as Uint8Array).subarray(0, 10);
    writeFileSync(precious, start);
    mkdirSync(folder, { recursive: true });
    symlinkSync(precious, join(folder, 'model.safetensors.part'));
    const etag = `"content-${sha256(hub.files['model.safetensors'] as Uint8Array).slice(0, 8)}"`;
    writeFileSync(join(folder, 'model.safetensors.part.etag'), etag);
    expect((await pull()).code).toBe(0);
    expectWhole();
    expect(readFileSync(precious).equals(start)).toBe(true);
  });
});

describe('the token', () => {
  const env = { HF_TOKEN: ' hf_secret\n' };
  test('goes to the hub, and along redirects within it', async () => {
    expect((await pull([], { env })).code).toBe(0);
    expect(new Set(hub.log.map(({ token }) => token))).toEqual(new Set(['Bearer hf_secret']));
  });
  test('does not go to another host', async () => {
    const other = await startHub(hub.files);
    try {
      hub.behaviour.elsewhere = other.endpoint;
      expect((await pull([], { env })).code).toBe(0);
      expectWhole();
      expect(other.log).toEqual([{ method: 'GET', path: '/cdn/model.safetensors' }]);
    } finally {
      other.close();
    }
  });
  test('that no header can hold is refused without being shown', async () => {
    const { code, stderr } = await pull([], { env: { HF_TOKEN: 'hf secret' } });
    expect(code).toBe(2);
    expect(stderr).toContain('HF_TOKEN');
    expect(stderr).not.toContain('secret');
    expect(hub.log).toEqual([]);
  });
});

describe('failures', () => {
  test.each([
    [401, 2, /denies access to .*\(401\).*HF_TOKEN/],
    [403, 2, /\(403\).*HF_TOKEN/],
    [404, 2, /has no \/owner\/model\/resolve\/main\/config\.json \(404\).*spelling/],
    [500, 1, /with 500\. Try again later/],
  ])('the hub answers %j', async (status, expected, message) => {
    hub.behaviour.status = status;
    const { code, stderr, stdout } = await pull();
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(message);
  });
  test('a file is missing', async () => {
    delete hub.files['tokenizer.json'];
    expect(await pull()).toMatchObject({ code: 2, stderr: expect.stringMatching(/tokenizer\.json \(404\)/) });
  });
  test('redirects more than 10 times', async () => {
    hub.behaviour.redirectInCircles = true;
    expect(await pull()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('redirects more than 10 times'),
    });
  });
  test('no one answers', async () => {
    hub.close();
    const { code, stderr } = await pull();
    expect(code).toBe(1);
    expect(stderr).toMatch(/Cannot reach 127\.0\.0\.1:\d+: connection refused at 127\.0\.0\.1:\d+/);
  });
  test('the folder cannot be made', async () => {
    mkdirSync(join(folder, '..'), { recursive: true });
    writeFileSync(folder, 'a file');
    const { code, stderr } = await pull();
    expect(code).toBe(1);
    expect(stderr).toMatch(/Cannot write to .*a file with that name exists.*--to/);
  });
  test('a folder stands where a file must go', async () => {
    mkdirSync(join(folder, 'config.json'), { recursive: true });
    expect(await pull()).toMatchObject({ code: 1, stderr: expect.stringMatching(/Cannot write to .*--to/) });
  });
  test('Ctrl-C before anything', async () => {
    expect(await pull([], { signal: AbortSignal.abort() })).toEqual({ code: 130, stdout: '', stderr: '' });
  });
  test.each([
    'model',
    'a/b/c',
    '../model',
    'owner/..',
    'owner/.hidden',
    'o/a..b',
    'o/',
    '/m',
    'o/m?x',
    'o/m%2e',
    'o\\m/x',
    '',
  ])('%j is no name of a model', async (name) => {
    const outcome = await cli(['pull', name, '--endpoint', hub.endpoint]);
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('OWNER/MODEL') });
    expect(hub.log).toEqual([]);
  });
  test.each([
    ['--revision', '..'],
    ['--revision', ''],
    ['--endpoint', 'hub'],
    ['--endpoint', 'file:///etc'],
  ])('%s %j is refused', async (flag, value) => {
    const { code, stderr } = await pull([flag, value]);
    expect(code).toBe(2);
    expect(stderr).toContain(flag);
    expect(hub.log).toEqual([]);
  });
});

test.each([
  'http://ann:secret@127.0.0.1:1',
  'https://secret@hub.example/',
  'ftp://ann:secret@hub.example',
  'ann:secret@hub.example',
])('the password of an endpoint is not shown: %s', async (endpoint) => {
  for (const setting of [
    { args: ['--endpoint', endpoint], env: {} },
    { args: [], env: { HF_ENDPOINT: endpoint } },
  ]) {
    const outcome = await cli(['pull', 'owner/model', '--to', folder, '--verbose', ...setting.args], {
      env: setting.env,
    });
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toMatch(/(--endpoint|HF_ENDPOINT) must not contain a user or a password/);
    expect(outcome.stderr + outcome.stdout).not.toContain('secret');
  }
});

test('without --to: below models, by the name of the model', async () => {
  hub.files = { ...filesOf(TINY) };
  const cwd = mkdtempSync(join(root, 'cwd-'));
  const { child, outcome } = start(['pull', 'owner/model', '--endpoint', hub.endpoint], { cwd });
  child.stdin.end();
  expect(await outcome).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('a model with 3 dimensions'),
  });
  expect(readdirSync(join(cwd, 'models/owner/model')).sort()).toEqual(FILES);
});
