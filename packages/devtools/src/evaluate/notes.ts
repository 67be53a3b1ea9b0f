/** Notes that a reader needs before the figures, for the tables and the page alike. */
import type { EvaluationResult } from './types.js';

/** `isNamed`: ids of chunks name some of the evidence. `isChosen`: the measured cases chose the budget that is reported. */
export const notesOf = (
  result: Omit<EvaluationResult, 'notes'>,
  { isNamed, isChosen }: { isNamed: boolean; isChosen: boolean },
): string[] => [...(isNamed ? [PARTS] : []), ...tooFew(result), ...(isChosen ? [chosen(result)] : [])];

const PARTS =
  'Chunks that ids name count by the share of their text that is kept, since a part need not be the right one. Answers or passages say whether it is.';

function chosen({ methods: [first], budget }: Pick<EvaluationResult, 'methods' | 'budget'>): string {
  const tokens = `${budget.toLocaleString('en')} tokens`;
  return first?.least[0]?.budget === budget
    ? `${tokens} are the least budget at which ${first.name} keeps 95 % of these same cases, so it has an advantage there. --budget sets another one.`
    : `No measured budget keeps 95 % of these cases. The greatest one is reported on; --budget sets another one.`;
}

function tooFew({ cases, methods }: Pick<EvaluationResult, 'cases' | 'methods'>): string[] {
  const targets = methods[0]?.least.filter(({ groupsNeeded }) => cases.groups < groupsNeeded) ?? [];
  return targets.map(
    ({ target, groupsNeeded }) =>
      `${cases.groups.toLocaleString('en')} cases are too few to show ${100 * target} %: that takes ${groupsNeeded}, if none loses evidence.`,
  );
}
