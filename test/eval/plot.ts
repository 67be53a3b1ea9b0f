/**
 * The picture of the README: how many answers survive against how many tokens do, as a vector graphic and as
 * an image. A vector graphic shows its text in a font of the reader's; the image brings its own.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import * as vega from 'vega';
import * as vegaLite from 'vega-lite';
import { mean } from './bootstrap.js';
import { loadNaturalQuestions } from './data/nq.js';
import { embeddingsFilter, maximalMarginal } from './methods/langchain.js';
import { bm25, random } from './methods/lexical.js';
import { entropyOrder, ours, oursVectors } from './methods/ours.js';
import { naiveSentences } from './methods/sentences.js';
import { answerKept } from './metrics.js';
import { metricName, scoreBudgets, tokensName } from './suites/budget.js';
import { limited, runnable, type SuiteInput } from './suites/suite.js';

const FACTORS = [1.5, 2, 3, 4, 6, 8, 10, 15, 20];
const QUESTIONS = 500;
const METHODS = [
  oursVectors,
  ours,
  bm25,
  naiveSentences,
  embeddingsFilter,
  maximalMarginal,
  random,
  entropyOrder,
];
const ANSWER = { name: 'answer kept', of: answerKept };

interface Point {
  method: string;
  tokens: number;
  kept: number;
}

/** Writes `evidence.svg` and `evidence.png` into a folder. Does nothing if the data is not there. */
export async function drawEvidence(folder: string, input: SuiteInput): Promise<void> {
  const loaded = loadNaturalQuestions(input.dataDir);
  if (loaded === undefined) return;
  const dataset = limited(loaded, Math.min(QUESTIONS, input.limit ?? QUESTIONS));
  const methods = runnable(METHODS, input.embedder);
  const scores = await scoreBudgets(dataset, FACTORS, [ANSWER], methods, input);
  const points = scores.flatMap(({ method, values }) =>
    FACTORS.map((factor) => ({
      method,
      tokens: mean(values[tokensName(factor)] ?? []),
      kept: mean(values[metricName(ANSWER, factor)] ?? []),
    })),
  );
  const svg = await drawSvg(
    points,
    methods.map(({ name }) => name),
    dataset.cases.length,
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'evidence.svg'), `${svg}\n`);
  writeFileSync(join(folder, 'evidence.png'), await drawPng(svg));
}

export async function drawSvg(
  points: readonly Point[],
  methods: readonly string[],
  questions: number,
): Promise<string> {
  const color = {
    field: 'method',
    type: 'nominal',
    title: null,
    sort: null,
    scale: { domain: [...methods] },
  };
  const { spec } = vegaLite.compile({
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: {
      text: 'Answers that survive a token budget',
      subtitle: `Natural Questions, ${questions} pools of 20 passages`,
    },
    width: 560,
    height: 360,
    background: 'white',
    config: {
      font: 'Inter, Helvetica, Arial, sans-serif',
      axis: { labelFontSize: 12, titleFontSize: 13 },
      legend: { labelLimit: 0 },
    },
    data: { values: [...points] },
    mark: { type: 'line', point: true },
    encoding: {
      x: {
        field: 'tokens',
        type: 'quantitative',
        title: 'tokens kept',
        axis: { format: '%' },
        scale: { domain: [0, 0.7] },
      },
      y: {
        field: 'kept',
        type: 'quantitative',
        title: 'answer kept',
        axis: { format: '%' },
        scale: { domain: [0, 1] },
      },
      color,
      // The shape tells methods apart where colours do not.
      shape: color,
    },
  } as vegaLite.TopLevelSpec);
  return await new vega.View(vega.parse(spec), { renderer: 'none' }).toSVG();
}

let ready: Promise<void> | undefined;

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
