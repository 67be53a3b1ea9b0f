/**
 * An agent over twenty turns on real documentation, without shaping and with it: the tokens of its requests, the
 * bill of three providers with a prompt cache, and the evidence that stays within reach. `npm run research -- measure/agents FOLDER`
 * prints the tables of docs/results/tokens.md and writes the figures of its plots to the folder.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContextShapingMiddlewareOptions, contextShapingMiddleware } from 'context-shaping/agents';
import { PRICES } from '../../../adapters/conversation/plan-relief.js';
import { type Reach, reachOf } from '../../../test/adapters/agents/evidence.js';
import {
  type Bill,
  type PriceModel,
  priceRequests,
  type Sent,
  tokensIn,
} from '../../../test/adapters/agents/priced-requests.js';
import { documentation, QUESTIONS } from '../../../test/adapters/agents/support.js';
import { sentIn, twentyTurns } from '../../../test/adapters/agents/twenty-turns.js';

/** Dollars are for a million tokens of input. The shortest prefix that is cached is that of the model. */
const PROVIDERS: Record<string, PriceModel & { dollars: number }> = {
  'Anthropic, Claude Opus 5': { ...PRICES.anthropic, dollars: 5, minimum: 512, inside: false },
  'OpenAI, GPT-6.2 Sol': { ...PRICES.openai, dollars: 2, minimum: 1024, inside: true },
  'Google, Gemini 3.5 Flash': { ...PRICES.google, dollars: 1.5, minimum: 4096, inside: true },
};
const BUDGETS = [6000, 3000, 12_000, 30_000];
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

const documents = await documentation();
const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0);

async function run(mode: Run['mode'], options?: ContextShapingMiddlewareOptions): Promise<Run> {
  const agent = { plain: 'plain', both: 'shaped', model: "shaped, `mode: 'model'`" }[mode];
  const middleware = options && contextShapingMiddleware({ ...options, handleKey: 'a key for measuring' });
  const twenty = await twentyTurns(documents, middleware ? [middleware] : []);
  const { answers, states } = twenty;
  const sent = await sentIn(twenty);
  const atItsTurn: Reach[] = [];
  const atTheEnd: Reach[] = [];
  for (const [turn, question] of QUESTIONS.entries()) {
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

const plain = await run('plain');
const runs: Run[] = [plain];
for (const maxTokens of BUDGETS) {
  runs.push(await run('both', { maxTokens, maxToolTokens: maxTokens / RESULT_SHARE }));
  runs.push(await run('model', { maxTokens, mode: 'model' }));
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

const [first] = BUDGETS;
const main = runs.filter(({ budget }) => budget === undefined || budget === first);
console.log(`maxTokens ${first}\n`);
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

const [folder] = process.argv.slice(2);
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
