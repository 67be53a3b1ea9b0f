/** The cause of an outcome: a fault that a run proved, else a fault that is observed, else what the reason says. */
import type { SessionOverrides } from '../../../src/index.js';
import type { Remedy } from '../counterfactuals.js';
import { count, isOnAxis, listed, optionsWritten, quoted } from '../wording.js';
import { type Case, chunksOf, degradationsOf, type EvictedCase } from './case.js';
import type { Cause } from './causes.js';
import { stated } from './reasons.js';
import { type Suspicion, separateCopies, suspicionsOf } from './suspicions.js';

export interface Verdict {
  readonly cause: Cause;
  readonly remedy?: Remedy;
  readonly sentences: readonly string[];
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
      return { cause, sentences: [`${because} With ${optionsWritten(options)}, this copy goes.`] };
  }
  if (entry.excerpts !== undefined) {
    const forced = degradationsOf(it, 'cut-to-fit')[0];
    return { cause: 'cut', sentences: [forced?.message ?? 'Only a part of it fits.'] };
  }
  if (entry.pinned) return { cause: 'pinned', sentences: ['It is pinned, so it goes ahead of all others.'] };
  const isPressed = report.evicted.some(({ stage }) => PRESSED.has(stage));
  return isPressed
    ? {
        cause: 'ranked',
        sentences: [
          report.kept.length === 1
            ? 'It is the only chunk that stays.'
            : `It is among the ${count(report.kept.length)} chunks that stay.`,
        ],
      }
    : { cause: 'fits', sentences: ['Everything fit after de-duplication.'] };
}

/** Stages that evict for lack of room. */
const PRESSED: ReadonlySet<string> = new Set(['cluster', 'select', 'extract', 'budget']);

async function causeOfEviction(it: EvictedCase): Promise<Verdict> {
  for (const suspicion of suspicionsOf(it)) {
    const keeps = await it.runs?.keeps(it.found.index, suspicion.options, it.signal);
    if (keeps === true || (keeps === undefined && suspicion.isEvident))
      return proved(suspicion, keeps === true);
  }
  const found: Found | undefined = diversity(it) ?? conflict(it) ?? observed(it);
  const reason = stated(it);
  const { cause, because } = found ?? reason;
  const remedy = found?.remedy ?? (await remedyAmong(it, reason.tries));
  return { cause, ...(remedy === undefined ? {} : { remedy }), sentences: [because, ...helps(remedy)] };
}

function proved({ cause, because, options }: Suspicion, isVerified: boolean): Verdict {
  const remedy = { options: options as Record<string, unknown>, isVerified };
  const effect = isVerified
    ? 'it is kept, as a run showed.'
    : 'it may be kept; a report alone cannot show it.';
  return { cause, remedy, sentences: [because, `With ${optionsWritten(options)}, ${effect}`] };
}

/** The sentence about a remedy. A range of values has a sentence of its own. */
function helps(remedy: Remedy | undefined): string[] {
  return remedy === undefined || isOnAxis(remedy)
    ? []
    : [`With ${optionsWritten(remedy.options)}, it is kept, as a run showed.`];
}

async function remedyAmong(it: EvictedCase, tries: readonly SessionOverrides[]): Promise<Remedy | undefined> {
  for (const options of tries) {
    if (await it.runs?.keeps(it.found.index, options, it.signal))
      return { options: options as Record<string, unknown>, isVerified: true };
  }
  return undefined;
}

/** A less relevant chunk stays because it repeats less, and more weight of relevance would change that. */
function diversity({ report, found, counterfactuals }: EvictedCase) {
  const { relevance } = found.eviction;
  const { kept = [], current = 1 } = counterfactuals?.lambda ?? {};
  const next = kept.find(([from]) => from > (current as number))?.[0];
  const less = report.kept.filter((each) => !each.pinned && (each.relevance ?? 1) < (relevance ?? 0));
  if (next === undefined || less.length === 0) return undefined;
  return {
    cause: 'diversity' as const,
    because: `${listed(less.slice(0, 2).map(({ id }) => quoted(id)))} ${less.length === 1 ? 'is' : 'are'} less relevant, but ${less.length === 1 ? 'repeats' : 'repeat'} less of the others, and select.lambda is ${current}.`,
    remedy: { options: { select: { lambda: next } }, isVerified: true },
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
    because: `${listed(sides.map(({ id }) => quoted(id)))} say different things about one subject, so ${sides.length === 2 ? 'both' : 'all'} stay, and they take the room of ${count(sides.length)} chunks.`,
  };
}

/** Causes that no option corrects: of the input, of services, of the chunk itself. They matter where chunks are ranked. */
function observed(it: EvictedCase): Found | undefined {
  const { reason, index } = it.found.eviction;
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
