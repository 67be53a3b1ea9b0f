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

interface Measured {
  machine: { processor: string; cores: number; node: string };
  profiles: { n: number; texts: string; dimension: number; own: Record<string, number> }[];
  claims: { claim: string; holds?: boolean; figures: string }[];
}

const machineOf = ({ processor, cores, node }: Measured['machine']) =>
  `${cores} cores of ${processor}, Node ${node.slice(1)}`;

/** The times of whole calls, of known and of new texts. */
export function timesTable(): string {
  const { profiles, machine } = plot('speed') as Measured;
  const cell = (n: number, texts: string, dimension: number) => {
    const found = profiles.find(
      (each) => each.n === n && each.texts === texts && each.dimension === dimension,
    );
    return `${Math.round(found?.own['whole call'] ?? Number.NaN)} ms`;
  };
  const rows = [50, 200].map((n) => {
    const times = ['texts met before', 'new texts'].flatMap((texts) => [
      cell(n, texts, 384),
      cell(n, texts, 0),
    ]);
    return `| ${[n, ...times].join(' | ')} |`;
  });
  return [
    '| chunks, of 110 words | known texts, vectors given | known, text only | new texts, vectors given | new, text only |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    `Processor time, medians of the third of the turns with the least load, on ${machineOf(machine)}.`,
  ].join('\n');
}

/** The aims of the benchmark, the measured figures, and whether each aim is reached. */
export function claimsTable(): string {
  const { claims } = plot('speed') as Measured;
  const rows = claims.map(
    ({ claim, holds, figures }) =>
      `| ${claim} | ${figures} | ${holds === undefined ? 'not measured' : holds ? 'yes' : 'no'} |`,
  );
  return ['| aim | measured | reached |', '|---|---|---|', ...rows].join('\n');
}

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

/** Rows of the tables of lists by vectors: their names for readers, and their contestants in the benchmark. */
const ON_REAL_LISTS: readonly { row: string; name: string; contestant?: string }[] = [
  {
    row: 'ours, with the vectors',
    name: 'context-shaping, with the vectors',
    contestant: 'ours, vectors given, new texts',
  },
  {
    row: 'ours, nothing said of the list, no vectors',
    name: 'context-shaping, words alone',
    contestant: 'ours, text only, new texts',
  },
  { row: 'sum of words and cosines, both 0 to 1', name: 'whole chunks by BM25 and cosine together' },
  {
    row: 'naive sentences, cosines as prior',
    name: 'the best sentences by BM25 and cosine, twenty lines of code',
  },
  {
    row: 'LangChain’s `EmbeddingsFilter`',
    name: "the list as it is; LangChain's `EmbeddingsFilter`",
    contestant: 'LangChain EmbeddingsFilter',
  },
  { row: 'LangChain’s MMR', name: "LangChain's MMR", contestant: 'LangChain MMR, k = 50' },
  { row: 'random sentences', name: 'random sentences' },
];

/** The share of evidence kept of lists by vectors, from the page of results. */
function keptOnRealLists(row: string, part: '1/4' | '1/10'): number {
  const [, table = ''] = pageOf('real-lists').split(`| evidence at ${part} |`);
  const line = table.split('\n').find((each) => each.startsWith(`| ${row} |`));
  const value = Number.parseFloat(line?.split('|')[2] ?? '');
  if (Number.isNaN(value)) throw new Error(`The page of real lists has no ${row} at ${part}.`);
  return value;
}

export function realKeptTable(): string {
  const rows = ON_REAL_LISTS.map(({ row, name, contestant }) => {
    const shares = [share(keptOnRealLists(row, '1/4')), share(keptOnRealLists(row, '1/10'))];
    return `| ${[name, ...shares, contestant === undefined ? '–' : time(contestant)].join(' | ')} |`;
  });
  return [
    '| method | a quarter of the tokens | a tenth | time for 200 chunks of 110 words |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

export function keptSentence(): string {
  const [, words, ...rivals] = ON_REAL_LISTS.map(({ row, name }) => ({
    name,
    kept: keptOnRealLists(row, '1/10'),
  }));
  const [best, next] = rivals.sort((a, b) => b.kept - a.kept);
  const named = (each: typeof best) => `${each?.name.split(',')[0]} (${perCent(each?.kept ?? Number.NaN)})`;
  return `At a tenth of the tokens, ${perCent(words?.kept ?? Number.NaN)} of the evidence stays. Next come ${named(best)} and ${named(next)}.`;
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
