/** The output of `context-shaping calibrate`: at most 100 columns, except for names and reasons. */
import type { CalibrationProfile, MethodFigures, RankingFigures } from '../logprobs/index.js';

const LEGEND = [
  'AUC: how often a relevant passage ranks before an irrelevant one; .5 is chance.',
  'F1: the share of relevant passages among the first k, if k passages are relevant.',
  '±: half of the 95 % interval over questions. p: the probability that chance gains as much.',
  'Trusted: gains AUC over both by more than ±, with p up to .025, and loses no F1.',
];

/** @param notMeasured a sentence that says why a method is absent. */
export function calibrationPage(profile: CalibrationProfile, file: string, notMeasured?: string): string {
  const { questions, passages } = profile;
  const methods = Object.entries(profile.methods);
  const [first] = Object.values(profile.methods) as [MethodFigures];
  const trusted = methods.filter(([, { wins }]) => wins).map(([name]) => name);
  const verdict =
    trusted.length > 0
      ? `Trusted: ${trusted.join(', ')}.`
      : 'No method ranks better by more than chance: with this profile ecs does not change relevance.';
  return [
    first.model,
    `${questions} questions, ${passages} passages`,
    '',
    ...aligned([
      ['ranked by', 'AUC', 'F1', 'AUC over relevance', 'p', 'AUC over BM25', 'p', 'trusted'],
      // The baselines are the same for every method.
      ['BM25', ...ranking(first.bm25)],
      ['relevance', ...ranking(first.relevance)],
      ...methods.map(([name, { ecs, gainOverRelevance, gainOverBm25, wins }]) => [
        name,
        ...ranking(ecs),
        ...gain(gainOverRelevance),
        ...gain(gainOverBm25),
        wins ? 'yes' : 'no',
      ]),
    ]),
    '',
    ...aligned([
      ['cost per question', 'requests', 'tokens', 'cached tokens'],
      ...methods.map(([name, figures]) => [name, ...cost(figures)]),
    ]),
    '',
    ...LEGEND,
    '',
    ...(notMeasured === undefined ? [] : [notMeasured]),
    ...methods.flatMap(([name, figures]) => failures(name, figures, questions)),
    verdict,
    `Profile: ${file}. Give its contents as ecs.profile.`,
    '',
  ].join('\n');
}

function failures(name: string, { failed, failure }: MethodFigures, questions: number): string[] {
  if (failed === 0) return [];
  const what = `The model failed on ${failed} of ${questions} questions with the method ${name}`;
  return [
    failure === undefined ? `${what}: those questions count as ranked by relevance.` : `${what}. ${failure}`,
  ];
}

const figure = (value: number) => value.toFixed(3).replace(/^0/, '');

const ranking = ({ auc, f1AtK }: RankingFigures) => [figure(auc), figure(f1AtK)];

function gain({ mean, low, high, p }: MethodFigures['gainOverBm25']): string[] {
  const sign = Number(mean.toFixed(3)) < 0 ? '−' : '+';
  const chance = p < 0.0005 ? '<.001' : figure(p);
  return [`${sign}${figure(Math.abs(mean))} ± ${figure((high - low) / 2)}`, chance];
}

function cost({ cost: { requestsPerQuestion, tokensPerQuestion, cachedShare } }: MethodFigures): string[] {
  return [
    requestsPerQuestion.toFixed(1),
    tokensPerQuestion === null ? '–' : tokensPerQuestion.toFixed(0),
    cachedShare === null ? '–' : `${(100 * cachedShare).toFixed(0)} %`,
  ];
}

/** A table of figures: the first column is aligned to the left, the others to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const header = rows[0] as readonly string[];
  const widths = header.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
      )
      .join('  '),
  );
}
