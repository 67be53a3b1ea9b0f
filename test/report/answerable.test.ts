import { createShaper, type ShapingReport } from 'context-shaping';
import { formatReport, reportLines } from 'context-shaping/explain';
import { expect, test } from 'vitest';
import { chunk } from '../support.js';

const BRIDGE = chunk('bridge', 'The harbour bridge was opened to traffic on 19 March 1932.');
const CATS = chunk('cats', 'Cats sleep for most of the day.');
const ASKED = 'When was the harbour bridge opened?';

async function reportOf(query: string, chunks = [BRIDGE, CATS], ranked?: boolean): Promise<ShapingReport> {
  return (await createShaper(ranked === undefined ? {} : { ranked }).shape({ query, chunks })).report;
}

test('the report says whether the chunks answer the query', async () => {
  expect((await reportOf(ASKED)).answerable?.verdict).toBe('likely');
  expect((await reportOf('Which architect designed the opera house?')).answerable?.verdict).toBe('unlikely');
  expect((await reportOf(ASKED, [CATS])).answerable?.verdict).toBe('unlikely');
});

test('an unlikely answer evicts nothing', async () => {
  const { kept, evicted } = await reportOf('Which architect designed the opera house?');
  expect([kept.length, evicted.length]).toEqual([2, 0]);
});

test('neither the order of the chunks nor its meaning changes it', async () => {
  const { answerable } = await reportOf(ASKED);
  expect((await reportOf(ASKED, [CATS, BRIDGE])).answerable).toEqual(answerable);
  for (const ranked of [true, false]) {
    expect((await reportOf(ASKED, [CATS, BRIDGE], ranked)).answerable).toEqual(answerable);
  }
});

test('a title counts, and so does the conversation before the query', async () => {
  const opened = chunk('opened', 'It was opened in 1932.');
  const titled = { ...opened, metadata: { title: 'Harbour bridge' } };
  const [plain, better] = await Promise.all([opened, titled].map((each) => reportOf(ASKED, [each])));
  expect(better?.answerable?.probability).toBeGreaterThan(plain?.answerable?.probability as number);

  const ask = (history: { role: 'user'; text: string }[]) =>
    createShaper().shape({ query: { text: 'When was it opened?', history }, chunks: [BRIDGE, CATS] });
  const { report: alone } = await ask([]);
  const { report: later } = await ask([{ role: 'user', text: 'Tell me about the harbour bridge.' }]);
  expect(later.answerable?.probability).toBeGreaterThan(alone.answerable?.probability as number);
});

test('a query without words leaves it open; no chunks, and blank ones, answer nothing', async () => {
  expect((await reportOf('')).answerable).toEqual({ verdict: 'unclear', probability: 0.5 });
  expect((await reportOf(ASKED, [])).answerable).toEqual({ verdict: 'unlikely', probability: 0 });
  expect((await reportOf(ASKED, [chunk('blank', ' ')])).answerable).toEqual({
    verdict: 'unlikely',
    probability: 0,
  });
});

test('the tables and the first line of the log have it; a report of an earlier version has none', async () => {
  const report = await reportOf('Which architect designed the opera house?');
  const probability = report.answerable?.probability.toFixed(2);
  expect(formatReport(report)).toContain(`\nAnswer in these chunks: unlikely (${probability})\n`);
  expect(JSON.parse(reportLines(report)[0] as string).answerable).toEqual(report.answerable);
  const { answerable: _, ...earlier } = report;
  expect(formatReport(earlier)).not.toContain('Answer in');
});
