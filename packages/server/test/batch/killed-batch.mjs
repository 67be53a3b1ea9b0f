/** Runs a small batch, and kills the process before one of its steps on the disk: `node killed-batch.mjs BUILT FOLDER STEP`. */
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [built, folder, step] = process.argv.slice(2);
let steps = 0;
for (const name of ['link', 'open', 'readFile', 'rename', 'rm', 'stat', 'writeFile']) {
  const real = promises[name];
  promises[name] = (...given) => {
    if (steps++ === Number(step)) process.kill(process.pid, 'SIGKILL');
    return real(...given);
  };
}
syncBuiltinESMExports();
const { runBatch } = await import(pathToFileURL(join(built, 'packages/server/dist/batch/run-batch.js')).href);
const json = (text) => new TextEncoder().encode(JSON.stringify({ text }));
const shaped = async ({ bytes }) => {
  const text = new TextDecoder().decode(bytes);
  return text === 'bad'
    ? { is: 'rejected', problem: { detail: 'It is bad.' } }
    : { is: 'shaped', json: json(text) };
};
const { shaped: count } = await runBatch({
  in: join(folder, 'in.jsonl'),
  out: join(folder, 'out.jsonl'),
  settings: { k: 1 },
  signal: new AbortController().signal,
  checkpointMs: 0,
  executor: async () => ({ run: shaped, close: async () => {} }),
});
console.log(`${count} shaped, ${steps} steps`);
