/**
 * A process that runs corrective retrieval on PostgreSQL for the soak test: node soak-graphs.ts CONNECTION SCHEMA LOG NAME
 * SEED MODE
 *
 * `work`: begins threads, goes on with those that it began and was killed in, claims, answers and continues reviews,
 * until it is killed. `watch`: continues answered threads, checks and removes finished ones, and is not killed. After
 * SIGTERM it finishes the rest, and notes the threads that are left. All write to LOG: `begun`, `asked`, `answered`,
 * `done` and `wrong` with the name of a thread.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentInterface } from '@langchain/core/documents';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import type { ShapingReport } from 'context-shaping';
import { createCragGraph, createReviewQueue } from 'context-shaping/langgraph';
import { seededRandom } from '../../../test/random.js';

const [address, schema, log, name, seed, mode] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  'work' | 'watch',
];
const random = seededRandom(Number(seed));
const chance = (share: number) => random() < share;
const note = (what: string, thread: string, by = '') => appendFileSync(log, `${what} ${thread} ${by}\n`);
/** The threads that have a note of this kind, each with the names in its notes. */
function noted(what: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const [kind, thread = '', by = ''] = line.split(' ');
    if (kind === what) found.set(thread, [...(found.get(thread) ?? []), by]);
  }
  return found;
}

const checkpointer = PostgresSaver.fromConnString(address, { schema });
/** Reviewers that are killed hold their claims no longer. */
const queue = createReviewQueue({ checkpointer, leaseMs: 5000 });

const WORDS =
  'bridge tunnel harbour opened closed built ferry river traffic year stone steel long work old new'.split(
    ' ',
  );
/** The same for a thread whenever it is asked for. */
function documentsOf(thread: string): DocumentInterface[] {
  const draw = seededRandom([...thread].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7));
  const word = () => WORDS[Math.floor(draw() * WORDS.length)] as string;
  return Array.from({ length: 3 + Math.floor(draw() * 12) }, (_, at) => ({
    id: `d${at}`,
    pageContent: `${Array.from({ length: 8 + Math.floor(draw() * 60) }, word).join(' ')} ${at}.`,
    metadata: { source: `${at % 4}.md` },
  }));
}

const State = Annotation.Root({
  query: Annotation<string>,
  documents: Annotation<DocumentInterface[]>,
  context: Annotation<DocumentInterface[]>,
  report: Annotation<ShapingReport>,
  answer: Annotation<string>,
});
const crag = createCragGraph({
  shaper: { budget: { maxTokens: 200 } },
  grader: { name: 'fixed', grade: async (requests) => requests.map(() => ({ grade: 0.5 })) },
  review: true,
});
const graph = new StateGraph(State)
  .addNode('retrieve', ({ query }) => ({ documents: documentsOf(query) }))
  .addNode('crag', crag)
  // The node after a review fails now and then.
  .addNode('generate', ({ context }) => {
    if (chance(0.1)) throw new Error('no answer this time');
    return { answer: `from ${context.length}` };
  })
  .addEdge(START, 'retrieve')
  .addEdge('retrieve', 'crag')
  .addEdge('crag', 'generate')
  .addEdge('generate', END)
  .compile({ checkpointer });
const configOf = (thread: string) => ({ configurable: { thread_id: thread }, durability: 'sync' }) as const;

/** Begins a thread, or continues one that has not asked for a review yet. The queue continues the others. */
async function run(thread: string): Promise<void> {
  const { createdAt, tasks, next } = await graph.getState(configOf(thread));
  if (createdAt === undefined) await graph.invoke({ query: thread }, configOf(thread));
  else if (next.length > 0 && tasks.every(({ interrupts }) => interrupts.length === 0)) {
    // Read after the state: only this process could have brought the thread to its question meanwhile.
    if (!noted('asked').has(thread)) await graph.invoke(null, configOf(thread));
  }
}

const ACTIONS = [{ action: 'approve' }, { action: 'refuse' }, { action: 'answer', answer: 'In 1932.' }];

async function review(): Promise<void> {
  for (const each of await queue.list({ limit: 5 })) {
    if (each.answered || chance(0.3)) continue;
    note('asked', each.threadId);
    const claim = await queue.claim(each, { by: name });
    if (claim === undefined) continue;
    if (chance(0.2)) {
      await queue.release(claim);
      continue;
    }
    await queue.answer(claim, ACTIONS[Math.floor(random() * ACTIONS.length)]);
    note('answered', each.threadId, name);
  }
}

/** Checks and removes finished threads, so that the size of the database stays the same. */
async function tidy(): Promise<void> {
  const done = noted('done');
  const answered = noted('answered');
  for (const thread of noted('begun').keys()) {
    if (done.has(thread)) continue;
    const { values, next } = await graph.getState(configOf(thread));
    const { report, answer, documents } = values as typeof State.State;
    if (next.length > 0 || answer === undefined) continue;
    const reviewers = answered.get(thread) ?? [];
    const told = [...report.kept, ...report.evicted].map(({ index }) => index).sort((a, b) => a - b);
    const reviews = report.crag?.reviews ?? [];
    const problems = [
      ...(documents.every((_, at) => told[at] === at) ? [] : ['documents-lost']),
      ...(new Set(told).size === told.length ? [] : ['documents-told-twice']),
      ...(reviews.length === 1 ? [] : [`reviews-${reviews.length}`]),
      ...(reviewers.length > 1 ? ['answered-twice'] : []),
      // A process that is killed after answering does not note the answer.
      ...(reviewers.every((by) => reviews.some((each) => each.by === by)) ? [] : ['another-answer']),
    ];
    for (const problem of problems) note('wrong', thread, problem);
    note('done', thread);
    await checkpointer.deleteThread(thread);
  }
}

const left = () => {
  const done = noted('done');
  return [...noted('begun').keys()].filter((thread) => !done.has(thread));
};

async function resume(limit: number): Promise<void> {
  await queue.resume(graph, { limit });
}

async function work(): Promise<void> {
  const mine = (thread: string) => thread.startsWith(`${name}-`);
  for (const thread of left().filter(mine)) await run(thread);
  for (let at = [...noted('begun').keys()].filter(mine).length; ; at++) {
    const thread = `${name}-${at}`;
    note('begun', thread);
    await run(thread);
    await pause(500 + 2500 * random());
    await review();
    if (chance(0.5)) await resume(3);
    await pause(500 + 2500 * random());
  }
}

let ending = false;
process.on('SIGTERM', () => {
  ending = true;
});

async function watch(): Promise<void> {
  while (!ending) {
    await pause(5000);
    await resume(5);
    await tidy();
  }
  // Everything that was begun comes to an end, claims of those that were killed included.
  for (let round = 0; round < 10 && left().length > 0; round++) {
    for (const thread of left()) await run(thread);
    await review();
    await resume(Number.MAX_SAFE_INTEGER);
    await tidy();
    await pause(1000);
  }
  for (const thread of left()) {
    const { next } = await graph.getState(configOf(thread));
    note('lost', thread, next.join('+') || 'without-an-answer');
  }
}

await (mode === 'work' ? work() : watch());
await checkpointer.end();
