/** Notes that a reader needs before the figures, for the tables and the page alike. */
import type { EvaluationResult } from './types.js';

/** @param isNamed whether ids of chunks name some of the evidence. */
export const notesOf = (result: Omit<EvaluationResult, 'notes'>, isNamed: boolean): string[] => [
  ...(isNamed ? [PARTS] : []),
  ...tooFew(result),
];

const PARTS =
  'Chunks that ids name count by the share of their text that is kept, since a part need not be the right one. Answers or passages say whether it is.';

function tooFew({ cases, methods }: Pick<EvaluationResult, 'cases' | 'methods'>): string[] {
  const targets = methods[0]?.least.filter(({ groupsNeeded }) => cases.groups < groupsNeeded) ?? [];
  return targets.map(
    ({ target, groupsNeeded }) =>
      `${cases.groups.toLocaleString('en')} cases are too few to show ${100 * target} %: that takes ${groupsNeeded}, if none loses evidence.`,
  );
}
