/**
 * One process of a run that may be killed: `kill-run.ts CONNECTION THREAD LOG [DIE_AT]`. It begins the run, or goes
 * on with it, and kills itself once the checkpointer has saved DIE_AT times. What it pays for goes to LOG.
 */
import { appendFileSync } from 'node:fs';
import type { DocumentInterface } from '@langchain/core/documents';
import { Annotation, type BaseCheckpointSaver, Command, END, START, StateGraph } from '@langchain/langgraph';
import type { ShapingReport } from 'context-shaping';
import { createCragGraph } from 'context-shaping/langgraph';
import { connect } from './servers.js';
import { documents, fixedGrader, query, web } from './support.js';

const [connection, threadId, log, dieAt] = process.argv.slice(2) as [string, string, string, string?];
const paid = (what: string) => appendFileSync(log, `${what}\n`);

const { checkpointer, close } = await connect(connection);
if (dieAt !== undefined) killAfter(checkpointer, Number(dieAt));

const grader = fixedGrader();
const crag = createCragGraph({
  grader: {
    name: 'paid',
    async grade(requests, call) {
      for (const { id } of requests) paid(`grade ${id}`);
      return grader.grade(requests, call);
    },
  },
  async rewrite({ query, attempt }) {
    paid(`rewrite ${attempt}`);
    return `${query} ${attempt}`;
  },
  async webSearch(search) {
    paid(`search ${search}`);
    return [web(`found-${search.slice(-1)}`, 0.4), web('found-everywhere', 0.35)];
  },
  maxAttempts: 2,
  review: true,
});

const Parent = Annotation.Root({
  query: Annotation<string>,
  documents: Annotation<DocumentInterface[]>,
  context: Annotation<DocumentInterface[]>,
  report: Annotation<ShapingReport>,
  answer: Annotation<string>,
});
const app = new StateGraph(Parent)
  .addNode('retrieve', () => ({ documents: documents(0.4) }))
  .addNode('crag', crag)
  .addNode('generate', ({ context }) => ({ answer: context.map(({ id }) => id).join() }))
  .addEdge(START, 'retrieve')
  .addEdge('retrieve', 'crag')
  .addEdge('crag', 'generate')
  .addEdge('generate', END)
  .compile({ checkpointer });

const config = { configurable: { thread_id: threadId }, durability: 'sync' } as const;
const state = await app.getState(config);
const begun = state.createdAt !== undefined;
if (!begun) await app.invoke({ query }, config);
else if (state.tasks.every(({ interrupts }) => interrupts.length === 0)) await app.invoke(null, config);
const asked = (await app.getState(config)).tasks.flatMap(({ interrupts }) => interrupts);
if (asked.length > 0) await app.invoke(new Command({ resume: { action: 'approve', pin: ['dogs'] } }), config);
const { values } = await app.getState(config);
process.stdout.write(JSON.stringify({ digest: values.report.digest, answer: values.answer }));
await close();

/** The process is gone the moment the write is on its disk, before anybody here knows. */
function killAfter(saver: BaseCheckpointSaver, saves: number): void {
  let left = saves;
  for (const method of ['put', 'putWrites'] as const) {
    const save = saver[method].bind(saver) as (...given: unknown[]) => Promise<unknown>;
    saver[method] = (async (...given: unknown[]) => {
      const saved = await save(...given);
      left--;
      if (left === 0) process.kill(process.pid, 'SIGKILL');
      return saved;
    }) as never;
  }
}
