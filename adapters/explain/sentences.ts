/** The explanation in plain English. */
import type { Counterfactuals, KeptRanges } from './counterfactuals.js';
import type { Explanation, Rival } from './types.js';
import { count, decimal, listed, quoted } from './wording.js';

type Told = Omit<Explanation, 'sentences'>;

const MOST_RANGES = 3;
const MOST_NAMED = 5;

/**
 * @param about sentences about the cause.
 * @param notes sentences about the run as a whole.
 * @param isMeasured whether the run measured relevance.
 */
export function sentencesOf(
  told: Told,
  { about, notes, isMeasured }: { about: readonly string[]; notes: readonly string[]; isMeasured: boolean },
): string[] {
  const { id, outcome, stage, counterfactuals, rivals } = told;
  const place = rankSentence(told, isMeasured);
  return [
    outcome === 'evicted'
      ? `The stage ${stage} evicted the chunk ${quoted(id)}.`
      : `The chunk ${quoted(id)} is kept${outcome === 'cut' ? ', but cut' : ''}.`,
    ...about,
    ...place,
    ...rivals.map(rivalSentence),
    ...(counterfactuals === undefined
      ? [
          'To find what would change that, the input is needed: give the result of shape() in the same process, or a session.',
        ]
      : changes(told, counterfactuals)),
    ...notes,
  ];
}

function rankSentence({ relevance, rank, outcome }: Told, isMeasured: boolean): string[] {
  if (relevance === undefined || rank === undefined)
    return outcome === 'evicted' && isMeasured ? ['It was evicted before its relevance was measured.'] : [];
  return [
    `Its relevance is ${decimal(relevance)}, place ${count(rank.place)} of ${count(rank.of)} measured chunks.`,
  ];
}

function rivalSentence({ id, by, features }: Rival): string {
  if (by === undefined) return `Its place went to ${quoted(id)}.`;
  const parts = features.map(
    ({ name, own, theirs }) => `${name} (${decimal(theirs)} against ${decimal(own)})`,
  );
  const why = parts.length === 0 ? '' : `, mostly by ${listed(parts)}`;
  if (decimal(Math.abs(by)) === '0') return `${quoted(id)} is kept, and is as relevant.`;
  return `${quoted(id)} is kept, and is ${decimal(Math.abs(by))} ${by < 0 ? 'less' : 'more'} relevant${why}.`;
}

function changes({ outcome }: Told, found: Counterfactuals): string[] {
  const { maxTokens, k, lambda, maxPerCluster, pin, absence, absenceUnknown } = found;
  const isKept = outcome !== 'evicted';
  const axes = [maxTokens, k, lambda, maxPerCluster].filter((each) => each !== undefined);
  const useless = axes.filter((each) => each.kept.length === 0 && each.unknown === 0);
  const constant = axes.filter((each) => each.unknown === 0 && isEverywhere(each));
  const others = axes.filter((each) => !useless.includes(each) && !constant.includes(each));
  const unknown = axes.filter((each) => each.unknown > 0);
  return [
    ...others.map((each) => rangeSentence(each, isKept)),
    ...(constant.length === 0
      ? []
      : [
          `It is kept with every value of ${listed(
            constant.map(({ option }) => option),
            'or',
          )}.`,
        ]),
    ...(useless.length === 0
      ? []
      : [
          `No value of ${listed(
            useless.map(({ option }) => option),
            'or',
          )} alone keeps it.`,
        ]),
    ...wholeSentences(outcome, maxTokens),
    ...(pin === undefined
      ? []
      : [pin ? 'If it is pinned, it is kept.' : 'It is not kept even if it is pinned.']),
    ...absenceSentence(absence, isKept),
    ...unknown.map(
      (each) =>
        `For ${count(each.unknown)} values of ${each.option} it is not known: a service would have to be asked.`,
    ),
    ...(absenceUnknown === 0
      ? []
      : [
          `For the absence of ${count(absenceUnknown)} chunks it is not known: a service would have to be asked.`,
        ]),
  ];
}

function isEverywhere({ kept, tried }: KeptRanges): boolean {
  const [only] = kept;
  return (
    only !== undefined && kept.length === 1 && only[0] === tried.from && (only[1] ?? tried.to) >= tried.to
  );
}

function rangeSentence({ option, kept, always, least, tried }: KeptRanges, isKept: boolean): string {
  const verb = isKept ? 'It stays' : 'It is kept';
  const isBounded = option === 'select.lambda';
  const shown = kept.filter(([from]) => from !== always || isBounded);
  const end = always === null || isBounded ? '' : ` every ${option} from ${count(always)} on`;
  if (shown.length === 0) return `${verb} with${end}.`;
  const then = end === '' ? '' : `, and with${end}`;
  if (kept.length > MOST_RANGES)
    return `${verb} with ${option} ${count(least as number)} at the least${then}; ${count(kept.length)} ranges of values keep it.`;
  const parts = shown.map(([from, to]) =>
    from === to ? count(from) : `${count(from)} to ${count(to ?? tried.to)}`,
  );
  return `${verb} with ${option} ${listed(parts, 'or')}${then}.`;
}

/** For a chunk that was cut, and for one that would only be kept in part. */
function wholeSentences(outcome: Told['outcome'], ranges: KeptRanges | undefined): string[] {
  if (ranges === undefined || ranges.kept.length === 0) return [];
  const { whole, least, always } = ranges;
  if (outcome !== 'cut' && whole.least === least && whole.always === always) return [];
  if (whole.least === null) return ['No budget.maxTokens keeps it whole.'];
  const end =
    whole.always === null || whole.always === whole.least
      ? ''
      : `, and always from ${count(whole.always)} on`;
  return [`With budget.maxTokens ${count(whole.least)} it is whole${end}; with less it is cut.`];
}

function absenceSentence(absence: Counterfactuals['absence'], isKept: boolean): string[] {
  if (absence.length === 0) return [];
  const named = absence.slice(0, MOST_NAMED).map(({ id }) => quoted(id));
  const rest = absence.length - named.length;
  const names = listed([...named, ...(rest > 0 ? [`any of ${count(rest)} others`] : [])], 'or');
  return [`Without ${names} in the input, it is ${isKept ? 'evicted' : 'kept'}.`];
}
