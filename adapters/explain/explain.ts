/** Explains the outcome of one chunk. */
import type { ShapingReport, ShapingResult, ShapingSession } from '../../src/index.js';
import { defined } from '../../src/internal.js';
import { causeOf, type Verdict } from './causes.js';
import { AXES, type Counterfactuals, type KeptValues } from './runs.js';
import { sentencesOf } from './sentences.js';
import { chunkOf, type Found, reportIn, runsOf } from './subject.js';
import type { Change, Claim, Explanation, Rival } from './types.js';

/**
 * Explains what became of a chunk: the stage and the reason, its place among all chunks, the chunks that had an
 * advantage, the cause, the limits that bind, and what would change the outcome.
 *
 * A change of the outcome is found by shaping again, and never by a formula: the distance from the value of an option is
 * doubled until the outcome is another, then halved. Values between those that were run can have other outcomes. All
 * explanations of the same object share these runs. Services are asked nothing that they were not asked before; where they
 * would have to be, the outcome counts as unknown. The runs yield to the event loop.
 *
 * @param of a result that this process made, or a session. Also a report, or a copy of a result: then the explanation has
 *   what the report tells, without `counterfactuals`.
 * @param id the id of the chunk, or its index in the input, from 0.
 * @throws ContextShapingError `invalid-input`, if there is no such chunk; it names the most similar id.
 * @throws the signal's reason, when aborted. The runs made so far are kept for the next call.
 */
export async function explain(
  of: ShapingResult | ShapingSession | ShapingReport,
  id: string | number,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Explanation> {
  signal?.throwIfAborted();
  const runs = runsOf(of);
  const report = runs === undefined ? reportIn(of) : await runs.report(signal);
  const found = chunkOf(report, id);
  const counterfactuals = await runs?.counterfactuals(found, signal);
  const { cause, remedy, says, limits } = await causeOf({ report, found, runs, counterfactuals, signal });
  const { entry, eviction, index } = found;
  const told: Omit<Explanation, 'claims' | 'sentences'> = {
    id: found.id,
    index,
    outcome: entry === undefined ? 'evicted' : entry.excerpts === undefined ? 'kept' : 'cut',
    ...(eviction === undefined ? { entry } : { stage: eviction.stage, reason: eviction.reason, eviction }),
    ...rankOf(report, found),
    cause,
    rivals: rivalsOf(report, found, counterfactuals?.absence),
    ...defined({ remedy, counterfactuals }),
  };
  const claims = claimsOf(told, { says, limits, report });
  return { ...told, claims, sentences: sentencesOf(claims) };
}

const MOST_ABSENCES = 2;

/** @param told the explanation without its claims. */
function claimsOf(
  told: Omit<Explanation, 'claims' | 'sentences'>,
  { says, limits, report }: Pick<Verdict, 'says' | 'limits'> & { report: ShapingReport },
): Claim[] {
  const { id, index, outcome, eviction, relevance, rank, rivals, counterfactuals: found, cause } = told;
  const isKept = outcome !== 'evicted';
  const axes = AXES.flatMap((name) => found?.[name] ?? []);
  const changes: Change[] = [
    ...axes.flatMap(changeOf),
    ...(found?.pin === true ? [{ pin: id }] : []),
    ...(found?.absence ?? []).slice(0, MOST_ABSENCES).map((without) => ({ without })),
  ];
  const change = told.remedy ?? (isKept ? undefined : changes[0]);
  const others = changes.filter((each) => JSON.stringify(each) !== JSON.stringify(change));
  const standsIn = (rival: Rival) =>
    eviction !== undefined && 'keptId' in eviction && eviction.keptId === rival.id;
  const claims: (Claim | false | undefined)[] = [
    { kind: 'outcome', id, index, outcome, ...defined({ eviction, change }), isTried: found !== undefined },
    ...says.map((text): Claim => ({ kind: 'cause', says: text })),
    limits && { kind: 'limits', ...limits },
    relevance !== undefined && rank !== undefined
      ? { kind: 'place', relevance, ...rank }
      : report.ranking !== undefined && !isKept && { kind: 'unmeasured' },
    ...rivals.map((rival): Claim => ({ kind: standsIn(rival) ? 'stand-in' : 'rival', rival })),
    others.length > 0 && { kind: 'changes', keeps: !isKept, changes: others },
    found?.whole !== undefined && { kind: 'whole', maxTokens: found.whole },
    found === undefined && { kind: 'needs-input' },
    ...axes
      .filter(({ kept, evicted }) => kept.length + evicted.length > 0)
      .map((values): Claim => ({ kind: 'values', values })),
    ...axes.map(({ option, unknown }) => unknownIn(option, unknown.length)),
    unknownIn('absence', found?.absenceUnknown ?? 0),
    ...report.degradations
      .filter(({ code, message }) => code !== cause && !says.includes(message))
      .map(({ code, message }): Claim => ({ kind: 'note', code, message })),
  ];
  return claims.filter((each) => each !== undefined && each !== false);
}

const unknownIn = (of: KeptValues['option'] | 'absence', count: number): Claim | false =>
  count > 0 && { kind: 'unknown', of, count };

/** The change of one option alone. */
function changeOf({ option, nearest }: KeptValues): Change[] {
  if (nearest === null) return [];
  const [outer, inner] = option.split('.') as [string, string?];
  return [{ options: { [outer]: inner === undefined ? nearest : { [inner]: nearest } } }];
}

/** The parts of a ledger's entry that kept and evicted chunks share. */
interface Measured {
  readonly id: string;
  readonly index: number;
  readonly relevance?: number | undefined;
  readonly features?: Readonly<Record<string, number>> | undefined;
}

const MOST_RIVALS = 3;
const MOST_FEATURES = 3;

/** The place among all chunks with a measured relevance. Ties go to the earlier chunk of the input. */
function rankOf(
  { kept, evicted }: ShapingReport,
  { entry, eviction }: Found,
): Pick<Explanation, 'relevance' | 'rank'> {
  const { relevance, index } = (entry ?? eviction) as Measured;
  if (relevance === undefined) return {};
  const all: Measured[] = [...kept, ...evicted];
  const measured = all.filter((each) => each.relevance !== undefined);
  const better = measured.filter(
    (each) => (each.relevance as number) > relevance || (each.relevance === relevance && each.index < index),
  );
  return { relevance, rank: { place: better.length + 1, of: measured.length } };
}

/**
 * The chunks that had an advantage over an evicted one: the one that stands in for it or supersedes it, kept ones whose
 * absence would bring it back, and the next more relevant kept one.
 */
function rivalsOf(
  report: ShapingReport,
  { eviction }: Found,
  absence: Counterfactuals['absence'] = [],
): Rival[] {
  if (eviction === undefined) return [];
  const own: Measured = eviction;
  const sought =
    'keptId' in eviction ? eviction.keptId : eviction.reason === 'superseded' ? eviction.by : undefined;
  const standIn =
    sought === undefined ? undefined : [...report.kept, ...report.evicted].find(({ id }) => id === sought);
  const decisive = report.kept.filter(({ index }) => absence.some((each) => each.index === index));
  const above = report.kept
    .filter(({ relevance }) => (relevance ?? -1) >= (own.relevance ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => (a.relevance as number) - (b.relevance as number) || b.index - a.index);
  const found: Measured[] = [
    ...(standIn === undefined ? [] : [standIn]),
    ...decisive.sort((a, b) => (a.relevance ?? 0) - (b.relevance ?? 0) || b.index - a.index),
    ...above.slice(0, 1),
  ];
  return [...new Map(found.map((each) => [each.index, each])).values()]
    .slice(0, MOST_RIVALS)
    .map((each) => rivalry(own, each, report));
}

function rivalry(
  own: Measured,
  { id, index, relevance, features = {} }: Measured,
  { kept }: ShapingReport,
): Rival {
  const isMeasured = relevance !== undefined && own.relevance !== undefined;
  const by = isMeasured ? relevance - (own.relevance as number) : undefined;
  const sign = (by ?? 0) < 0 ? -1 : 1;
  const names = [...new Set([...Object.keys(own.features ?? {}), ...Object.keys(features)])];
  const differences = names
    .map((name) => ({ name, own: own.features?.[name] ?? 0, theirs: features[name] ?? 0 }))
    .map((each) => ({ ...each, gain: sign * (each.theirs - each.own) }))
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain || (a.name < b.name ? -1 : 1));
  return {
    id,
    index,
    isKept: kept.some((entry) => entry.index === index),
    ...defined({ relevance, by }),
    features: isMeasured ? differences.slice(0, MOST_FEATURES).map(({ gain: _, ...each }) => each) : [],
  };
}
