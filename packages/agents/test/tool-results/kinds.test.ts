import { expect, test } from 'vitest';
import { readText } from '../../src/tool-results/kinds/index.js';

const many = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

test.each([
  ['json', JSON.stringify([{ id: 1 }, { id: 2 }])],
  ['json', many(20, (at) => `{"level": "error", "at": ${at}}`)],
  ['log', many(40, (at) => `2026-01-05T10:00:${10 + at} worker ${at} is ready`)],
  ['log', many(40, (at) => `[WARN] part ${at} is slow`)],
  ['log', many(40, (at) => `ok ${at} - adds`)],
  ['log', many(40, (at) => `tests/test_order.py::test_${at} PASSED   [ ${at}%]`)],
  [
    'log',
    many(
      40,
      (at) =>
        `10.0.0.${at} - - [05/Jan/2026:10:00:${10 + at} +0000] "GET /a${at} HTTP/1.1" 200 ${at} "-" "x/5.0"`,
    ),
  ],
  ['table', `name,city,age\n${many(30, (at) => `n${at},Oslo,${at}`)}`],
  ['table', `| name | age |\n| --- | --- |\n${many(30, (at) => `| n${at} | ${at} |`)}`],
  ['table', `NAME   READY   STATUS\n${many(30, (at) => `pod-${at}   1/1   Running`)}`],
  ['markdown', many(10, (at) => `## Part ${at}\n\n- The [ferry](a.md) leaves.\n- It is red.\n`)],
  ['markdown', many(30, (at) => `## Pump ${at}\n\nThe pump ${at} has a pressure of ${at * 31} bar.\n`)],
  [
    'prose',
    many(20, (at) => `The ferry number ${at} leaves at noon. An error of the captain made it late.\n`),
  ],
  ['prose', ''],
])('a text is recognised as %s', (kind, text) => {
  expect(readText(text).kind).toBe(kind);
});

test('the kind that a caller names reads', () => {
  const text = 'One line.\nAnother one.';
  expect(readText(text, {}, 'log').kind).toBe('log');
  expect(readText(text, {}, 'log').structure.blocks).toHaveLength(2);
});
