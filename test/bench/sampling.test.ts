import { expect, test } from 'vitest';
import { type Contestant, inTurns, summary } from './sampling.js';

/** Takes a given time, and writes down when its turn was. */
const contestant = (name: string, milliseconds: number, log: string[]): Contestant => ({
  name,
  async measure(turn) {
    log.push(`${name}${turn}`);
    return milliseconds;
  },
});

test('contestants take turns, another one first each round, and each gets every input once', async () => {
  const log: string[] = [];
  const effort = { turns: 2, warmUps: 1, patience: 100 };
  const [a, b] = await inTurns([contestant('a', 1, log), contestant('b', 3, log)], effort);
  expect(log).toEqual(['a0', 'b0', 'b1', 'a1', 'a2', 'b2']);
  expect(a).toMatchObject({ turns: 2, median: 1 });
  expect(b).toMatchObject({ turns: 2, median: 3 });
});

test('who takes long gets fewer turns, but one at least', async () => {
  const log: string[] = [];
  const effort = { turns: 5, warmUps: 0, patience: 10 };
  const [slow, fast] = await inTurns([contestant('a', 6, log), contestant('b', 0, log)], effort);
  expect([slow?.turns, fast?.turns]).toEqual([2, 5]);
  log.length = 0;
  const [slowest] = await inTurns([contestant('c', 99, log)], { ...effort, warmUps: 2 });
  expect(slowest).toMatchObject({ turns: 1, median: 99 });
  expect(log).toEqual(['c0']);
});

test('quantiles lie between the times that are next to them', () => {
  expect(summary([4, 1, 2, 3])).toEqual({
    turns: 4,
    min: 1,
    lowerQuartile: 1.75,
    median: 2.5,
    upperQuartile: 3.25,
  });
});
