/**
 * The price of each low water mark, and the share of results that it keeps in sight: `npm run research -- measure/marks DIR`. The
 * conversations are made of the sessions of LongMemEval. In `chat`, each turn of the user is a question, and the agent
 * searches the sessions for it. In `loop`, one question leads to many calls, each of which reads a session. DIR is that of
 * the evaluation.
 */
import { BM25Retriever } from '@langchain/community/retrievers/bm25';
import { Document } from '@langchain/core/documents';
import { estimateTokens } from 'context-shaping';
import {
  type MessageSize,
  PRICES,
  type Prices,
  planRelief,
} from '../../agents/src/conversation/plan-relief.js';
import { readSessions, sessionText } from '../eval/data/longmemeval.js';

const BUDGETS = [3000, 6000, 12_000, 30_000];
const LOW = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
const TURNS = 20;
const CONVERSATIONS = 12;
const SESSIONS = 48;
/** Tokens of a system prompt and the tools, of a call, and of a note. */
const [FIXED, CALL, NOTE] = [400, 40, 40];

const [dir] = process.argv.slice(2);
if (dir === undefined) throw new Error('Give the folder of the data: npm run research -- measure/marks DIR');
const sessions = [...readSessions(dir).values()];

/** One call of a tool, in tokens. The first of a turn has a question, the last an answer. */
interface Step {
  question?: number;
  result: number;
  answer?: number;
}

/** Both kinds of conversations, of the sessions from `first` on. */
async function conversationsFrom(first: number): Promise<Record<string, Step[]>> {
  const own = sessions.slice(first, first + SESSIONS);
  const turns = own.flatMap((each) => each.filter(({ content }) => content.trim() !== ''));
  const documents = turns.map(({ content }) => new Document({ pageContent: content }));
  const search = BM25Retriever.fromDocuments(documents, { k: 20 });
  const asked = own.flat().flatMap(({ role, content }, at, all) => {
    const next = all[at + 1];
    return role === 'user' && next?.role === 'assistant' && content.length < 2000
      ? [{ question: content, answer: next.content }]
      : [];
  });
  const chat: Step[] = [];
  for (const { question, answer } of asked.slice(0, TURNS)) {
    const found = await search.invoke(question.slice(0, 500));
    const text = found.map(({ pageContent }) => pageContent).join('\n\n');
    chat.push({
      question: estimateTokens(question) + 4,
      result: estimateTokens(text) + 4,
      answer: estimateTokens(answer) + 4,
    });
  }
  const loop = own.slice(0, 2 * TURNS).map(
    (each, at): Step => ({
      ...(at === 0 ? { question: 60 } : {}),
      result: estimateTokens(sessionText(each)) + 4,
    }),
  );
  return { chat, loop };
}

/** A result is shaped into a quarter of the budget when it arrives. */
function sizesOf(steps: readonly Step[], budget: number): MessageSize[] {
  let turn = -1;
  return steps.flatMap(({ question, result, answer }): MessageSize[] => {
    if (question !== undefined) turn++;
    const words = (full: number, isAnswer: boolean): MessageSize => ({
      full,
      noted: full,
      turn,
      canDrop: true,
      isAnswer,
    });
    const full = Math.min(result, budget / 4);
    return [
      ...(question === undefined ? [] : [words(question, false)]),
      words(CALL, true),
      { ...words(full, false), noted: Math.min(full, NOTE) },
      ...(answer === undefined ? [] : [words(answer, true)]),
    ];
  });
}

interface Figures {
  cost: number;
  rewrites: number;
  /** Share of the tokens of all results so far that a request shows, over all requests. */
  sight: number;
}

function replay(sizes: readonly MessageSize[], high: number, low: number, prices: Prices): Figures {
  const ends = sizes.flatMap(({ isAnswer }, at) =>
    isAnswer && at > 0 && !sizes[at - 1]?.isAnswer ? [at] : [],
  );
  const figures = { cost: 0, rewrites: 0 };
  const tokens = { shown: 0, all: 0 };
  for (const end of [...ends, sizes.length]) {
    const plan = planRelief(sizes.slice(0, end), { fixed: FIXED, high, low, prices });
    figures.cost += plan.cost;
    figures.rewrites = plan.rewrites;
    for (const [at, level] of plan.levels.entries()) {
      const { full, noted } = sizes[at] as MessageSize;
      if (noted === full) continue;
      tokens.all += full;
      if (level === 'full') tokens.shown += full;
    }
  }
  return { ...figures, sight: tokens.shown / tokens.all };
}

const mean = (amounts: readonly number[]) => amounts.reduce((sum, each) => sum + each, 0) / amounts.length;
const all: Record<string, Step[][]> = { chat: [], loop: [] };
for (let at = 0; at < CONVERSATIONS; at++)
  for (const [kind, steps] of Object.entries(await conversationsFrom(at * SESSIONS))) all[kind]?.push(steps);

const rows = LOW.map((low) => ({
  low,
  dearer: [] as number[],
  ofUnshaped: [] as number[],
  figures: [] as Figures[],
}));
for (const [kind, conversations] of Object.entries(all))
  for (const [provider, prices] of Object.entries(PRICES)) {
    const whole = conversations.map((steps) => sizesOf(steps, Number.POSITIVE_INFINITY));
    const unshaped = mean(
      whole.map((sizes) => replay(sizes, Number.MAX_VALUE, Number.MAX_VALUE, prices).cost),
    );
    for (const budget of BUDGETS) {
      const lists = conversations.map((steps) => sizesOf(steps, budget));
      const costs = rows.map(({ low, figures }) => {
        const own = lists.map((sizes) => replay(sizes, budget, low * budget, prices));
        figures.push(...own);
        return mean(own.map(({ cost }) => cost));
      });
      const least = Math.min(...costs);
      console.log(
        `${kind}, ${provider}, ${budget}: ${costs.map(Math.round).join(' ')}; unshaped ${Math.round(unshaped)}`,
      );
      for (const [at, row] of rows.entries()) {
        row.dearer.push((costs[at] as number) / least - 1);
        row.ofUnshaped.push((costs[at] as number) / unshaped);
      }
    }
  }

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
console.log(
  '\n| low | dearer than the cheapest, mean | worst | of the price without shaping, worst | in sight | rewrites |',
);
console.log('|---|---|---|---|---|---|');
for (const { low, dearer, ofUnshaped, figures } of rows) {
  const cells = [
    low,
    percent(mean(dearer)),
    percent(Math.max(...dearer)),
    percent(Math.max(...ofUnshaped)),
    percent(mean(figures.map(({ sight }) => sight))),
    mean(figures.map(({ rewrites }) => rewrites)).toFixed(1),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
