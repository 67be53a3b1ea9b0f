/** Whenever the process is killed, another goes on: nothing is lost, and nothing that was done is done again. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkpointers, missing } from '../../../adapters/langgraph/servers.js';
import { mustHaveAll } from '../../../must-have-all.js';

// Every save of every run in continuous integration, some elsewhere.
const STEP = mustHaveAll ? 1 : 25;

const run = promisify(execFile);
const folder = mkdtempSync('node_modules/.kill-');
const script = join(folder, 'kill-run.js');

beforeAll(() =>
  // All that the process runs in few small files: it starts in half the time, and there are hundreds of it.
  build({
    entryPoints: ['test/adapters/langgraph/kill-run.ts'],
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    conditions: ['context-shaping-source'],
    external: ['better-sqlite3', 'pg-native'],
    banner: {
      js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
    },
    logLevel: 'silent',
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));

test.runIf(mustHaveAll)('all checkpointers are there', () => expect(missing()).toEqual([]));

interface Outcome {
  digest: string;
  answer: string;
  saves: number;
  lost: number;
}

describe.each(checkpointers.filter(({ shared }) => shared))('$name', ({ available, open }) => {
  test.skipIf(!available).each(['approved', 'asked again'])(
    'killed after any save, the run goes on as if nothing had been: %s',
    async (scenario) => {
      const { connection, close } = await open();
      /** Runs one after the other, until one is killed: the outcomes of those before it. */
      const start = async (...runs: string[]): Promise<{ outcomes: Outcome[]; isKilled: boolean }> => {
        const { stdout, signal } = await run(process.execPath, [script, connection, scenario, ...runs]).then(
          (ended) => ({ ...ended, signal: undefined }),
          (error) => {
            if (error.signal === 'SIGKILL') return error;
            throw error;
          },
        );
        const lines: string[] = stdout.split('\n').filter(Boolean);
        return { outcomes: lines.map((line) => JSON.parse(line)), isKilled: signal !== undefined };
      };
      const newLog = () => {
        const log = join(folder, `${crypto.randomUUID()}.log`);
        writeFileSync(log, '');
        return log;
      };
      // Grading is one step, which a kill repeats.
      const paidIn = (log: string) => {
        const paid = readFileSync(log, 'utf8').trim().split('\n').sort();
        return paid.filter((each, at) => !each.startsWith('grade') || each !== paid[at - 1]);
      };
      try {
        const whole = newLog();
        const { outcomes } = await start(whole);
        const { saves, ...outcome } = outcomes[0] as Outcome;
        expect(outcome.lost).toBe(0);
        const paid = paidIn(whole);
        expect(new Set(paid).size).toBe(paid.length);
        const deaths = Array.from({ length: Math.ceil(saves / STEP) }, (_, at) => 1 + at * STEP);
        const die = async () => {
          let killed: { log: string; dieAt: number } | undefined;
          do {
            const dieAt = deaths.pop();
            const next = dieAt === undefined ? undefined : { log: newLog(), dieAt };
            // Each process first continues the run of a killed one; then it is killed itself.
            const { outcomes, isKilled } = await start(
              ...(killed === undefined ? [] : [killed.log]),
              ...(next === undefined ? [] : [`${next.log}=${next.dieAt}`]),
            );
            expect(isKilled).toBe(next !== undefined);
            expect(outcomes).toHaveLength(killed === undefined ? 0 : 1);
            for (const { saves: _, ...resumed } of outcomes)
              expect({ ...killed, ...resumed, paid: paidIn(killed?.log as string) }).toEqual({
                ...killed,
                ...outcome,
                paid,
              });
            killed = next;
          } while (killed !== undefined);
        };
        await Promise.all([die(), die()]);
      } finally {
        await close();
      }
    },
    1_800_000,
  );
});
