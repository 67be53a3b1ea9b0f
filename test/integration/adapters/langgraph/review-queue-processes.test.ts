/** Reviews that several processes answer at the same time, some of which are killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createReviewQueue } from 'context-shaping/langgraph';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askingFirst, thread } from '../../../adapters/langgraph/review-graphs.js';
import { checkpointers, type Opened } from '../../../adapters/langgraph/servers.js';

const WORKER = fileURLToPath(new URL('../../../adapters/langgraph/review-worker.ts', import.meta.url));
const REVIEWS = 100;
const names = Array.from({ length: REVIEWS }, (_, at) => `thread-${at}`);

describe.each(checkpointers.filter(({ available, shared }) => available && shared))('$name', ({ open }) => {
  let opened: Opened;
  let folder = '';
  let log = '';
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    opened = await open();
    folder = await mkdtemp(join(tmpdir(), 'reviews-'));
    log = join(folder, 'log');
    await writeFile(log, '');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
    await opened.close();
    await rm(folder, { recursive: true });
  });

  const ask = async (threads: readonly string[]) => {
    const { checkpointer } = opened;
    const graph = askingFirst({ checkpointer });
    for (const name of threads) await graph.invoke({ query: name }, thread(name));
    return createReviewQueue({ checkpointer });
  };

  /** A process that begins at the first `next`, which gives the next thing that it says. `ready`: it has started. */
  const worker = (name: string, mode: string, leaseMs = 60_000) => {
    const source = ['--conditions=context-shaping-source', '--import', import.meta.resolve('tsx')];
    const args = [...source, WORKER, opened.connection, log, name, String(leaseMs), mode];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ready = lines.next();
    const next = async () => {
      await ready;
      if (child.stdin.writable) child.stdin.end('begin');
      return JSON.parse((await lines.next()).value as string) as Record<string, string[]>;
    };
    const kill = async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    };
    return { ready, next, kill };
  };

  const lines = async () =>
    (await readFile(log, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ') as [thread: string, what: string]);
  /** The answers by thread, as its graph got them: one line for each time. */
  const given = async () => (await lines()).filter(([, what]) => what !== 'generated');

  test('a hundred reviews, two processes: each is answered once', async () => {
    const queue = await ask(names);
    const workers = [worker('ann', 'work'), worker('bob', 'work')];
    // Otherwise one of them could have answered all before the other has started.
    await Promise.all(workers.map(({ ready }) => ready));
    const [ann, bob] = (await Promise.all(workers.map(({ next }) => next()))) as [
      { answered: string[] },
      { answered: string[] },
    ];
    const answers = await given();
    expect(answers.map(([name]) => name).sort()).toEqual([...names].sort());
    expect(ann.answered.length).toBeGreaterThan(0);
    expect(bob.answered.length).toBeGreaterThan(0);
    const by = (who: string) => answers.filter(([, name]) => name === who).map(([name]) => name);
    expect([by('ann').sort(), by('bob').sort()]).toEqual([ann.answered.sort(), bob.answered.sort()]);
    expect(await queue.list()).toEqual([]);
  });

  test('a process is killed with ten claims: another takes them when they have run out, not before', async () => {
    const queue = await ask(names.slice(0, 15));
    const killed = worker('ann', 'hold', 20_000);
    const { held } = (await killed.next()) as { held: string[] };
    expect(held).toHaveLength(10);
    await killed.kill();
    const claims = (await queue.list()).flatMap(({ claim }) => (claim ? [claim] : []));
    expect(claims).toHaveLength(10);
    expect(claims.every(({ by }) => by === 'ann')).toBe(true);
    await worker('bob', 'work').next();
    expect(Date.now()).toBeGreaterThanOrEqual(Math.max(...claims.map(({ until }) => Date.parse(until))));
    const answers = await given();
    expect(answers.map(([name]) => name).sort()).toEqual(names.slice(0, 15).sort());
    expect(answers.every(([, by]) => by === 'bob')).toBe(true);
  });

  test.each([
    ['in the node that asked', 'hang', {}],
    ['in the node after it', 'late', { unfinished: true }],
  ])('a process is killed while it continues a thread, %s: another goes on', async (_, mode, state) => {
    const queue = await ask(['t']);
    const killed = worker('ann', mode, 2000);
    expect(await killed.next()).toEqual({ hanging: 't' });
    await killed.kill();
    expect(await queue.list()).toEqual([expect.objectContaining({ answered: true, ...state })]);
    expect(await worker('bob', 'work', 2000).next()).toEqual({ answered: [] });
    expect(await lines()).toEqual([
      ['t', 'ann'],
      ['t', 'generated'],
    ]);
    expect(await queue.list()).toEqual([]);
  });
});
