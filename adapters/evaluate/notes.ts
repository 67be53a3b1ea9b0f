/** Notes that a reader needs before the figures, for the tables and the page alike. */
import type { EvaluationResult } from './types.js';

const count = (value: number) => Math.round(value).toLocaleString('en');

/** @param isNamed whether ids of chunks name some of the evidence. */
export const notesOf = (result: Omit<EvaluationResult, 'notes'>, isNamed: boolean): string[] => [
  ...weakLabels(result),
  ...(isNamed ? [PARTS] : []),
  ...tooFew(result),
];

const PARTS =
  'Chunks that ids name count by the share of their text that is kept, since a part need not be the right one. Answers or passages say whether it is.';

function weakLabels({ cases: { all, cited } }: Pick<EvaluationResult, 'cases'>): string[] {
  if (cited === undefined) return [];
  const whose = cited === all ? 'all cases' : `${count(cited)} of the ${count(all)} cases`;
  return [
    `Weak labels: the evidence of ${whose} is what an answer cites. An answer cites what its model was shown, not all that it used, and it may cite the wrong passage.`,
  ];
}

function tooFew({ cases, methods }: Pick<EvaluationResult, 'cases' | 'methods'>): string[] {
  const targets = methods[0]?.least.filter(({ groupsNeeded }) => cases.groups < groupsNeeded) ?? [];
  return targets.map(
    ({ target, groupsNeeded }) =>
      `${count(cases.groups)} cases are too few to show ${100 * target} %: that takes ${groupsNeeded}, if none loses evidence.`,
  );
}
