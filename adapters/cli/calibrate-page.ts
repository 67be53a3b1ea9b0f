/** What `context-shaping calibrate` prints: at most 100 columns, but for names and reasons. */
import type { CalibrationProfile, MethodFigures, RankingFigures } from '../logprobs/index.js';

const LEGEND = [
  'AUC: how often a relevant passage is ranked before one that is not; .5 is chance.',
  'F1: the share of relevant ones among the first k, where k are relevant.',
  '±: half of the 95 % interval over questions. p: how likely it is that so many gain by luck.',
  'Trusted is what gains AUC over both, by more than ± and with p up to .025, and loses no F1.',
];

/** @param notMeasured why a method is not among them, as a sentence. */
export function calibrationPage(profile: CalibrationProfile, file: string, notMeasured?: string): string {
  const { questions, passages } = profile;
  const methods = Object.entries(profile.methods);
  const [first] = Object.values(profile.methods) as [MethodFigures];
  const trusted = methods.filter(([, { wins }]) => wins).map(([name]) => name);
  const verdict =
    trusted.length > 0
      ? `Trusted: ${trusted.join(', ')}.`
      : 'No method ranks better by more than chance: with this profile ecs leaves relevance as it is.';
  return [
    first.model,
    `${questions} questions, ${passages} passages`,
    '',
    ...aligned([
      ['ranked by', 'AUC', 'F1', 'AUC over relevance', 'p', 'AUC over BM25', 'p', 'trusted'],
      // Rivals rank the same whatever the method.
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
      ['cost of a question', 'requests', 'tokens', 'of them cached'],
      ...methods.map(([name, figures]) => [name, ...cost(figures)]),
    ]),
    '',
    ...LEGEND,
    '',
    ...(notMeasured === undefined ? [] : [notMeasured]),
    ...methods.flatMap(([name, figures]) => failures(name, figures, questions)),
    verdict,
    `Written to ${file}: give what it holds as ecs.profile.`,
    '',
  ].join('\n');
}

function failures(name: string, { failed, failure }: MethodFigures, questions: number): string[] {
  if (failed === 0) return [];
  const what = `The model failed on ${failed} of ${questions} questions by ${name}`;
  return [failure === undefined ? `${what}: they count as ranked by relevance.` : `${what}. ${failure}`];
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

/** Columns of figures: names to the left, all others to the right. */
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
