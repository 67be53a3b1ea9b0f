/**
 * Can the place bury the one chunk that matches? Of 60 chunks on other subjects one shares its words with the question, and stands
 * ever lower.
 */
import type { Chunk } from 'context-shaping';
import { seededRandom, shuffled } from '../../../../test/random.js';
import { estimate, mean } from '../../../devtools/src/measurement/index.js';
import type { Case } from '../data/case.js';
import { loadNaturalQuestionsCollection } from '../data/nq.js';
import { loadXquad } from '../data/xquad.js';
import { sharePieces } from '../kept/wanted.js';
import { plain } from '../methods/lexical.js';
import { naive } from '../methods/naive.js';
import { ours } from '../methods/ours.js';
import type { Pool } from '../pool.js';
import { readChunks } from '../readmes/corpus.js';
import type { Comparison, SuiteResult, Table } from '../results.js';
import { short } from '../tables.js';
import { questionTerms, termsOf } from '../terms.js';
import { countTokensO200k as countTokens } from '../tokens.js';
import { limited, type Suite } from './suite.js';

const SIZE = 60;
const PLACES = [0, 5, 10, 15, 20, 30, 59];
const QUESTIONS = 60;
const BUDGET = 600;
/** Words of the question in a chunk on another subject, at most. */
const MOST_SHARED = 1;
/** In the chunk that matches, at least. */
const LEAST_MATCHED = 2;
/** Chunks of each source from which the others are drawn. */
const DRAWN_FROM = 400;
/** Of embeddings, which are seldom far apart: they fall along the list. */
const [BEST_COSINE, WORST_COSINE] = [0.82, 0.7];

const CONDITIONS = [
  { name: 'nothing said', ranked: 'auto', scored: false },
  { name: 'ranked', ranked: true, scored: false },
  { name: 'cosines, nothing said', ranked: 'auto', scored: true },
  { name: 'cosines, ranked', ranked: true, scored: true },
] as const;
const METHODS = [ours, naive, plain];
const MEASURES = ['match kept', 'answer kept'] as const;

interface Matched {
  question: Case;
  match: Chunk;
  others: readonly Chunk[];
}

export const match: Suite = {
  name: 'match',
  async run({ dataDir, limit = QUESTIONS, onProgress }) {
    const matched = await loadMatched(dataDir, limit);
    if (matched.length === 0) return undefined;
    /** By condition, place, measure and method: one value per question. */
    const values = new Map<string, number[]>();
    const keyOf = (...parts: readonly (string | number)[]) => parts.join(', ');
    for (const [at, each] of matched.entries()) {
      onProgress(at, matched.length);
      for (const condition of CONDITIONS) {
        for (const place of PLACES) {
          const pool = poolWith(each, place, condition);
          for (const method of METHODS) {
            const kept = await method.fit(pool, BUDGET, countTokens);
            const own = kept.filter(({ id }) => id === each.match.id);
            const found = {
              'match kept': Number(own.length > 0),
              'answer kept': answerShare(each)?.(own, BUDGET) ?? 0,
            };
            for (const measure of MEASURES) {
              const key = keyOf(condition.name, place, measure, method.name);
              values.set(key, [...(values.get(key) ?? []), found[measure]]);
            }
          }
        }
      }
    }
    const groups = matched.map(({ question }) => question.group);
    const of = (condition: string, place: number, measure: string, method: string) =>
      values.get(keyOf(condition, place, measure, method)) ?? [];
    const comparisons = CONDITIONS.flatMap(({ name }) =>
      [naive, plain].map(({ name: baseline }): Comparison => {
        const all = (method: string) => PLACES.flatMap((place) => of(name, place, 'match kept', method));
        const others = all(baseline);
        const differences = all(ours.name).map((value, at) => value - (others[at] as number));
        const difference = estimate(
          differences,
          PLACES.flatMap(() => groups),
        );
        return { method: ours.name, baseline, metric: `${name}: match kept`, difference, gates: true };
      }),
    );
    const tables = MEASURES.map(
      (measure): Table => ({
        title: `One of ${SIZE} chunks matches, ${BUDGET} tokens: ${measure}, by its place`,
        columns: ['list: method', ...PLACES.map(String)],
        rows: CONDITIONS.flatMap(({ name }) =>
          METHODS.map((method) => [
            `${name}: ${method.name}`,
            ...PLACES.map((place) => short(mean(of(name, place, measure, method.name)))),
          ]),
        ),
        notes: [],
      }),
    );
    return {
      suite: 'match',
      counts: { questions: matched.length },
      methods: [],
      comparisons,
      tables,
    } satisfies SuiteResult;
  },
};

const answerShare = ({ question: { answers }, match: chunk }: Matched) =>
  sharePieces([{ any: answers, by: 'words' }], [chunk]);

function poolWith(
  { question, match: chunk, others }: Matched,
  place: number,
  { ranked, scored }: (typeof CONDITIONS)[number],
): Pool {
  const chunks = [...others.slice(0, place), chunk, ...others.slice(place)].map(
    (each, at): Chunk => ({
      ...each,
      ...(scored && { score: BEST_COSINE - ((BEST_COSINE - WORST_COSINE) * at) / (SIZE - 1) }),
    }),
  );
  return { question: question.question, chunks, ranked, seed: 0 };
}

/** Half of the questions each from two sets, whose passage has most of their words. */
async function loadMatched(dataDir: string, limit: number): Promise<Matched[]> {
  const sets = [loadNaturalQuestionsCollection(dataDir), loadXquad(dataDir, 'en')].filter(
    (dataset) => dataset !== undefined,
  );
  const documentation = await readChunks();
  const source = [...sets.map(({ cases: [first] }) => first?.chunks ?? []), documentation].flatMap(
    (chunks, at) => shuffled(chunks, seededRandom(at)).slice(0, DRAWN_FROM),
  );
  const terms = source.map(({ text }) => new Set(termsOf(text)));
  return sets.flatMap((dataset, set) => {
    const matching = dataset.cases.filter((question) => {
      const asked = questionTerms(question.question);
      const own = new Set(termsOf(matchOf(question).text));
      return asked.filter((term) => own.has(term)).length >= LEAST_MATCHED;
    });
    return limited({ cases: matching, counts: {} }, Math.ceil(limit / sets.length)).cases.map(
      (question, at) => {
        const asked = new Set(questionTerms(question.question));
        const chunk = matchOf(question);
        const others = source.filter(
          ({ id, text }, place) =>
            text !== chunk.text &&
            id !== chunk.id &&
            [...asked].filter((term) => terms[place]?.has(term)).length <= MOST_SHARED,
        );
        const drawn = shuffled(others, seededRandom(1000 * set + at)).slice(0, SIZE - 1);
        // Ids of two sets can be the same.
        return {
          question,
          match: { ...chunk, id: 'match' },
          others: drawn.map((other, place) => ({ ...other, id: `other-${place}` })),
        };
      },
    );
  });
}

const matchOf = ({ chunks, relevant }: Case) => chunks.find(({ id }) => id === relevant[0]) as Chunk;
