/** Batches and workers as programs, and the queue between them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Outcome, start } from '../../../../../test/adapters/cli/harness.js';
import { builtPackage } from '../../../../../test/built-package.js';
import { temporaryFolder } from '../../../../../test/temporary-folder.js';

const program = 'context-shaping-server';
const built = await builtPackage();

export const FRAGILE = resolve(import.meta.dirname, 'fragile.mjs');

export const request = (id: number, query = `What does item ${id} cost?`) => ({
  id,
  query,
  chunks: Array.from({ length: 4 }, (_, at) => ({
    id: `c${at}`,
    text: `Item ${id + at} costs ${7 * id + at} euros. Shop ${at} sells it, and ${id % 3} others.`,
  })),
});

export interface Worker {
  /** Resolves with a line that it writes. */
  says(pattern: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  outcome: Promise<Outcome>;
}

/** A worker that takes lines. It is killed when the test ends. */
export async function worker(url: string, ...args: string[]): Promise<Worker> {
  const own = ['worker', '--queue', url, '--workers', '1', ...args];
  const { child, outcome } = start(own, { program, built });
  onTestFinished(() => void child.kill('SIGKILL'));
  let written = '';
  const says = (pattern: RegExp) =>
    new Promise<string>((found, missed) => {
      const look = (data: string | Buffer) => {
        written += data;
        const line = pattern.exec(written)?.[0];
        if (line !== undefined) found(line);
      };
      child.stderr.on('data', look);
      look('');
      outcome.then(({ code }) => missed(new Error(`It left with ${code}: ${written}`)));
    });
  await says(/Waiting for lines/);
  return { says, kill: (signal) => child.kill(signal), outcome };
}

/** The files of a batch. */
export function files(lines: readonly (string | object)[]) {
  const folder = temporaryFolder();
  const [input, out] = [join(folder, 'in.jsonl'), join(folder, 'out.jsonl')];
  const bodies = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(input, `${bodies.join('\n')}\n`);
  return {
    out,
    /** Reports have times, so they are left out. */
    run: (...args: string[]) => {
      const started = start(['batch', '--in', input, '--out', out, '--no-report', ...args], {
        program,
        built,
      });
      onTestFinished(() => void started.child.kill('SIGKILL'));
      return started;
    },
    outputs: () => [readFileSync(out, 'utf8'), readFileSync(`${out}.rejects.jsonl`, 'utf8')],
  };
}
