import { describe, expect, test } from 'vitest';
import { RULES, type Rule, shareTrusted, USEFUL, USELESS } from '../../gate/simulation.js';

describe('simulated calibrations', () => {
  const gate = RULES.gate as Rule;
  const runs = 500;
  const names = Object.keys(USELESS).flatMap((name) =>
    [20, 60, 100].flatMap((questions) => [1, 4].map((methods) => ({ name, questions, methods }))),
  );

  test.each(names)('false trust is at most 5 %: $name, $questions questions, $methods methods', (setting) => {
    expect(shareTrusted(gate, USELESS[setting.name] as never, { ...setting, runs })).toBeLessThanOrEqual(
      0.05,
    );
  });

  test('the former rule trusts useless models far more often', () => {
    const former = RULES.former as Rule;
    const rare = USELESS['+.03 in 95 %, -.57 in 5 %'] as never;
    expect(shareTrusted(former, rare, { questions: 20, methods: 1, runs })).toBeGreaterThan(0.25);
  });

  test.each([
    ['like the fixture: 1/6 in 42 %', 1, 100, 0.95],
    ['like the fixture: 1/6 in 42 %', 4, 100, 0.95],
    ['+.07, noise of .1', 1, 100, 0.95],
    ['+.07, noise of .1', 4, 100, 0.95],
    ['+.07, noise of .15', 1, 100, 0.95],
    // Four methods and as much noise need more questions.
    ['+.07, noise of .15', 4, 150, 0.95],
  ])('power: %s, %i methods, %i questions', (name, methods, questions, least) => {
    const power = shareTrusted(gate, USEFUL[name] as never, { questions, methods, runs, real: 1 });
    expect(power).toBeGreaterThanOrEqual(least);
  });
});
