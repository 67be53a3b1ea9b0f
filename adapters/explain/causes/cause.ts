/** The cause of an outcome: a fault that a run proved, else one that is observed, else the reason of the eviction. */
import type { SessionOverrides } from '../../../src/index.js';
import type { Remedy } from '../counterfactuals.js';
import type { Claim } from '../types.js';
import { count, listed, optionsWritten, quoted } from '../wording.js';
import { type Case, chunksOf, degradationsOf, type EvictedCase, optionsOf } from './case.js';
import type { Cause } from './causes.js';
import { bindingLimits } from './limits.js';
import { isKnown, triesFor } from './reasons.js';
import { type Suspicion, separateCopies, suspicionsOf } from './suspicions.js';

export interface Verdict {
  readonly cause: Cause;
  readonly remedy?: Remedy | undefined;
  /** Sentences about the cause. A reason needs none: the ledger has it. */
  readonly says: readonly string[];
  /** The limits that bind an evicted chunk. */
  readonly limits?: Claim | undefined;
}

/** A cause that the ledger shows, and its remedy if a run proved one. */
type Found = Pick<Suspicion, 'cause' | 'because'> & { remedy?: Remedy };

export async function causeOf(it: Case): Promise<Verdict> {
  return it.found.eviction === undefined ? causeOfStay(it) : causeOfEviction(it as EvictedCase);
}

async function causeOfStay(it: Case): Promise<Verdict> {
  const entry = it.found.entry as NonNullable<typeof it.found.entry>;
  const { signal, found, report, runs } = it;
  for (const { cause, because, options } of separateCopies(it)) {
    if ((await runs?.keeps(found.index, options, signal)) === false)
      return { cause, says: [because, `With ${optionsWritten(options)}, this copy goes.`] };
  }
  if (entry.excerpts !== undefined)
    return { cause: 'cut', says: degradationsOf(it, 'cut-to-fit').map(({ message }) => message) };
  if (entry.pinned) return { cause: 'pinned', says: ['It is pinned, so it goes ahead of all others.'] };
  const isPressed = report.evicted.some(({ stage }) => PRESSED.has(stage));
  const { length } = report.kept;
  return isPressed
    ? {
        cause: 'ranked',
        says: [
          length === 1
            ? 'It is the only chunk that stays.'
            : `It is among the ${count(length)} chunks that stay.`,
        ],
      }
    : { cause: 'fits', says: ['No chunk went for lack of room.'] };
}

/** Stages that evict for lack of room. */
const PRESSED: ReadonlySet<string> = new Set(['cluster', 'select', 'extract', 'budget']);

async function causeOfEviction(it: EvictedCase): Promise<Verdict> {
  const bound = PRESSED.has(it.found.eviction.stage) ? await bindingLimits(it) : undefined;
  const limits = bound?.claim;
  for (const { cause, because, options, isEvident } of suspicionsOf(it)) {
    const keeps = await it.runs?.keeps(it.found.index, options, it.signal);
    if (keeps !== true && !(keeps === undefined && isEvident)) continue;
    return {
      cause,
      remedy: { options: plain(options), isVerified: keeps === true },
      says: [because],
      limits,
    };
  }
  const found: Found | undefined = diversity(it) ?? conflict(it) ?? observed(it);
  const { reason } = it.found.eviction;
  const remedy = found?.remedy ?? (await remedyAmong(it, triesFor(it))) ?? (await together(it, bound));
  return {
    cause: found?.cause ?? (isKnown(reason) ? reason : 'other'),
    remedy,
    says: found === undefined ? [] : [found.because],
    limits,
  };
}

const plain = (options: SessionOverrides) => options as Record<string, unknown>;

async function remedyAmong(it: EvictedCase, tries: readonly SessionOverrides[]): Promise<Remedy | undefined> {
  for (const options of tries) {
    if (await it.runs?.keeps(it.found.index, options, it.signal))
      return { options: plain(options), isVerified: true };
  }
  return undefined;
}

/** A change of all limits that bind together. */
async function together(it: EvictedCase, bound: Awaited<ReturnType<typeof bindingLimits>>) {
  return bound === undefined ? undefined : remedyAmong(it, [await bound.change()]);
}

/** A change of all limits that bind an evicted chunk, by few runs: its values may not be the least. */
export async function remedyOfLimits(it: EvictedCase): Promise<Remedy | undefined> {
  return together(it, await bindingLimits(it));
}

/** A less relevant chunk stays, and more weight of relevance would change that. */
function diversity({ report, found, counterfactuals }: EvictedCase) {
  const { relevance } = found.eviction;
  const { nearest, current } = counterfactuals?.lambda ?? {};
  const less = report.kept.filter((each) => !each.pinned && (each.relevance ?? 1) < (relevance ?? 0));
  if (nearest == null || current == null || nearest < current || less.length === 0) return undefined;
  const [names, is, stays] = [
    listed(less.slice(0, 2).map(({ id }) => quoted(id))),
    less.length === 1 ? 'is' : 'are',
    less.length === 1 ? 'stays' : 'stay',
  ];
  return {
    cause: 'diversity' as const,
    because: `${names} ${is} less relevant, and ${stays}: select.lambda is ${current}, so repetition counts, too.`,
    remedy: { options: { select: { lambda: nearest } }, isVerified: true },
  };
}

/** Two sides of a conflict stay, and without one of them there would be room. A copy went for another reason. */
function conflict({ report, found, counterfactuals }: EvictedCase) {
  if (!PRESSED.has(found.eviction.stage)) return undefined;
  const decisive = new Set(counterfactuals?.absence.map(({ index }) => index));
  // The first chunk of each side that stays.
  const staying = report.conflicts.map(({ sides }) =>
    sides.flatMap(({ indices }) => report.kept.find(({ index }) => indices.includes(index)) ?? []),
  );
  const sides = staying.find((kept) => kept.length > 1 && kept.some(({ index }) => decisive.has(index)));
  if (sides === undefined) return undefined;
  return {
    cause: 'conflict-kept-both-sides' as const,
    because: `${listed(sides.map(({ id }) => quoted(id)))} are sides of one conflict, and ${sides.length === 2 ? 'both' : 'all'} stay.`,
  };
}

/** Causes that no option corrects: of the input, of services, of the chunk itself. They matter where chunks are ranked. */
function observed(it: EvictedCase): Found | undefined {
  const { reason, index, id, tokens } = it.found.eviction;
  const { pin } = optionsOf(it);
  if (reason === 'over-budget' && Array.isArray(pin) && pin.includes(id))
    return {
      cause: 'pinned-over-budget',
      because: `It is pinned, but its ${count(tokens)} ${tokens === 1 ? 'token does' : 'tokens do'} not fit.`,
    };
  const text = chunksOf(it)?.[index]?.text;
  if (text !== undefined && text.trim() === '')
    return { cause: 'blank-text', because: 'The chunk has no text.' };
  if (!['outranked', 'over-budget', 'cluster-member', 'below-floor'].includes(reason)) return undefined;
  for (const code of CODES) {
    // An order for which the caller vouches counts with any scores.
    if (code === 'scores-rise' && it.report.ranking?.reason !== 'distances') continue;
    const [first] = degradationsOf(it, code);
    if (first !== undefined) return { cause: code, because: first.message };
  }
  const echo = it.report.flags
    .find((each) => each.index === index)
    ?.flags.find(({ kind }) => kind === 'query-echo');
  if (echo?.kind !== 'query-echo') return undefined;
  const share = Math.round(100 * echo.share);
  return {
    cause: 'query-echo',
    because: `The chunk repeats ${share} % of the question, and a repetition adds nothing to relevance.`,
  };
}

const CODES = [
  'query-empty',
  'embedder-failed',
  'embeddings-incomplete',
  'query-not-embedded',
  'scores-rise',
] as const;
