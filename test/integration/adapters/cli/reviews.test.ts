import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReviewQueue, type Review } from 'context-shaping/langgraph';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { importOptional } from '#internal';
import { cli, cliProcess } from '../../../adapters/cli/harness.js';
import { asking, askingFirst, thread } from '../../../adapters/langgraph/review-graphs.js';
import { checkpointers, type Opened } from '../../../adapters/langgraph/servers.js';

const MISSING = { code: 'ERR_MODULE_NOT_FOUND' };
const shared = checkpointers.filter(({ available, shared }) => available && shared);

describe.each(shared)('$name', ({ open }) => {
  let opened: Opened;
  let database: string[] = [];
  beforeEach(async () => {
    opened = await open();
    const [address, schema] = opened.connection.split('#') as [string, string?];
    database = ['--database', address, ...(schema === undefined ? [] : ['--schema', schema])];
  });
  afterEach(() => opened.close());

  const ask = async (...queries: string[]) => {
    const graph = asking({ checkpointer: opened.checkpointer });
    for (const query of queries) await graph.invoke({ query }, thread(`thread of ${query}`));
    const queue = createReviewQueue({ checkpointer: opened.checkpointer });
    return { graph, queue, reviews: await queue.list() };
  };
  const reviews = (args: string[], setting = {}) => cli(['reviews', ...args, ...database], setting);

  test('list: JSON in a pipe, a table on a terminal', async () => {
    const { reviews: expected, queue } = await ask('first', 'second\n\u001b[31mred');
    await queue.claim(expected[0] as Review, { by: 'ann' });
    const piped = await reviews(['list']);
    expect(piped).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(piped.stdout)).toEqual(await queue.list());
    const { stdout } = await reviews(['list'], { terminal: 130, env: { NO_COLOR: '1' } });
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^id +since +state +about +thread +question$/);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      new RegExp(`^${expected[0]?.id}  20.*  claimed by ann  context  thread of first +first$`),
    );
    // On one line, and without what a terminal would obey.
    expect(lines[1]).toMatch(/ open .* second \[31mred$/);
    const limited = await reviews(['list', '--limit', '1']);
    expect(JSON.parse(limited.stdout)).toHaveLength(1);
    const ofThread = await reviews(['list', '--thread', 'thread of first']);
    expect(JSON.parse(ofThread.stdout)).toMatchObject([{ id: expected[0]?.id }]);
  });

  test('JSON keeps all characters, and a terminal obeys none of them', async () => {
    const query = 'a\u001b[31mb\u009b31mc\u202ed';
    await ask(query);
    const { stdout } = await reviews(['list', '--format', 'json'], { terminal: 130 });
    expect(stdout).toMatch(/^[ -~]+\n$/);
    expect(JSON.parse(stdout)).toMatchObject([{ request: { query } }]);
  });

  test('show: the request, for a person and for a program', async () => {
    const { reviews: listed } = await ask('What does it cost?');
    const [review] = listed as [Review];
    const { stdout } = await reviews(['show', review.id], { terminal: 100, env: { NO_COLOR: '1' } });
    const page = stdout.replaceAll(review.id, 'ID').replace(review.since, 'SINCE');
    expect(page).toMatchInlineSnapshot(`
      "What does it cost?
      ID · thread thread of What does it cost? · since SINCE · open
      Verdict: ambiguous. Reasons for the review: ambiguous.

      Chunks that the model would get
      price  grade 0.90 · retrieved · prices.md
        │ It costs 300 euros.
      rain  grade 0.10 · web · About the weather.
        │ It rained.

      Chunks that the model would not get
      old  outranked (select)
        │ It cost 200 euros.

      Texts differ
        compared  document                        says
        ────────  ──────────────────────────────  ─────────
        It costs  prices.md · 2024 · 2 documents  300 euros
                  prices.md · 2020                200 euros

      To answer, run one of
        context-shaping reviews answer ID --approve                 accept this context
        context-shaping reviews answer ID --answer TEXT             add the answer to the context
        context-shaping reviews answer ID --query TEXT              start again with another question
        context-shaping reviews answer ID --refuse                  reject: nothing of this may reach the model
      and add --pin ID, --veto ID, --unevict ID, --by NAME or --note TEXT as needed.
      "
    `);
    const piped = await reviews(['show', review.id]);
    expect(JSON.parse(piped.stdout)).toEqual(review);
    expect(await reviews(['show', 'nothing'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/There is no open review nothing\. .*reviews list/),
    });
  });

  test.each([
    [
      ['--approve', '--pin', 'price', '--veto', 'rain', '--search', 'words', '--by', 'ann', '--note', 'n'],
      { action: 'approve', pin: ['price'], veto: ['rain'], search: 'words', by: 'ann', note: 'n' },
    ],
    [['--approve', '--no-search'], { action: 'approve', search: false }],
    [
      ['--answer', '300 euros', '--unevict', 'old'],
      { action: 'answer', answer: '300 euros', unevict: ['old'] },
    ],
    [['--query', 'What did it cost?'], { action: 'edit', query: 'What did it cost?' }],
    [['--refuse'], { action: 'refuse' }],
    [['--json', '-', '--by', 'ann'], { action: 'refuse', by: 'ann', note: 'from JSON' }],
  ])('answer %j', async (flags, answer) => {
    const { reviews: listed, queue, graph } = await ask('q');
    const [{ id, threadId }] = listed as [Review];
    const outcome = await reviews(['answer', id, ...flags], {
      stdin: JSON.stringify({ action: 'refuse', note: 'from JSON' }),
    });
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(outcome.stdout)).toEqual({ id, threadId, answer, resumed: false });
    expect((await queue.resume(graph)).resumed).toMatchObject([{ output: { log: [answer] } }]);
  });

  test('an answer that is wrong is named as it was written, and can be given again', async () => {
    const { reviews: listed, queue } = await ask('q');
    const [{ id }] = listed as [Review];
    const wrong = async (flags: string[], stdin = '') => {
      const { code, stderr } = await reviews(['answer', id, ...flags], { stdin });
      expect(code).toBe(2);
      return stderr;
    };
    expect(await wrong([])).toMatch(/Give exactly one of --approve/);
    expect(await wrong(['--approve', '--refuse'])).toMatch(/Give exactly one of --approve/);
    expect(await wrong(['--approve', '--pin', 'x'])).toMatch(/^context-shaping: --pin .*"price"/);
    expect(await wrong(['--refuse', '--search', 'x'])).toMatch(
      /^context-shaping: --search is not a field of the action/,
    );
    expect(await wrong(['--answer', ' '])).toMatch(/^context-shaping: --answer is empty/);
    expect(await wrong(['--json', '-'], '{"action":"approve","pin":["x"]}')).toMatch(/: \$\.pin\[0\] /);
    expect(await wrong(['--json', '-'], '{')).toMatch(/standard input, line 1/);
    expect(await wrong(['--json', '-', '--approve'])).toMatch(/cannot be used with option/);
    await queue.claim(id, { by: 'bob' });
    expect(await wrong(['--approve', '--by', 'ann'])).toMatch(/is claimed by bob/);
    expect((await reviews(['answer', id, '--approve', '--by', 'bob'])).code).toBe(0);
    expect(await wrong(['--refuse'])).toMatch(/has an answer already, by bob/);
  });

  test('with the application’s graph the thread goes on at once, and the program ends', async () => {
    const { reviews: listed, queue } = await ask('good', 'bad');
    process.env.REVIEWS = opened.connection;
    const answer = (query: string, args: string[]) =>
      cliProcess([
        'reviews',
        'answer',
        listed.find(({ request }) => request.query === query)?.id ?? '',
        ...args,
      ]);
    const app = fileURLToPath(new URL('../../../adapters/cli/review-app.ts', import.meta.url));
    const good = await answer('good', ['--approve', '--app', `${app}#graph`]);
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(good.stdout)).toMatchObject({ threadId: 'thread of good', resumed: true });
    const bad = await answer('bad', ['--approve', '--app', `${app}#graph`]);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/answer is recorded, but thread thread of bad failed: no disk/);
    expect(await queue.list()).toMatchObject([{ answered: true, request: { query: 'bad' } }]);
    await askingFirst({ checkpointer: opened.checkpointer }).invoke({ query: 'late' }, thread('late'));
    const { id } = (await queue.list({ threadId: 'late' }))[0] as Review;
    expect((await cliProcess(['reviews', 'answer', id, '--approve', '--app', `${app}#late`])).code).toBe(1);
    const table = await reviews(['list', '--thread', 'late', '--format', 'text']);
    expect(table.stdout).toMatch(/ unfinished /);
    expect((await reviews(['show', id, '--format', 'text'])).stdout).not.toMatch(/To answer/);
    const other = await answer('bad', ['--approve', '--app', `${app}#other`]);
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(
      /The export other of .* is not a graph .*; the file exports graph, late, other/,
    );
  });
});

describe('the application', () => {
  const NODE_MODULES = `require('node:module').createRequire(${JSON.stringify(import.meta.url)})`;
  const GRAPH = `{ invoke() {}, checkpointer: new (${NODE_MODULES}('@langchain/langgraph').MemorySaver)() }`;
  test.each([
    [
      'app.mjs',
      `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); export default ${GRAPH};`,
      '',
    ],
    ['app.cjs', `module.exports = Object.assign({}, { graph: ${GRAPH} });`, '#graph'],
    ['app.cjs', `module.exports = { __esModule: true, default: Promise.resolve(${GRAPH}) };`, ''],
  ])('%s: %s', async (name, text, hash) => {
    const folder = await mkdtemp(join(tmpdir(), 'app-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, name), text);
    const outcome = await cliProcess(['reviews', 'list', '--app', `${join(folder, name)}${hash}`]);
    expect(outcome).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  test('in a language that Node does not load', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'app-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'app.coffee');
    await writeFile(file, '');
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const outcome = await cliProcess(['reviews', 'list', '--app', file]);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot load .*--import tsx/) });
  });
});

test('a package that is not there is named, with how to install it', async () => {
  const load = () => Promise.reject(Object.assign(new Error("Cannot find package 'pg'"), MISSING));
  await expect(importOptional(load, 'context-shaping reviews', 'npm install x')).rejects.toThrow(
    /^context-shaping reviews needs a package that is not installed \(got "pg"\)\. Run: npm install x$/,
  );
});

describe('where the reviews are', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reviews-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const list = (args: string[], env = {}) => cli(['reviews', 'list', ...args], { env });

  test('must be said, and must be there', async () => {
    expect(await list([])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--database or in CONTEXT_SHAPING_DATABASE/),
    });
    const missing = join(folder, 'none.sqlite');
    for (const outcome of [
      await list(['--database', missing]),
      await list([], { CONTEXT_SHAPING_DATABASE: missing }),
    ]) {
      expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining(`no file ${missing}`) });
    }
    expect(await list(['--app', missing])).toMatchObject({ code: 2 });
    expect(await list(['--app', missing, '--database', missing])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be used with option'),
    });
  });

  test.skipIf(!checkpointers[1]?.available)('a file that is no database', async () => {
    const file = join(folder, 'text');
    await writeFile(file, 'no database'.repeat(200));
    expect(await list(['--database', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${file} is not a SQLite file`),
    });
  });

  test.skipIf(!checkpointers[1]?.available)('a database of something else stays as it is', async () => {
    const file = join(folder, 'empty.sqlite');
    await writeFile(file, '');
    expect(await list(['--database', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${file} has no checkpoints of a graph`),
    });
    expect((await readFile(file)).length).toBe(0);
  });

  test('a password is never shown, in any error', async () => {
    for (const address of [
      'postgres://ann:secret@127.0.0.1:1/app?password=secret',
      'postgres://ann:secret@[',
      'postgres://ann:1/secret@127.0.0.1:1/app',
      'postgres://ann:1?secret@127.0.0.1:1/app',
      'postgres://ann:1#secret@127.0.0.1:1/app',
      'postgres:secret@127.0.0.1/app',
      'mysql://ann:secret@127.0.0.1/app',
      'host=127.0.0.1 user=ann password=secret',
    ]) {
      for (const more of [[], ['--verbose']]) {
        const outcome = await list(['--database', address, ...more]);
        expect(outcome.code).toBeGreaterThan(0);
        expect(outcome.stderr).not.toContain('secret');
      }
    }
    const { stderr, code } = await list(['--database', 'postgres://ann:secret@127.0.0.1:1/app']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /postgres:\/\/127\.0\.0\.1:1\/app, schema public cannot be read.*connection refused at 127\.0\.0\.1:1/,
    );
  });

  test.skipIf(!checkpointers[2]?.available)('a schema in which no graph has saved anything', async () => {
    const opened = await (checkpointers[2] as (typeof checkpointers)[number]).open();
    const [address] = opened.connection.split('#') as [string];
    await opened.close();
    const outcome = await list(['--database', address, '--schema', 'nothing_here']);
    expect(outcome).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/schema nothing_here.*--schema/),
    });
  });
});
