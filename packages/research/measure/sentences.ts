/**
 * Measures how much evidence scorers of sentences of known quality keep under a budget, with and without the gate:
 * `npm run research -- measure/sentences DIR QUESTIONS`. DIR has the data sets `nq` and `multihop`. QUESTIONS limits each set.
 *
 * A scorer of quality d gives a sentence the probability 1 / (1 + exp(-d (x - d / 2))). The distribution of x is normal with the
 * standard deviation 1. Its mean is d for evidence and 0 for other sentences (Green & Swets 1966). So its AUC is
 * Φ(d / √2), and its probabilities are calibrated for equal numbers of both. d = 0 is noise of the same spread as d = 1. The
 * oracle says 1 and 0. Two thirds of the questions calibrate, the others are shaped.
 */
import { type Chunk, createShaper, type SentenceScorer, type ShapingOptions } from 'context-shaping';
import { digestOf } from 'context-shaping/kit';
import { fakeSentenceScorer } from 'context-shaping/testing';
import { fitModels, type ModelFigures } from 'context-shaping-devtools/evaluate';
import { seededRandom } from '../../../test/random.js';
import { estimate } from '../../devtools/src/measurement/index.js';
import type { Case, Dataset } from '../eval/data/case.js';
import { loadHotpot } from '../eval/data/multihop.js';
import { loadNaturalQuestions } from '../eval/data/nq.js';
import { allFactsKept, answerKept, holdsAnswer, type Kept } from '../eval/metrics.js';
import { limited } from '../eval/suites/suite.js';
import { countTokens } from '../eval/tokens.js';

const BUDGETS = [2, 4, 10];
/** One of so many questions is shaped, the others calibrate. */
const SHAPED = 3;
const QUALITIES = [Number.POSITIVE_INFINITY, 3, 2, 1, 0.5, 0];
/** Shares to try without the gate: `SHARES="0.25 0.5" npm run …`. Absent: the default. */
const SHARES = process.env.SHARES?.split(' ').map(Number) ?? [undefined];

interface SetUp {
  name: string;
  measure: string;
  load(dataDir: string): Dataset | undefined;
  of(question: Case, kept: readonly Kept[]): number;
}
const SETS: readonly SetUp[] = [
  {
    name: 'Natural Questions',
    measure: 'answer kept',
    load: (dir) => loadNaturalQuestions(dir),
    of: answerKept,
  },
  { name: 'HotpotQA', measure: 'all supporting sentences kept', load: loadHotpot, of: allFactsKept },
];

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The parts of a chunk that answer: its facts, or its sentences with an answer. */
function isEvidence({ relevant, answers, facts }: Case, chunk: Chunk, sentence: string): boolean {
  if (facts.length === 0) return relevant.includes(chunk.id) && holdsAnswer(sentence, answers);
  const own = spaced(sentence);
  return facts.some(({ chunk: id, text }) => {
    const fact = spaced(text);
    return id === chunk.id && own !== '' && (fact.includes(own) || own.includes(fact));
  });
}

/** A standard normal number that depends on the texts alone (Box & Muller 1958). */
function normalOf(...texts: string[]): number {
  const random = seededRandom(Number.parseInt(digestOf(texts.join('\n')).slice(0, 8), 16));
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function scorerOf(quality: number, cases: readonly Case[]): SentenceScorer {
  const byQuestion = new Map(cases.map((question) => [question.question, question]));
  const scorer = fakeSentenceScorer();
  return {
    ...scorer,
    modelId: `quality ${quality}`,
    identify: async () => `quality ${quality}`,
    score: async (requests) => ({
      results: requests.map(({ question, passage, sentences }) => {
        const about = byQuestion.get(question) as Case;
        const chunk = about.chunks.find(({ text }) => text === passage) as Chunk;
        return {
          scores: sentences.map(({ start, end }) => {
            const sentence = passage.slice(start, end);
            const isNeeded = isEvidence(about, chunk, sentence);
            if (!Number.isFinite(quality)) return Number(isNeeded);
            const x = normalOf(question, passage, sentence) + (isNeeded ? quality : 0);
            const steepness = quality || 1;
            return 1 / (1 + Math.exp(-steepness * (x - quality / 2)));
          }),
        };
      }),
      usage: { requests: requests.length },
    }),
  };
}

/** The evidence: quotes of the facts, or of the answers as the relevant passages write them. */
const labelled = ({ question, chunks, relevant, answers, facts }: Case) => ({
  query: question,
  ranked: false,
  chunks: chunks.map(({ id, text }) => ({ id, text })),
  evidence: {
    passages: (facts.length > 0 ? facts.map(({ text }) => text.trim()) : answers).filter(
      (quote) => quote !== '' && chunks.some(({ id, text }) => relevant.includes(id) && text.includes(quote)),
    ),
  },
});

/** Returns the kept texts of a question within each budget. */
async function keptOf(question: Case, extract: ShapingOptions['extract']): Promise<(readonly Kept[])[]> {
  const total = question.chunks.reduce((sum, { text }) => sum + countTokens(text), 0);
  const input = { query: question.question, chunks: question.chunks, ranked: false };
  const session = createShaper({ tokenizer: countTokens, ...(extract && { extract }) }).session(input);
  const kept = [];
  for (const factor of BUDGETS) {
    const maxTokens = Math.max(1, Math.floor(total / factor));
    kept.push((await session.at({ budget: { maxTokens } })).chunks);
  }
  return kept;
}

const figure = (value: number) => `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(3).replace(/^0/, '')}`;
const signed = (value: number) => (value > 0 ? `+${figure(value)}` : figure(value));

const [dataDir, limit] = process.argv.slice(2);
if (dataDir === undefined)
  throw new Error('Give the folder with the data sets: npm run research -- measure/sentences DIR');
for (const { name, measure, load, of } of SETS) {
  const loaded = load(dataDir);
  if (loaded === undefined) {
    console.log(`${name}: skipped, its data is not in ${dataDir}.`);
    continue;
  }
  const { cases } = limited(loaded, limit === undefined ? undefined : Number(limit));
  const toShape = cases.filter((_, at) => at % SHAPED === 0);
  const toCalibrate = cases.filter((_, at) => at % SHAPED !== 0);
  const groups = toShape.map(({ id }) => id);
  const rows: string[] = [];
  /** For each budget, the values of all questions. */
  const valuesOf = async (extract?: ShapingOptions['extract']) => {
    const values = BUDGETS.map((): number[] => []);
    for (const question of toShape)
      for (const [at, kept] of (await keptOf(question, extract)).entries())
        values[at]?.push(of(question, kept));
    return values;
  };
  const without = await valuesOf();
  rows.push(
    `| words alone | – | – | – | ${without.map((values) => figure(estimate(values, groups).mean)).join(' | ')} |`,
  );
  for (const quality of QUALITIES) {
    const model = scorerOf(quality, cases);
    const { figures, options } = await fitModels({
      cases: toCalibrate.map(labelled).filter(({ evidence }) => evidence.passages.length > 0),
      options: { tokenizer: countTokens, extract: { scorer: { model } } },
    });
    const { ranking, wins, share: best } = figures.scorer as ModelFigures;
    const differences = async (scorer: object) =>
      (await valuesOf({ scorer: { model, ...scorer } })).map((values, place) => {
        const gains = values.map((value, at) => value - (without[place]?.[at] as number));
        const { mean, low, high } = estimate(gains, groups);
        return `${signed(mean)} (${signed(low)}..${signed(high)})`;
      });
    const quoted = Number.isFinite(quality) ? `d = ${quality}` : 'oracle';
    for (const share of SHARES) {
      const always = await differences({ trust: 'always', ...(share === undefined ? {} : { share }) });
      rows.push(
        `| ${quoted} | always | ${share ?? 'default'} | ${figure(ranking.auc)} | ${always.join(' | ')} |`,
      );
    }
    const gated = await differences({ ...options.extract?.scorer });
    rows.push(
      `| ${quoted} | ${wins ? 'profile' : 'profile, not trusted'} | ${best} | ${figure(ranking.auc)} | ${gated.join(' | ')} |`,
    );
  }
  console.log(
    `\n${name}, ${measure}: ${toCalibrate.length} questions to calibrate, ${toShape.length} to shape\n`,
  );
  console.log('| scorer | trust | share | AUC | 2x | 4x | 10x |\n|---|---|---|---|---|---|---|');
  console.log(rows.join('\n'));
}
