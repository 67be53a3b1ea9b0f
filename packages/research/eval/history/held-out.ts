/**
 * Settings of the carried words, chosen on all collections but one and measured on that one. They are chosen for what
 * questions gain from their own conversation, less what they lose by the conversation before another question.
 */

import { resolveOptions } from '../../../../src/input/options.js';
import { toCandidates } from '../../../../src/input/to-candidates.js';
import { chunkPassage } from '../../../../src/relevance/chunks.js';
import { COEFFICIENTS } from '../../../../src/relevance/coefficients.js';
import { withoutEchoes } from '../../../../src/relevance/echo.js';
import { LEXICAL, lexicalFeatures } from '../../../../src/relevance/features.js';
import { carriedFrom, SETTINGS, type Settings } from '../../../../src/relevance/history.js';
import { type Passage, questionOf } from '../../../../src/relevance/passage.js';
import * as language from '../../../../src/text/background.js';
import { Lexicon } from '../../../../src/text/lexicon.js';
import { descending, estimate, mean } from '../../../devtools/src/measurement/index.js';
import type { Case } from '../data/case.js';
import { afterAnother } from '../data/conversations.js';
import { ndcgAt, recallAt } from '../metrics.js';
import type { Table } from '../results.js';
import { short, signed } from '../tables.js';

const DEPTH = 10;
const WEIGHTS: Readonly<Record<string, number>> = COEFFICIENTS.passages.words.weights;
const NAMES = LEXICAL.filter((name) => name in WEIGHTS);
const GRID: readonly Settings[] = [0.35, 0.5, 0.65].flatMap((most) =>
  [0.2, 0.4].flatMap((role) =>
    [0.6, 0.8].flatMap((decay) =>
      [0.2, 0.4, 0.6].map((alone) => ({ ...SETTINGS, most, role, decay, alone })),
    ),
  ),
);

export function heldOutTable(cases: readonly Case[]): Table {
  const rank = ranking();
  const others = afterAnother(cases);
  const alone = cases.map((each) => rank(each, undefined));
  const runs = GRID.map((settings) => {
    const own = cases.map((each) => rank(each, settings));
    const gain = (figures: readonly Figures[], of: keyof Figures) =>
      figures.map((each, at) => each[of] - (alone[at] as Figures)[of]);
    return {
      settings,
      own: gain(own, 'ndcg'),
      recall: gain(own, 'recall'),
      other: gain(
        others.map((each) => rank(each, settings)),
        'ndcg',
      ),
    };
  });
  const collections = [...new Set(cases.map(({ category = '' }) => category))];
  const placesOf = (isMeant: (category: string) => boolean) =>
    [...cases.keys()].filter((at) => isMeant(cases[at]?.category ?? ''));
  const at = (values: readonly number[], places: readonly number[]) =>
    places.map((place) => values[place] as number);
  const chosen = collections.map((out) => {
    const known = placesOf((category) => category !== out);
    const worth = runs.map(({ own, other }) =>
      known.length === 0 ? 0 : mean(at(own, known)) + mean(at(other, known)),
    );
    const best = runs[descending(worth)[0] as number] as (typeof runs)[number];
    return { out, best, places: placesOf((category) => category === out) };
  });
  const row = (
    name: string,
    settings: string,
    parts: readonly { best: (typeof runs)[number]; places: number[] }[],
  ) => {
    const all = parts.flatMap(({ places }) => places);
    const groups = all.map((place) => cases[place]?.group as string);
    const of = (pick: (run: (typeof runs)[number]) => readonly number[]) =>
      signed(
        estimate(
          parts.flatMap(({ best, places }) => at(pick(best), places)),
          groups,
        ),
      );
    const before = short(mean(all.map((place) => (alone[place] as Figures).ndcg)));
    return [
      name,
      all.length,
      settings,
      before,
      of(({ own }) => own),
      of(({ recall }) => recall),
      of(({ other }) => other),
    ];
  };
  return {
    title: 'MTRAG-UN: settings chosen on the other collections',
    columns: [
      'collection',
      'questions',
      'most, role, decay, alone',
      'nDCG@10 alone',
      'with its conversation',
      'recall@5',
      'with another',
    ],
    rows: [
      ...chosen.map(({ out, best, places }) => {
        const { most, role, decay, alone } = best.settings;
        return row(out, [most, role, decay, alone].join(', '), [{ best, places }]);
      }),
      row('all', '', chosen),
    ],
    notes: ['Relevance by words alone. Paired differences with 95 % intervals.'],
  };
}

interface Figures {
  ndcg: number;
  recall: number;
}

/** @returns a function that ranks the passages of a case; without settings, the conversation does not count. */
function ranking(): (question: Case, settings: Settings | undefined) => Figures {
  const lexicon = new Lexicon();
  const pools = new Map<Case['chunks'], Passage[]>();
  const defaults = resolveOptions({});
  return ({ question: text, history = [], chunks, relevant }, settings) => {
    const passages =
      pools.get(chunks) ??
      toCandidates({ query: '', chunks }, defaults).candidates.map((each) =>
        chunkPassage(each, lexicon, 'passages'),
      );
    pools.set(chunks, passages);
    const terms = passages.map((passage) => passage.terms);
    const question = {
      ...questionOf(text, lexicon),
      ...(settings && { carried: carriedFrom(history, text, terms, lexicon, language, settings) }),
    };
    const own = withoutEchoes(passages, question, lexicon.vocabulary);
    const features = lexicalFeatures(question, own, lexicon, { names: NAMES });
    const values = own.map((_, at) =>
      NAMES.reduce((sum, name) => sum + (WEIGHTS[name] as number) * (features[name]?.[at] ?? 0), 0),
    );
    const top = descending(values)
      .slice(0, DEPTH)
      .map((place) => chunks[place]?.id as string);
    return { ndcg: ndcgAt(DEPTH, relevant, top), recall: recallAt(5, relevant, top) };
  };
}
