import { expect, test } from 'vitest';
import { type Contestant, calibrate, inTurns, leastLoaded, summary } from './sampling.js';

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

test('the least loaded third has the fastest calibration loops, and gives the quiet median', async () => {
  const samples = [3, 1, 2, 6, 5, 4].map((loop) => ({ milliseconds: 10 * loop, loop }));
  expect(leastLoaded(samples)).toEqual([
    { milliseconds: 10, loop: 1 },
    { milliseconds: 20, loop: 2 },
  ]);
  expect(leastLoaded(samples.slice(0, 1))).toEqual(samples.slice(0, 1));

  const loads = samples.map(({ loop }) => loop);
  const each: Contestant = { name: 'a', measure: async (turn) => samples[turn]?.milliseconds as number };
  const effort = { turns: 6, warmUps: 0, patience: 1000 };
  const [told] = await inTurns([each], effort, () => loads.shift() as number);
  expect(told).toMatchObject({ median: 35, quiet: 15, loops: 10 });
});

test('the calibration loop takes time', () => {
  expect(calibrate()).toBeGreaterThan(0);
});
