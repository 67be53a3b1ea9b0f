/**
 * A process that answers reviews: node review-worker.ts CONNECTION LOG NAME LEASE_MS MODE
 *
 * It says that it is ready, and begins when its standard input ends. `work`: claims, answers and resumes until nothing is left; says which threads it answered.
 * `hold`: claims ten, says so, and does nothing more. `hang`: the same within the run of a thread, in the node that
 * asked; `late`: in the one after it. Its paid calls are in LOG as well.
 */
import { appendFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createReviewQueue } from 'context-shaping/langgraph';
import { askingFirst } from './review-graphs.js';
import { connect } from './servers.js';

const [connection, log, name, leaseMs, mode] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);

const { checkpointer, close } = await connect(connection);
const queue = createReviewQueue({ checkpointer, leaseMs: Number(leaseMs) });
const hang = async (query: string) => {
  say({ hanging: query });
  await pause(60_000);
};
const graph = askingFirst(
  { checkpointer },
  async (_, { query }) => {
    if (mode === 'late') await hang(query);
    appendFileSync(log, `${query} generated\n`);
    return 'generated';
  },
  async ({ query }, answer) => {
    if (mode === 'hang') await hang(query);
    appendFileSync(log, `${query} ${(answer as { by: string }).by}\n`);
  },
);

say({ ready: true });
await text(process.stdin);

if (mode === 'hold') {
  const held: string[] = [];
  for (const review of await queue.list()) {
    if (held.length < 10 && (await queue.claim(review, { by: name }))) held.push(review.threadId);
  }
  say({ held });
  await pause(60_000);
}
const answered: string[] = [];
for (;;) {
  const reviews = await queue.list();
  if (reviews.length === 0) break;
  let claims = 0;
  for (const review of reviews) {
    const claim = review.answered ? undefined : await queue.claim(review, { by: name });
    if (claim === undefined) continue;
    claims++;
    await queue.answer(claim, { action: 'approve' });
    answered.push(review.threadId);
    await queue.resume(graph, { threadId: review.threadId });
  }
  if (claims > 0) continue;
  const { resumed } = await queue.resume(graph);
  if (resumed.length === 0) await pause(50);
}
say({ answered });
await close();
