import { test } from 'vitest';
import { factsOf, factDifferences } from '../../src/text/facts.js';
test('x', () => {
  for (const n of [40000, 80000, 160000]) {
    const long = '不会'.repeat(n);
    let t = performance.now(); const a = factsOf(long); const t1 = performance.now() - t;
    t = performance.now(); const b = factsOf(long.slice(1)); const t2 = performance.now() - t;
    t = performance.now(); factDifferences(a, b); console.log('##', n, t1.toFixed(0), t2.toFixed(0), (performance.now() - t).toFixed(0));
  }
});
