/**
 * An agent over twenty turns on real documentation, without shaping and with it: the tokens of its requests, the
 * bill of three providers with a prompt cache, and the evidence that stays within reach.
 * `npm run research -- measure/agents [FOLDER] [--data DIR]` prints the tables of docs/results/tokens.md and writes the
 * figures of its plots to the folder. With `--data`: the tables of an agent that works on code, with the logs of builds in
 * that folder.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type ContextShapingMiddlewareOptions,
  contextShapingMiddleware,
} from 'context-shaping-agents/langchain';
import { PRICES } from '../../agents/src/conversation/plan-relief.js';
import { type Reach, reachOf } from '../../agents/test/langchain/evidence.js';
import {
  type Bill,
  type PriceModel,
  priceRequests,
  type Sent,
  tokensIn,
} from '../../agents/test/langchain/priced-requests.js';
import { documentation, QUESTIONS } from '../../agents/test/langchain/support.js';
import { searchWork, sentIn, twentyTurns, type Work } from '../../agents/test/langchain/twenty-turns.js';
import { loadLogDx } from '../eval/data/logdx.js';
import { coding, codingTasks, codingTools } from './coding-turns.js';

/** Dollars are for a million tokens of input. The shortest prefix that is cached is that of the model. */
const PROVIDERS: Record<string, PriceModel & { dollars: number }> = {
  'Anthropic, Claude Opus 5': { ...PRICES.anthropic, dollars: 5, minimum: 512, inside: false },
  'OpenAI, GPT-6.2 Sol': { ...PRICES.openai, dollars: 2, minimum: 1024, inside: true },
  'Google, Gemini 3.5 Flash': { ...PRICES.google, dollars: 1.5, minimum: 4096, inside: true },
};
/** The first is the budget of the first tables. */
const BUDGETS = [6000, 3000, 12_000, 30_000];
/** Logs and files are longer than passages. */
const BUDGETS_OF_CODE = [16_000, 8000, 32_000];
/** A tool gives the end of a longer log, as hosts of agents do. In characters. */
const LONGEST_LOG = 100_000;
/** One result that arrives may have this part of the budget. */
const RESULT_SHARE = 4;

interface Run {
  agent: string;
  mode: 'plain' | 'both' | 'model';
  budget?: number;
  requests: Sent[][];
  /** For each provider, in the order of its name; `cached: false` if it is cheaper not to use the cache. */
  bills: { bill: Bill; cost: number; cached: boolean }[];
  reach: { atItsTurn: Reach[]; atTheEnd: Reach[] };
}

const { values, positionals } = parseArgs({
  options: { data: { type: 'string' } },
  allowPositionals: true,
});

/** An agent at work, and what it must be able to read. */
interface Job extends Work {
  readonly tasks: readonly [question: string, evidence: string][];
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0);

async function run(job: Job, mode: Run['mode'], options?: ContextShapingMiddlewareOptions): Promise<Run> {
  const agent = { plain: 'plain', both: 'shaped', model: "shaped, `mode: 'model'`" }[mode];
  const middleware = options && contextShapingMiddleware({ ...options, handleKey: 'a key for measuring' });
  const twenty = await twentyTurns(job, middleware ? [middleware] : []);
  const { answers, states } = twenty;
  const sent = await sentIn(twenty);
  const atItsTurn: Reach[] = [];
  const atTheEnd: Reach[] = [];
  for (const [turn, question] of job.tasks.entries()) {
    atItsTurn.push(await reachOf(answers[turn] ?? [], states[turn] ?? [], question, middleware));
    atTheEnd.push(await reachOf(answers.at(-1) ?? [], states.at(-1) ?? [], question, middleware));
  }
  const uncached = sum(sent.map(tokensIn));
  const bills = Object.values(PROVIDERS).map((prices) => {
    const bill = priceRequests(sent, prices);
    return { bill, cost: Math.min(bill.cost, uncached), cached: bill.cost <= uncached };
  });
  return {
    agent,
    mode,
    ...(options?.maxTokens === undefined ? {} : { budget: options.maxTokens }),
    requests: sent,
    bills,
    reach: { atItsTurn, atTheEnd },
  };
}

async function runsOf(job: Job, budgets: readonly number[]): Promise<Run[]> {
  const runs = [await run(job, 'plain')];
  for (const maxTokens of budgets) {
    runs.push(await run(job, 'both', { maxTokens, maxToolTokens: maxTokens / RESULT_SHARE }));
    runs.push(await run(job, 'model', { maxTokens, mode: 'model' }));
  }
  return runs;
}

const number = (amount: number) => Math.round(amount).toLocaleString('en');
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const table = (head: string[], rows: string[][]) =>
  console.log(
    [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    '\n',
  );
const within = (reach: readonly Reach[]) =>
  `${reach.filter((each) => each !== 'lost').length} (${reach.filter((each) => each === 'shown').length})`;

/** Prints the tables of some runs. Returns those without a budget, and with the first. */
function print(title: string, runs: readonly Run[], first: number | undefined): Run[] {
  const main = runs.filter(({ budget }) => budget === undefined || budget === first);
  console.log(`${title}, maxTokens ${first}\n`);
  table(
    ['agent', '40 requests', 'largest', 'prefix as before', 'rewrites', 'in reach at its turn', 'at the end'],
    main.map(({ agent, requests, bills, reach }) => {
      const later = sum(requests.slice(1).map(tokensIn));
      const { stable = [], rewrites = 0 } = bills[0]?.bill ?? {};
      return [
        agent,
        number(sum(requests.map(tokensIn))),
        number(Math.max(...requests.map(tokensIn))),
        percent(sum(stable) / later),
        String(rewrites),
        within(reach.atItsTurn),
        within(reach.atTheEnd),
      ];
    }),
  );
  table(
    ['provider', 'agent', 'read', 'written', 'plain input', 'cost in input tokens', 'cost'],
    Object.entries(PROVIDERS).flatMap(([provider, { dollars }], at) =>
      main.map(({ agent, bills, requests }) => {
        const { bill, cost, cached } = bills[at] as Run['bills'][number];
        const { read, write, input } = cached
          ? bill.tokens
          : { read: 0, write: 0, input: sum(requests.map(tokensIn)) };
        return [
          provider,
          agent,
          number(read),
          number(write),
          number(input),
          number(cost),
          `$${((cost * dollars) / 1e6).toFixed(3)}`,
        ];
      }),
    ),
  );
  table(
    ['maxTokens', 'agent', ...Object.keys(PROVIDERS), 'rewrites', 'in reach at its turn', 'at the end'],
    runs
      .toSorted((a, b) => (a.budget ?? 0) - (b.budget ?? 0))
      .map(({ budget, agent, bills, reach }) => [
        budget === undefined ? '–' : number(budget),
        agent,
        ...bills.map(({ cost }) => number(cost)),
        String(bills[0]?.bill.rewrites),
        within(reach.atItsTurn),
        within(reach.atTheEnd),
      ]),
  );
  return main;
}

const main = print(
  'An agent that searches documentation',
  await runsOf({ ...searchWork(await documentation()), tasks: QUESTIONS }, BUDGETS),
  BUDGETS[0],
);
if (values.data !== undefined)
  print(
    'An agent that works on code',
    await runsOf(codingJob(values.data), BUDGETS_OF_CODE),
    BUDGETS_OF_CODE[0],
  );

/** @throws if the data has no logs. */
function codingJob(data: string): Job {
  const failed = loadLogDx(data);
  if (failed === undefined) throw new Error(`${data} has no logs of builds`);
  const logs = failed.map(({ id, log, signals }) => {
    const text = log.slice(-LONGEST_LOG);
    const evidence = signals.flat().find((signal) => signal.length > 1 && text.includes(signal));
    return { id, text, evidence: evidence ?? '' };
  });
  const tasks = codingTasks(logs);
  return {
    tools: codingTools(logs),
    step: coding(tasks),
    questions: tasks.map(({ question }) => question),
    systemPrompt: 'Answer from the files and the logs.',
    tasks: tasks.map(({ question, evidence }) => [question, evidence]),
  };
}

const [folder] = positionals;
if (folder !== undefined) {
  const [provider = '', prices] = Object.entries(PROVIDERS)[0] ?? [];
  const write = (plot: string, figures: unknown) =>
    writeFileSync(join(folder, `${plot}.json`), `${JSON.stringify(figures)}\n`);
  write('agent-tokens', {
    agents: main.map(({ mode, requests }) => ({ agent: mode, requests: requests.map(tokensIn) })),
  });
  write('agent-cost', {
    provider,
    agents: main.map(({ mode, requests, bills }) => {
      const costOf = (sent: Sent[][]) =>
        bills[0]?.cached ? priceRequests(sent, prices as PriceModel).cost : sum(sent.map(tokensIn));
      return {
        agent: mode,
        costs: requests.map((_, at) => Math.round(costOf(requests.slice(0, at + 1)))),
      };
    }),
  });
}
