import { expect, test } from 'vitest';
import { shapeToolResult } from '../../src/tool-results/index.js';

const many = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** A text, its kind, and the lines that stand out with those that they need. */
const TEXTS: readonly (readonly [name: string, kind: string, text: string, stays: readonly string[]])[] = [
  [
    'items of YAML whose first line has no name',
    'tree',
    `items:\n${many(60, (at) => `- metadata:\n    name: pod-${at}\n  status:\n    phase: ${at === 41 ? 'CrashLoopBackOff' : 'Running'}`)}`,
    ['- metadata:', '    name: pod-41', '    phase: CrashLoopBackOff'],
  ],
  [
    'elements of XML',
    'tree',
    `<testsuite>\n${many(150, (at) => `  <testcase name="t${at}"/>`)}\n  <testcase name="broken">\n    <failure message="expected 3, got 4">trace</failure>\n  </testcase>\n</testsuite>`,
    ['<testsuite>', '  <testcase name="broken">', '    <failure message="expected 3, got 4">trace</failure>'],
  ],
  [
    'values of elements',
    'tree',
    `<project>\n${many(60, (at) => `  <dependency>\n    <id>lib-${at}</id>\n    <scope>${at === 33 ? 'provided' : 'compile'}</scope>\n  </dependency>`)}\n</project>`,
    ['  <dependency>', '    <id>lib-33</id>', '    <scope>provided</scope>'],
  ],
  [
    'branches that are drawn',
    'tree',
    `app@1.0.0\n${many(120, (at) => `├─┬ dep-${at}@1.${at}.0\n│ └── sub-${at}@2.0.0${at === 77 ? ' UNMET DEPENDENCY' : ''}`)}`,
    ['├─┬ dep-77@1.77.0', '│ └── sub-77@2.0.0 UNMET DEPENDENCY'],
  ],
  [
    'lines of one form',
    'log',
    `USER PID COMMAND\n${many(200, (at) => `root ${1000 + at} /usr/sbin/daemon-${at}`)}\nmysql 9999 /usr/sbin/mysqld --defaults`,
    ['USER PID COMMAND', 'mysql 9999 /usr/sbin/mysqld --defaults'],
  ],
];

test.each(TEXTS)('%s that stand out stay with the lines that they need', async (_, kind, text, stays) => {
  const { report: whole } = await shapeToolResult({ content: text, maxTokens: 1e6 });
  const maxTokens = Math.ceil(whole.tokens.given / 6);
  const { content, report } = await shapeToolResult({ content: text, maxTokens });
  expect(report.kind).toBe(kind);
  expect(content.split('\n')).toEqual(expect.arrayContaining([...stays]));
  expect(report.tokens.sent).toBeGreaterThanOrEqual(0.8 * maxTokens);
  expect(report.tokens.sent).toBeLessThanOrEqual(maxTokens);
});

test('a line below long ones keeps the beginnings of all of them', async () => {
  const filter = (at: number) =>
    `Filter: ${many(60, (n) => `(c${at}_${n} = ${n})`).replaceAll('\n', ' AND ')}`;
  const plan = [
    `Hash Join  (cost=1..2) ${filter(0)}`,
    ...Array.from({ length: 8 }, (_, at) => [
      `  ->  Nested Loop ${at}  ${filter(at)}`,
      `        ->  Merge Join ${at}  ${filter(at + 50)}`,
      `              ->  Seq Scan on t${at}  (rows=${at === 5 ? 9000000 : 3})`,
      `              ->  Index Scan on u${at}  (rows=3)`,
    ]).flat(),
  ].join('\n');
  const { content } = await shapeToolResult({ content: plan, maxTokens: 300 });
  const lines = content.split('\n').filter((line) => line !== '…');
  const at = lines.findIndex((line) => line.includes('rows=9000000'));
  const above = ['Hash Join', '  ->  Nested Loop 5', '        ->  Merge Join 5'];
  expect(at).toBeGreaterThan(2);
  // Others may stand between the first line and its child.
  expect([lines[0], ...lines.slice(at - 2, at)]).toEqual(
    above.map((line) => expect.stringMatching(`^${line} .*…$`)),
  );
});
