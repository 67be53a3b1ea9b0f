/** The planner again, slowly: it has a list of levels, and adds up all messages whenever it asks for a sum. */
import type {
  MessageSize,
  ReliefLevel,
  ReliefPlan,
  ReliefSettings,
} from '../../src/conversation/plan-relief.js';

export const tokensAt = ({ full, noted }: MessageSize, level: ReliefLevel): number =>
  level === 'dropped' ? 0 : level === 'noted' ? noted : full;

export const totalOf = (
  sizes: readonly MessageSize[],
  levels: readonly ReliefLevel[],
  fixed: number,
): number => sizes.reduce((sum, size, place) => sum + tokensAt(size, levels[place] ?? 'full'), fixed);

/** The end of each request: before each answer of the model, and at the end. */
export const requestsOf = (sizes: readonly MessageSize[]): number[] =>
  [...sizes.keys(), sizes.length].filter(
    (end) => end > 0 && (end === sizes.length || (sizes[end]?.isAnswer && !sizes[end - 1]?.isAnswer)),
  );

/** An early batch: the tokens that it frees now, and would have freed in each request since the last one. */
export interface Choice {
  /** Number of the request. */
  request: number;
  freed: readonly number[];
  /** Tokens of earlier requests that it writes again. */
  rewritten: number;
}

/** The levels of the messages of each request. `isDue` decides about a batch that nothing forces. */
export function naiveLevels(
  sizes: readonly MessageSize[],
  { fixed, high, low }: ReliefSettings,
  isDue: (choice: Choice) => boolean,
): ReliefLevel[][] {
  const requests = requestsOf(sizes);
  const all: ReliefLevel[][] = [];
  let levels: ReliefLevel[] = [];
  let freed: number[] = [];
  for (const [request, end] of requests.entries()) {
    const sent = sizes.slice(0, end);
    const old = levels.length;
    levels = sent.map((_, place) => levels[place] ?? 'full');
    const given = levels;
    const total = (of = levels) => totalOf(sent, of, fixed);
    const newest = sent.at(-1)?.turn;
    const answers = sent.flatMap(({ isAnswer }, place) => (isAnswer ? [place] : []));
    const step = answers.at(-1) ?? -1;
    const note = (target: number, may: (size: MessageSize, place: number) => boolean, from = levels) => {
      const after = [...from];
      for (const [place, size] of sent.entries()) {
        if (total(after) <= target) break;
        if (may(size, place) && after[place] === 'full' && size.noted < size.full) after[place] = 'noted';
      }
      return after;
    };
    const isPast = ({ turn }: MessageSize) => turn !== newest;
    const batch = note(low, isPast);
    if (total() > high) levels = batch;
    else {
      const first = batch.findIndex((level, place) => level !== levels[place]);
      if (first >= 0) {
        const rewritten = sent
          .slice(first, Math.max(old, first))
          .reduce((sum, size, offset) => sum + tokensAt(size, batch[first + offset] as ReliefLevel), 0);
        freed.push(total() - total(batch));
        if (isDue({ request, freed, rewritten })) levels = batch;
      }
    }
    if (total() > high) levels = note(low, (_, place) => place <= step);
    if (total() > high) {
      const kept = total(
        levels.map((level, place) => {
          const size = sent[place] as MessageSize;
          return isPast(size) && size.canDrop ? 'dropped' : level;
        }),
      );
      const target = kept + Math.max(0, high - kept) * (low / high);
      for (const turn of new Set(sent.filter(isPast).map((size) => size.turn))) {
        if (total() <= target) break;
        levels = levels.map((level, place) => {
          const size = sent[place] as MessageSize;
          return size.turn === turn && size.canDrop ? 'dropped' : level;
        });
      }
    }
    if (total() > high) levels = note(high, () => true);
    if (total() !== total(given)) freed = [];
    all.push(levels);
  }
  return all;
}

/** The cost of a list of levels of each request, by comparing each with the one before. */
export function priceOf(
  sizes: readonly MessageSize[],
  all: readonly (readonly ReliefLevel[])[],
  { fixed, prices }: ReliefSettings,
): Pick<ReliefPlan, 'total' | 'stablePrefixTokens' | 'cost' | 'rewrites'> & { all: number } {
  let before: readonly ReliefLevel[] = [];
  let rewrites = 0;
  let sum = 0;
  let last = { total: 0, stablePrefixTokens: 0, cost: 0 };
  for (const levels of all) {
    const sent = sizes.slice(0, levels.length);
    const total = totalOf(sent, levels, fixed);
    const changed = before.findIndex(
      (level, place) =>
        tokensAt(sizes[place] as MessageSize, level) !==
        tokensAt(sizes[place] as MessageSize, levels[place] as ReliefLevel),
    );
    const shared = changed < 0 ? before.length : changed;
    const stable = before.length === 0 ? 0 : totalOf(sent.slice(0, shared), levels, fixed);
    if (changed >= 0) rewrites++;
    const cost = stable * prices.read + (total - stable) * prices.write;
    sum += cost;
    last = { total, stablePrefixTokens: stable, cost };
    before = levels;
  }
  return { ...last, rewrites, all: sum };
}
