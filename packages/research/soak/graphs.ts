/**
 * A process that runs corrective retrieval on PostgreSQL for the soak test: node soak-graphs.ts CONNECTION SCHEMA LOG NAME
 * SEED MODE
 *
 * `work`: begins threads, goes on with those that it began and was killed in, and answers their reviews, until it is
 * killed. `watch`: checks and removes finished threads, and is not killed. After SIGTERM it finishes the rest, and notes
 * the threads that are left. All write to LOG: `begun`, `answered`, `done` and `wrong` with the name of a thread.
 * Each thread belongs to one process at a time.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentInterface } from '@langchain/core/documents';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import type { ShapingReport } from 'context-shaping';
import { createCragGraph, pendingReviews, resume } from 'context-shaping/langgraph';
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
const FAILURE = 'no answer this time';
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
    if (chance(0.1)) throw new Error(FAILURE);
    return { answer: `from ${context.length}` };
  })
  .addEdge(START, 'retrieve')
  .addEdge('retrieve', 'crag')
  .addEdge('crag', 'generate')
  .addEdge('generate', END)
  .compile({ checkpointer });
const configOf = (thread: string) => ({ configurable: { thread_id: thread }, durability: 'sync' }) as const;

/** @returns whether the run got to its end, or to its question. */
const tried = (run: Promise<unknown>): Promise<boolean> =>
  run.then(
    () => true,
    (error) => {
      if (error?.message !== FAILURE) throw error;
      return false;
    },
  );

/** Begins a thread, or continues one that was stopped and waits for nobody. */
async function run(thread: string): Promise<void> {
  const { createdAt, tasks, next } = await graph.getState(configOf(thread));
  if (createdAt === undefined) await tried(graph.invoke({ query: thread }, configOf(thread)));
  else if (next.length > 0 && tasks.every(({ interrupts }) => interrupts.length === 0))
    await tried(graph.invoke(null, configOf(thread)));
}

const ACTIONS = [{ action: 'approve' }, { action: 'refuse' }, { action: 'answer', answer: 'In 1932.' }];

async function review(isMine: (thread: string) => boolean): Promise<void> {
  for (const each of await pendingReviews(checkpointer)) {
    if (!isMine(each.threadId) || chance(0.3)) continue;
    const action = ACTIONS[Math.floor(random() * ACTIONS.length)];
    await tried(resume(graph, each, { ...action, by: name }));
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
      // The answer of a process that was killed stays, and another one may have answered again.
      ...(reviewers.length !== 1 || reviewers.every((by) => reviews.some((each) => each.by === by))
        ? []
        : ['another-answer']),
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

async function work(): Promise<void> {
  const mine = (thread: string) => thread.startsWith(`${name}-`);
  for (const thread of left().filter(mine)) await run(thread);
  for (let at = [...noted('begun').keys()].filter(mine).length; ; at++) {
    const thread = `${name}-${at}`;
    note('begun', thread);
    await run(thread);
    await pause(500 + 2500 * random());
    await review(mine);
    for (const each of left().filter(mine)) await run(each);
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
    await tidy();
  }
  // Everything that was begun comes to an end.
  for (let round = 0; round < 10 && left().length > 0; round++) {
    for (const thread of left()) await run(thread);
    await review(() => true);
    await tidy();
  }
  for (const thread of left()) {
    const { next } = await graph.getState(configOf(thread));
    note('lost', thread, next.join('+') || 'without-an-answer');
  }
}

await (mode === 'work' ? work() : watch());
await checkpointer.end();
