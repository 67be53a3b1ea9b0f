/**
 * Draws the plots of the results: `npm run research -- plots`. The figures stand beside the plots, as measured by
 * `npm run eval -- --evidence`, `npm run bench -- --json` and `npm run research -- measure/agents`. A test fails when a plot is not
 * that of its figures. With `--png FOLDER` the plots are also written there as images.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import * as vega from 'vega';
import * as vegaLite from 'vega-lite';

export const FOLDER = 'docs/public/plots';

interface Figures {
  evidence: {
    set: string;
    questions: number;
    points: { method: string; tokens: number; kept: number }[];
  };
  speed: {
    machine: { cores: number; clock: string };
    rows: { case: string; n: number; dimension: number; contestant: string; min: number }[];
  };
  'agent-tokens': { agents: { agent: string; requests: number[] }[] };
  'agent-cost': { provider: string; agents: { agent: string; costs: number[] }[] };
}

type Part = Record<string, unknown>;

/** One line of a plot: its name in the figures, its name in the plot, its colour. Ours are drawn thicker. */
interface Line {
  of: string;
  name: string;
  colour: string;
  ours?: true;
}

// Each has a contrast of at least 3 with both backgrounds.
const [GREEN, BLUE, ORANGE, RED, PURPLE, GREY] = [
  '#0f9d6b',
  '#3b82f6',
  '#c2740a',
  '#e0524d',
  '#a464d9',
  '#80868f',
] as const;

const EVIDENCE_LINES: readonly Line[] = [
  { of: 'ours, static vectors', name: 'context-shaping, with vectors', colour: GREEN, ours: true },
  { of: 'ours', name: 'context-shaping', colour: BLUE, ours: true },
  { of: 'BM25 top-k', name: 'BM25, best chunks', colour: ORANGE },
  { of: 'naive sentences', name: 'BM25, best sentences', colour: RED },
  { of: 'LangChain EmbeddingsFilter', name: 'LangChain EmbeddingsFilter', colour: PURPLE },
  { of: 'LangChain MMR', name: 'LangChain MMR', colour: '#b9892b' },
  { of: 'random', name: 'random chunks', colour: GREY },
];

/** With more, most methods keep almost all answers. */
const MOST_TOKENS = 0.5;

function evidence({ set, questions, points }: Figures['evidence']): Part {
  return lines(EVIDENCE_LINES, {
    title: 'Answers that survive a token budget',
    subtitle: `${set}, ${questions} questions`,
    values: points
      .filter(({ tokens }) => tokens <= MOST_TOKENS)
      .map(({ method, tokens, kept }) => ({ of: method, x: tokens, y: kept })),
    x: { title: 'share of the tokens kept', axis: { format: '%' }, scale: { domain: [0, 0.5] } },
    y: { title: 'answer kept', axis: { format: '%' }, scale: { domain: [0, 1] } },
  });
}

const SPEED_LINES: readonly Line[] = [
  { of: 'ours, vectors given, new texts', name: 'context-shaping, with vectors', colour: GREEN, ours: true },
  { of: 'ours, text only, new texts', name: 'context-shaping, text only', colour: BLUE, ours: true },
  { of: 'LangChain MMR, k = 50', name: 'LangChain MMR', colour: '#b9892b' },
  { of: 'LangChain EmbeddingsFilter', name: 'LangChain EmbeddingsFilter', colour: PURPLE },
  { of: 'LangChain filter + MMR', name: 'LangChain filter, then MMR', colour: RED },
];
const DIMENSION = 1536;

function speed({ machine, rows }: Figures['speed']): Part {
  return lines(SPEED_LINES, {
    title: 'Time of one call',
    subtitle: `vectors of ${DIMENSION.toLocaleString('en')} dimensions are given; least ${machine.clock}, ${machine.cores} cores`,
    values: rows
      .filter((row) => row.case === 'pipeline' && row.dimension === DIMENSION)
      .map(({ contestant, n, min }) => ({ of: contestant, x: n, y: min })),
    x: { title: 'chunks', scale: { type: 'log' }, axis: { values: [20, 50, 100, 200, 500, 1000, 5000] } },
    y: {
      title: 'milliseconds',
      scale: { type: 'log', domain: [0.05, 10_000], nice: false },
      axis: { values: [1, 10, 100, 1000, 10_000], format: ',' },
    },
  });
}

const AGENT_LINES: readonly Line[] = [
  { of: 'plain', name: 'plain agent', colour: RED },
  { of: 'model', name: 'shaped, only the list', colour: BLUE, ours: true },
  { of: 'both', name: 'shaped', colour: GREEN, ours: true },
];
const TURNS = { title: 'turn', axis: { tickCount: 20, format: 'd' }, scale: { domain: [1, 20] } };

function agentTokens({ agents }: Figures['agent-tokens']): Part {
  return lines(AGENT_LINES, {
    title: 'Tokens of an agent’s requests',
    subtitle: 'the second request of each of twenty turns; maxTokens 6,000',
    // Each turn has two requests: one asks for the search, one answers.
    values: agents.flatMap(({ agent, requests }) =>
      requests.filter((_, at) => at % 2 === 1).map((tokens, turn) => ({ of: agent, x: turn + 1, y: tokens })),
    ),
    x: TURNS,
    y: { title: 'tokens', axis: { format: ',d' } },
  });
}

function agentCost({ provider, agents }: Figures['agent-cost']): Part {
  return lines(AGENT_LINES, {
    title: 'The price of all requests so far',
    subtitle: `with the prompt cache of ${provider}; maxTokens 6,000`,
    values: agents.flatMap(({ agent, costs }) =>
      costs.filter((_, at) => at % 2 === 1).map((cost, turn) => ({ of: agent, x: turn + 1, y: cost })),
    ),
    x: TURNS,
    y: { title: 'prices of one input token', axis: { format: ',d' } },
  });
}

interface Lines {
  title: string;
  subtitle: string;
  values: { of: string; x: number; y: number }[];
  x: Part;
  y: Part;
}

function lines(all: readonly Line[], { title, subtitle, values, x, y }: Lines): Part {
  const nameOf = new Map(all.map(({ of, name }) => [of, name]));
  const scale = { domain: all.map(({ name }) => name), range: all.map(({ colour }) => colour) };
  const colour = { field: 'line', type: 'nominal', title: null, sort: null, scale };
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: { text: title, subtitle, anchor: 'start', fontSize: 17, subtitleFontSize: 13, offset: 14 },
    width: 600,
    height: 340,
    padding: 16,
    background: BACKGROUND,
    config: {
      font: 'Inter, Helvetica, Arial, sans-serif',
      axis: { labelFontSize: 13, titleFontSize: 13, titleFontWeight: 'normal', titlePadding: 10 },
      legend: {
        labelLimit: 0,
        labelFontSize: 13,
        orient: 'bottom',
        columns: 2,
        symbolSize: 90,
        rowPadding: 5,
      },
      view: { stroke: null },
    },
    data: {
      values: values.flatMap((value) =>
        nameOf.has(value.of) ? [{ ...value, line: nameOf.get(value.of), ours: isOurs(all, value.of) }] : [],
      ),
    },
    encoding: {
      x: { field: 'x', type: 'quantitative', ...x },
      y: { field: 'y', type: 'quantitative', ...y },
      color: colour,
    },
    layer: [
      {
        mark: 'line',
        encoding: { strokeWidth: { condition: { test: 'datum.ours', value: 3.5 }, value: 1.75 } },
      },
      // The shape tells lines apart where colours do not.
      {
        mark: { type: 'point', filled: true, opacity: 1, size: 55 },
        encoding: { shape: { ...colour, scale: { domain: scale.domain } } },
      },
    ],
  };
}

const isOurs = (all: readonly Line[], name: string) => all.some(({ of, ours }) => of === name && ours);

const BACKGROUND = 'white';

/**
 * A drawing has its own background, so that it can be read on any page. Both follow the reader's colour scheme; as an
 * image it is light.
 */
const DARK = `<style>@media (prefers-color-scheme: dark) {
svg > rect { fill: #1b1b1f }
text { fill: #dfdfd6 }
line { stroke: #4a4a52 }
}</style>`;

const DRAWINGS = { evidence, speed, 'agent-tokens': agentTokens, 'agent-cost': agentCost } as const;
export type Plot = keyof typeof DRAWINGS;
export const PLOTS = Object.keys(DRAWINGS) as Plot[];

const figuresOf = <P extends Plot>(plot: P) =>
  JSON.parse(readFileSync(join(FOLDER, `${plot}.json`), 'utf8')) as Figures[P];

/** As a vector graphic: it shows its text in a font of the reader. */
export async function draw<P extends Plot>(plot: P, figures: Figures[P] = figuresOf(plot)): Promise<string> {
  const drawing = DRAWINGS[plot] as (figures: Figures[P]) => Part;
  const { spec } = vegaLite.compile(drawing(figures) as unknown as vegaLite.TopLevelSpec);
  const svg = await new vega.View(vega.parse(spec), { renderer: 'none' }).toSVG();
  return `${svg.replace(/<svg [^>]*>/, (head) => `${head}${DARK}`)}\n`;
}

let ready: Promise<void> | undefined;

/** As an image: it brings its own font. */
export async function drawPng(svg: string): Promise<Uint8Array> {
  const { resolve } = createRequire(import.meta.url);
  ready ??= initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')));
  await ready;
  const fontBuffers = [400, 700].map((weight) =>
    readFileSync(resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`)),
  );
  const font = { fontBuffers, defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' };
  return new Resvg(svg, { font, fitTo: { mode: 'zoom', value: 2 } }).render().asPng();
}

if (process.argv[1]?.endsWith('plots.ts')) {
  const [flag, folder] = process.argv.slice(2);
  for (const plot of PLOTS) {
    const svg = await draw(plot);
    writeFileSync(join(FOLDER, `${plot}.svg`), svg);
    if (flag !== '--png' || folder === undefined) continue;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${plot}.png`), await drawPng(svg));
  }
}
