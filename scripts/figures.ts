/**
 * Measured figures in documents, as generated parts. They come from the files that the measurements write beside the
 * plots, and from tables of the pages of results.
 */
import { readFileSync } from 'node:fs';

interface Point {
  method: string;
  factor: number;
  kept: number;
}
interface Row {
  case: string;
  n: number;
  contestant: string;
  min: number;
}

const plot = (name: string) => JSON.parse(readFileSync(`docs/public/plots/${name}.json`, 'utf8'));
const pageOf = (name: string) => readFileSync(`docs/results/${name}.md`, 'utf8');

/** The methods of the plot of evidence: their names for readers, and their contestants in the benchmark. */
const METHODS: readonly { method: string; name: string; contestant?: string }[] = [
  {
    method: 'ours, static vectors',
    name: 'context-shaping with vectors of a static model',
    contestant: 'ours, vectors given, new texts',
  },
  { method: 'ours', name: 'context-shaping', contestant: 'ours, text only, new texts' },
  {
    method: 'LangChain EmbeddingsFilter',
    name: "LangChain's `EmbeddingsFilter`, same vectors",
    contestant: 'LangChain EmbeddingsFilter',
  },
  { method: 'naive sentences', name: 'the best sentences by BM25, twenty lines of code' },
  { method: 'BM25 top-k', name: 'whole chunks by BM25' },
  {
    method: 'LangChain MMR',
    name: "LangChain's MMR, same vectors",
    contestant: 'LangChain MMR, k = 50',
  },
  { method: 'random', name: 'random chunks' },
];

function kept(method: string, factor: number): number {
  const { points } = plot('evidence') as { points: Point[] };
  const found = points.find((point) => point.method === method && point.factor === factor);
  if (found === undefined) throw new Error(`The plot of evidence has no ${method} at ${factor}.`);
  return found.kept;
}

function time(contestant: string, n = 200): string {
  const { rows } = plot('speed') as { rows: Row[] };
  const found = rows.find((row) => row.case === 'pipeline' && row.n === n && row.contestant === contestant);
  if (found === undefined) throw new Error(`The plot of speed has no ${contestant} with ${n} chunks.`);
  const milliseconds = found.min < 1 ? share(found.min, 1) : Math.round(found.min).toLocaleString('en');
  return `${milliseconds} ms`;
}

/** The columns of the table of speed, by contestant. */
const PEERS = {
  'ours, vectors given, new texts': 'context-shaping, with vectors',
  'ours, text only, new texts': 'context-shaping, text only',
  'LangChain MMR, k = 50': 'LangChain MMR',
  'LangChain filter + MMR': 'filter, then MMR',
  'LangChain EmbeddingsFilter': 'EmbeddingsFilter',
};

export function peersTable(): string {
  const { sizes } = plot('speed') as { sizes: number[] };
  const rows = sizes.map((n) => {
    const times = Object.keys(PEERS).map((contestant) => time(contestant, n));
    return `| ${[n.toLocaleString('en'), ...times].join(' | ')} |`;
  });
  return [`| chunks | ${Object.values(PEERS).join(' | ')} |`, '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

const share = (value: number, digits = 3) => value.toFixed(digits).replace(/^0/, '');
const perCent = (value: number) => `${Math.round(100 * value)} %`;

export function keptTable(): string {
  const rows = METHODS.map(({ method, name, contestant }) => {
    const cells = [name, share(kept(method, 4)), share(kept(method, 10))];
    return `| ${[...cells, contestant === undefined ? '–' : time(contestant)].join(' | ')} |`;
  });
  return [
    '| method | a quarter of the tokens | a tenth | time for 200 chunks of 110 words |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

export function keptSentence(): string {
  const rivals = METHODS.filter(({ method }) => !method.startsWith('ours'));
  const [best, next] = rivals
    .map(({ method, name }) => ({ name, kept: kept(method, 10) }))
    .sort((a, b) => b.kept - a.kept) as [{ name: string; kept: number }, { name: string; kept: number }];
  const named = ({ name, kept }: { name: string; kept: number }) =>
    `${name.split(',')[0]} (${perCent(kept)})`;
  return `At a tenth of the tokens, ${perCent(kept('ours', 10))} of the answers stay. Next come ${named(best)} and ${named(next)}.`;
}

/** The tokens of an agent, and its price by provider: the prices are in a table of the page. */
export function agentSentence(): string {
  const { agents } = plot('agent-tokens') as { agents: { agent: string; requests: number[] }[] };
  const tokens = (agent: string) =>
    agents.find((each) => each.agent === agent)?.requests.reduce((sum, each) => sum + each, 0) ?? Number.NaN;
  const [, table = ''] = pageOf('tokens').split('## The price with a prompt cache');
  const costs = (agent: string) =>
    Array.from(
      table
        .split('\n## ')[0]
        ?.matchAll(new RegExp(`^\\| [^|]+ \\| ${agent} \\|.*\\| ([\\d,]+) \\| \\$`, 'gm')) ?? [],
      ([, cost]) => Number(cost?.replaceAll(',', '')),
    );
  const plain = costs('plain');
  const shares = costs('shaped').map((cost, at) => cost / (plain[at] ?? Number.NaN));
  if (shares.length === 0) throw new Error('The page of tokens has no table of prices.');
  return `Over twenty turns, an agent sends ${perCent(tokens('both') / tokens('plain'))} of the tokens that it sends without shaping. With prompt caches it pays ${Math.round(100 * Math.min(...shares))} to ${perCent(Math.max(...shares))} of the price; the share depends on the provider.`;
}

/** By the name of the set in the table of the page of quality. */
const KINDS: Readonly<Record<string, string>> = {
  'XQuAD en': 'a fact from one paragraph (XQuAD, English)',
  'TAT-QA': 'a figure from a report with tables (TAT-QA)',
  ClapNQ: 'an answer of several sentences (ClapNQ)',
  NQ: 'a fact from a large collection (Natural Questions)',
  HotpotQA: 'a fact by way of another (HotpotQA)',
  RAMDocs: 'several correct answers (RAMDocs)',
  FeTaQA: 'rows of tables (FeTaQA)',
  MuSiQue: 'a chain of two to four facts (MuSiQue)',
};

export function recommendedBudgets(): string {
  const [, section = ''] = pageOf('quality').split('## Recommended budgets');
  const rows = Object.entries(KINDS).map(([set, kind]) => {
    const cells =
      section
        .split('\n')
        .find((line) => line.startsWith(`| ${set} |`))
        ?.split('|') ?? [];
    return { kind, tokens: Number(cells[8]) };
  });
  const lines = rows.map(({ kind, tokens }) => `| ${kind} | ${tokens.toLocaleString('en')} |`);
  return ['| questions | tokens |', '|---|---|', ...lines].join('\n');
}
