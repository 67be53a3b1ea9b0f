/** The output of `context-shaping-devtools calibrate`: at most 100 columns, except for names and reasons. */
import type {
  CalibrationProfile,
  Gain,
  MethodFigures,
  RankingFigures,
  RivalFigures,
} from '../calibrate/index.js';

const LEGEND = [
  'AUC: how often a relevant passage ranks before an irrelevant one; .5 is chance.',
  'F1: the share of relevant passages among the first k, if k passages are relevant.',
  'over …: mean gain of AUC, over the best way to rank without the model. At least: its lower bound.',
  'share, candidates: the weight of utility, and how many passages to measure.',
];
const WITH_ANSWER = 'with answer: the search has the answer too, as the model has with the method answer.';

/** @param notMeasured a sentence that says why a method is absent. */
export function calibrationPage(profile: CalibrationProfile, file: string, notMeasured?: string): string {
  const { questions, passages, ranked } = profile;
  const methods = Object.entries(profile.methods);
  const [first] = Object.values(profile.methods) as [MethodFigures];
  const trusted = methods.filter(([, { wins }]) => wins).map(([name]) => name);
  const verdict =
    trusted.length > 0
      ? `Trusted: ${trusted.join(', ')}.`
      : 'No method is trusted: with this profile ecs does not change relevance.';
  const rivals = rivalsOf(methods.map(([, figures]) => figures));
  return [
    first.model,
    `${questions} questions, ${passages} passages${ranked ? ', ranked by score' : ''}`,
    '',
    ...aligned([
      ['ranked by', 'AUC', 'F1', 'over relevance', 'at least', 'over BM25', 'at least', 'trusted'],
      ...rivals,
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
      ['method', 'share', 'candidates', 'requests per question', 'tokens', 'cached tokens'],
      ...methods.map(([name, figures]) => [name, ...reach(figures), ...cost(figures)]),
    ]),
    '',
    ...LEGEND,
    ...(rivals.some(([name]) => name?.includes('with answer')) ? [WITH_ANSWER] : []),
    level(methods.length),
    '',
    ...(notMeasured === undefined ? [] : [notMeasured]),
    ...methods.flatMap(([name, figures]) => [
      ...failures(name, figures, questions),
      ...figures.reasons.map((reason) => `${name}: ${reason}`),
    ]),
    verdict,
    `Profile: ${file}. Give its contents as ecs.profile.`,
    '',
  ].join('\n');
}

/** One row for each way to rank without the model that some method has to beat. */
function rivalsOf(methods: readonly MethodFigures[]): string[][] {
  const rows = new Map<string, string[]>();
  for (const name of ['BM25', 'relevance']) {
    for (const { bm25, relevance } of methods) {
      const rival = name === 'BM25' ? bm25 : relevance;
      const label = `${name}${rival.vectors ? ' + vectors' : ''}${rival.by === 'question' ? '' : ', with answer'}`;
      rows.set(label, [label, ...ranking(rival satisfies RivalFigures)]);
    }
  }
  return [...rows.values()];
}

const level = (methods: number) =>
  `Trusted: 60 questions or more, both bounds above 0 (level .05${methods === 1 ? '' : ` / ${methods} methods`}), and no loss of F1.`;

function failures(name: string, { failed, failure }: MethodFigures, questions: number): string[] {
  if (failed === 0) return [];
  const what = `The model failed on ${failed} of ${questions} questions with the method ${name}`;
  return [
    failure === undefined ? `${what}: those questions count as ranked by relevance.` : `${what}. ${failure}`,
  ];
}

const figure = (value: number) => value.toFixed(3).replace(/^0/, '');
const signed = (value: number) => `${Number(value.toFixed(3)) < 0 ? '−' : '+'}${figure(Math.abs(value))}`;

const ranking = ({ auc, f1AtK }: RankingFigures) => [figure(auc), figure(f1AtK)];
const gain = ({ mean, low }: Gain) => [signed(mean), signed(low)];
const reach = ({ share, maxCandidates }: MethodFigures) => [
  String(share).replace(/^0/, ''),
  String(maxCandidates),
];

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
