/** A choice among options, and verdicts on models, as text for a terminal. */
import type { Fit } from './fit.js';
import type { ModelFigures, ModelFit, RankingFigures } from './fit-models.js';
import { aligned, count, percent, signed } from './format.js';

/**
 * The options that were tried, the gain on cases that did not choose, and the recommendation.
 *
 * @param budgets those of the evaluation.
 */
export function formatFit(fit: Fit, budgets: readonly number[]): string {
  const { tried, groups } = fit;
  const inUse = tried[0]?.evidence as number;
  return [
    `Options tried on ${count(groups)} cases: mean share of the evidence that is kept, in per cent, at ${budgets.map(count).join(', ')} tokens`,
    ...aligned([
      ['options', 'evidence', 'difference'],
      ...tried.map(({ name, evidence }, place) => [
        name,
        percent(evidence),
        place === 0 ? '' : signed(evidence - inUse),
      ]),
    ]),
    '',
    ...recommendation(fit),
  ].join('\n');
}

function recommendation({ tried, best, gain, groups, groupsNeeded, isRecommended }: Fit): string[] {
  const inUse = tried[0]?.name as string;
  if (gain === undefined)
    return [
      `Nothing is recommended: ${count(groups)} cases are too few. It takes at least ${groupsNeeded}, and more for a small gain.`,
    ];
  if (best === inUse) return [`Nothing is recommended: none keeps more. ${inUse} stays.`];
  const { mean, low, p } = gain;
  const measured = `Chosen on four fifths of the cases and measured on the other fifth, in turn: ${signed(mean)}, at least ${signed(low)} with 95 %, ${p < 0.001 ? 'p below 0.001' : `p ${p.toFixed(3)}`}.`;
  if (isRecommended) return [measured, `Recommended in place of ${inUse}: ${best}.`];
  const reason = mean <= 0 ? 'on cases that did not choose, nothing is gained' : 'the gain may be chance';
  const needed =
    groupsNeeded === undefined ? '' : ` If others gain as these do, ${count(groupsNeeded)} cases show it.`;
  return [measured, `Nothing is recommended: ${reason}. ${inUse} stays.${needed}`];
}

const LEGEND = [
  'nDCG: of the first ten places; 1 if texts with evidence are first.',
  'over …: mean gain of nDCG, over the best way to rank without the model. At least: its lower bound.',
  'share, candidates: the weight of the model, and how many chunks it is asked about.',
];
const figure = (value: number) => value.toFixed(3).replace(/^0/, '');
const signedFigure = (value: number) =>
  `${Number(value.toFixed(3)) < 0 ? '−' : '+'}${figure(Math.abs(value))}`;

/** The rankings with and without each model, and the verdicts with their reasons. At most 100 columns, except for names and reasons. */
export function formatModelFit({ figures }: ModelFit): string {
  const models = Object.entries(figures);
  const ranking = ({ ndcg }: RankingFigures) => [figure(ndcg)];
  const rivals = new Map(
    (['bm25', 'relevance'] as const).flatMap((kind) =>
      models.map(([, { [kind]: rival }]) => [rival.name, [rival.name, ...ranking(rival)]] as const),
    ),
  );
  const trusted = models.filter(([, { wins }]) => wins).map(([name]) => name);
  const level = Math.min(...models.map(([, { alpha }]) => alpha));
  return [
    ...aligned([
      ['ranked by', 'nDCG', 'over relevance', 'at least', 'over BM25', 'at least', 'trusted'],
      ...rivals.values(),
      ...models.map(([name, { ranking: own, gainOverRelevance, gainOverBm25, wins }]) => [
        name,
        ...ranking(own),
        ...[gainOverRelevance, gainOverBm25].flatMap(({ mean, low }) => [mean, low].map(signedFigure)),
        wins ? 'yes' : 'no',
      ]),
    ]),
    '',
    ...LEGEND,
    `Trusted: 60 questions or more, both bounds above 0 (level ${figure(level)}).`,
    '',
    ...models.flatMap(([name, model]) => verdict(name, model)),
    trusted.length > 0 ? `Trusted: ${trusted.join(', ')}.` : 'No model is trusted: relevance alone ranks.',
  ].join('\n');
}

function verdict(
  name: string,
  { model, questions, share, maxCandidates, failed, failure, reasons }: ModelFigures,
): string[] {
  const failures = `The model failed on ${failed} of ${questions} questions`;
  return [
    `${name}: ${model}, ${questions} questions, share ${String(share).replace(/^0/, '')}, candidates ${maxCandidates}`,
    ...(failed === 0 ? [] : [`- ${failures}: ${failure ?? 'those count as ranked by relevance.'}`]),
    ...reasons.map((reason) => `- ${reason}`),
  ];
}
