import { describe, expect, test } from 'vitest';
import { mean } from '../../../devtools/src/measurement/index.js';
import type { RankedList } from '../overfetch.js';
import { LIST_KINDS, noiseFor, qualityOf, strongOrders } from './list-kinds.js';

const SIZE = 50;

/** The chunks of the collection in another order than that of the list. */
const list = (at: number): RankedList => {
  const chunks = Array.from({ length: SIZE }, (_, place) => ({ id: `c${(place * 7) % SIZE}`, text: '' }));
  const ids = Array.from({ length: SIZE }, (_, place) => `c${place}`);
  const question = {
    id: `${at}`,
    group: `${at}`,
    question: '',
    chunks,
    relevant: ['c7', 'c40'],
    answers: [],
    facts: [],
  };
  return { case: question, ids, scores: ids.map((_, place) => SIZE - place) };
};
const lists = Array.from({ length: 40 }, (_, at) => list(at));
const named = (name: string) => {
  const kind = LIST_KINDS.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`There are no lists of the name ${name}.`);
  return kind.poolsOf(lists);
};
const idsOf = (chunks: readonly { id: string }[]) => chunks.map(({ id }) => id);

test.each(LIST_KINDS)('$name: the same chunks, the same again; what says the truth is there', (kind) => {
  const pools = kind.poolsOf(lists);
  for (const { chunks } of pools) expect(idsOf(chunks).toSorted()).toEqual([...list(0).ids].toSorted());
  expect(kind.poolsOf(lists)).toEqual(pools);
  if (kind.truth !== undefined) expect(LIST_KINDS.map(({ name }) => name)).toContain(kind.truth);
});

test('orders and scores are what their names say', () => {
  const scores = (name: string) => named(name)[0]?.chunks.map(({ score }) => score as number) ?? [];
  expect(idsOf(named('BM25 order')[0]?.chunks ?? [])).toEqual(list(0).ids);
  expect(scores('BM25 order').every((score) => score === undefined)).toBe(true);
  expect(scores('BM25 scores')).toEqual(list(0).scores);
  expect(scores('distances')).toEqual(scores('distances').toSorted((a, b) => a - b));
  expect(scores('cosines')).toEqual(scores('cosines').toSorted((a, b) => b - a));
  expect(idsOf(named('file order')[0]?.chunks ?? [])).toEqual(idsOf(list(0).case.chunks));
  const old = named('reranked, old scores')[0]?.chunks ?? [];
  for (const { id, score } of old) expect(score).toBe(SIZE - Number(id.slice(1)));
  expect(idsOf(old)).toEqual(idsOf(named('reranked, no scores')[0]?.chunks ?? []));
});

describe('made-up orders', () => {
  const quality = (orders: readonly (readonly number[])[]) =>
    mean(
      lists.map((each, at) => {
        const ids = (orders[at] as readonly number[]).map((place) => each.ids[place] as string);
        return qualityOf(each, ids);
      }),
    );

  test('without noise what answers comes first; the noise for a quality gives about that quality', () => {
    expect(quality(strongOrders(lists, 0))).toBe(1);
    expect(noiseFor(lists, 1)).toBe(0);
    const nothing = { ...list(99), case: { ...list(99).case, relevant: ['elsewhere'] } };
    expect(noiseFor([...lists, nothing], 0.8)).toBe(noiseFor(lists, 0.8));
    for (const wanted of [0.95, 0.8, 0.6])
      expect(Math.abs(quality(strongOrders(lists, noiseFor(lists, wanted))) - wanted)).toBeLessThan(0.02);
  });
});
