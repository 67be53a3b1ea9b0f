/** Makes the claims of an explanation. */
import type { ShapingReport } from '../../src/index.js';
import type { Counterfactuals, KeptValues, Remedy } from './counterfactuals.js';
import type { Change, Claim, Explanation, Rival } from './types.js';

const MOST_ABSENCES = 2;

/** @param told the explanation without its claims. */
export function claimsOf(
  told: Omit<Explanation, 'claims' | 'sentences'>,
  { says, limits, report }: { says: readonly string[]; limits?: Claim | undefined; report: ShapingReport },
): Claim[] {
  const { outcome, eviction, relevance, rank, rivals, counterfactuals: found, cause } = told;
  const isKept = outcome !== 'evicted';
  const changes = found === undefined ? [] : changesIn(told.id, found);
  const change: Change | undefined = told.remedy ?? (isKept ? undefined : changes[0]);
  const others = isKept ? changes : changes.filter((each) => !areEqual(each, change));
  const standsIn = ({ id }: Rival) =>
    eviction !== undefined && 'keptId' in eviction && eviction.keptId === id;
  const axes = found === undefined ? [] : axesOf(found);
  return [
    {
      ...{ kind: 'outcome', id: told.id, index: told.index, outcome, isTried: found !== undefined },
      ...(eviction === undefined ? {} : { eviction }),
      ...(change === undefined ? {} : { change: plainChange(change) }),
    },
    ...says.map((text): Claim => ({ kind: 'cause', says: text })),
    ...(limits === undefined ? [] : [limits]),
    ...(relevance !== undefined && rank !== undefined
      ? [{ kind: 'place', relevance, ...rank } as const]
      : report.ranking !== undefined && !isKept
        ? [{ kind: 'unmeasured' } as const]
        : []),
    ...rivals.map((rival): Claim => ({ kind: standsIn(rival) ? 'stand-in' : 'rival', rival })),
    ...(others.length === 0 ? [] : [{ kind: 'changes', keeps: !isKept, changes: others } as const]),
    ...(found?.whole === undefined ? [] : [{ kind: 'whole', maxTokens: found.whole } as const]),
    ...(found === undefined ? [{ kind: 'needs-input' } as const] : []),
    ...axes
      .filter(({ kept, evicted }) => kept.length + evicted.length > 0)
      .map((values): Claim => ({ kind: 'values', values })),
    ...axes.flatMap(({ option, unknown }) => unknownIn(option, unknown.length)),
    ...unknownIn('absence', found?.absenceUnknown ?? 0),
    ...report.degradations
      .filter(({ code, message }) => code !== cause && !says.includes(message))
      .map(({ code, message }): Claim => ({ kind: 'note', code, message })),
  ];
}

/** Absent axes are those that no stage reads. */
export const axesOf = ({ maxTokens, k, lambda, maxPerCluster }: Counterfactuals): KeptValues[] =>
  [maxTokens, k, lambda, maxPerCluster].filter((each) => each !== undefined);

const unknownIn = (of: KeptValues['option'] | 'absence', count: number): Claim[] =>
  count === 0 ? [] : [{ kind: 'unknown', of, count }];

const areEqual = (one: Change, other: Change | undefined) =>
  JSON.stringify(one) === JSON.stringify(other && plainChange(other));

/** Without the fields of a remedy that are no part of the change. */
const plainChange = (change: Change | Remedy): Change =>
  'options' in change ? { options: change.options } : change;

/** Single changes that change the outcome: of one option each, a pin, absences. */
const changesIn = (id: string, found: Counterfactuals): Change[] => [
  ...axesOf(found).flatMap(changeOf),
  ...(found.pin === true ? [{ pin: id }] : []),
  ...found.absence.slice(0, MOST_ABSENCES).map((without) => ({ without })),
];

function changeOf({ option, nearest }: KeptValues): Change[] {
  if (nearest === null) return [];
  const [outer, inner] = option.split('.') as [string, string?];
  return [{ options: { [outer]: inner === undefined ? nearest : { [inner]: nearest } } }];
}
