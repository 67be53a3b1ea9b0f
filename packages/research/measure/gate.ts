/**
 * False trust and power of rules for trust, in simulated calibrations: `npm run research -- measure/gate [runs]`. At 20 questions the
 * statistic alone is shown: the gate itself trusts nothing below 60. Also how many questions give a power of 95 %.
 */
import { RULES, type Rule, shareTrusted, USEFUL, USELESS } from '../../devtools/test/gate/simulation.js';

const runs = Number(process.argv[2] ?? 2000);
const names = Object.keys(RULES);
const percent = (share: number) => (100 * share).toFixed(1);

function table(title: string, rows: Readonly<Record<string, (rule: Rule) => number>>): void {
  console.log(`\n${title.padEnd(52)}${names.map((name) => name.padStart(12)).join('')}`);
  for (const [name, share] of Object.entries(rows))
    console.log(
      `${name.padEnd(52)}${names.map((rule) => percent(share(RULES[rule] as Rule)).padStart(12)).join('')}`,
    );
}

for (const methods of [1, 4]) {
  const measured = methods === 1 ? '1 method' : `${methods} methods`;
  table(
    `% false trust, ${measured}`,
    Object.fromEntries(
      Object.entries(USELESS).flatMap(([name, draw]) =>
        [20, 60, 100].map((questions) => [
          `${name}, ${questions} questions`,
          (rule: Rule) => shareTrusted(rule, draw, { questions, methods, runs }),
        ]),
      ),
    ),
  );
  table(
    `% power, one of ${measured} gains .07`,
    Object.fromEntries(
      Object.entries(USEFUL).flatMap(([name, draw]) =>
        [60, 100, 150].map((questions) => [
          `${name}, ${questions} questions`,
          (rule: Rule) => shareTrusted(rule, draw, { questions, methods, runs, real: 1 }),
        ]),
      ),
    ),
  );
}
