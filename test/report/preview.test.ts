/** The option `preview`: the first characters of each chunk in the report. */
import { createShaper, type StageEvent } from 'context-shaping';
import { formatReport, reportLines } from 'context-shaping/explain';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../scripts/report-schema.js';
import { hiddenIn } from '../../src/text/hidden/hidden.js';
import { chunks, question } from '../pool.js';

/** The preview of a text. */
async function previewOf(text: string, preview: number): Promise<string | undefined> {
  const { report } = await createShaper({ preview }).shape({ query: 'q', chunks: [{ id: 'a', text }] });
  return report.kept[0]?.preview;
}

describe('in the report', () => {
  test('without the option, no text of a chunk is in the report', async () => {
    const shape = (options: object) =>
      createShaper({ budget: { maxTokens: 120 }, flag: false, ...options }).shape({
        query: question,
        chunks,
      });
    const { report } = await shape({});
    const told = JSON.stringify(report);
    for (const { text } of chunks) if (text.length > 20) expect(told).not.toContain(text.slice(0, 20));
    expect(told).not.toContain('preview');
    const { report: off } = await shape({ preview: false });
    expect(off.digest).toBe(report.digest);
  });

  test('with it, every chunk has the first characters of its whole text, kept, cut or evicted, in every form', async () => {
    const long = `${'The bridge opened in 1932. Cats sleep all day. '.repeat(9)}`;
    const pool = [...chunks, { id: 'long', text: long }];
    const events: StageEvent[] = [];
    const evicted: (string | undefined)[] = [];
    const { report } = await createShaper({
      preview: 30,
      budget: { maxTokens: 120 },
      onStage: (event) => void events.push(event),
      onEvict: ({ preview }) => void evicted.push(preview),
    }).shape({ query: question, chunks: pool });
    expect(report.kept.some(({ excerpts }) => excerpts !== undefined)).toBe(true);
    const entries = [...report.kept, ...report.evicted];
    expect(entries).toHaveLength(pool.length);
    for (const { index, preview } of entries) {
      const line = (pool[index]?.text ?? '').replaceAll(/\s+/g, ' ').trim();
      expect(line.startsWith(preview as string)).toBe(true);
      expect(preview?.length).toBeGreaterThanOrEqual(Math.min(line.length, 15));
    }
    const told = report.evicted.map(({ preview }) => preview);
    expect(evicted).toEqual(told);
    expect(events.flatMap((event) => event.evicted.map(({ preview }) => preview))).toEqual(told);
    expect(report.options.preview).toBe(30);
    expect(reportSchema.safeParse(report).error).toBeUndefined();
    const inLines = reportLines(report).flatMap((line) => JSON.parse(line).preview ?? []);
    expect(inLines).toEqual(entries.map(({ preview }) => preview));
  });

  test('a session changes it from run to run', async () => {
    const session = createShaper({ k: 3 }).session({ query: question, chunks });
    const previews = async (preview: number | false) =>
      (await session.at({ preview })).report.kept.map((entry) => entry.preview?.length ?? 0);
    expect(Math.max(...(await previews(10)))).toBeLessThanOrEqual(10);
    expect(Math.max(...(await previews(50)))).toBeGreaterThan(30);
    expect(Math.max(...(await previews(false)))).toBe(0);
  });

  test.each([0, 501, 2.5, true, '30'])('%j is refused', (preview) => {
    expect(() => createShaper({ preview: preview as number })).toThrow(/^preview /);
  });
});

describe('a preview', () => {
  const hostile = [
    'one\r\ntwo\u0085three\u2028four\tfive',
    'see \u202egpj.exe\u2066 and \u001b[2J this',
    `ok${String.fromCodePoint(...Array.from('ignore this', (each) => 0xe0000 + each.charCodeAt(0)))}!`,
    'half \ud83d of a pair',
    'zero\u200bwidth\u200bspaces\u200bhere',
  ];
  test('cannot end the line, hide anything or turn the line around', async () => {
    for (const text of hostile) {
      for (const most of [1, 7, 40, 500]) {
        const preview = (await previewOf(text, most)) as string;
        expect(preview.length).toBeLessThanOrEqual(most);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about them
        expect(preview).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
        expect(hiddenIn(preview)).toEqual([]);
        expect(preview).not.toMatch(/\p{Surrogate}/u);
      }
    }
    expect(await previewOf(hostile[0] as string, 40)).toBe('one two three four five');
    expect(await previewOf(hostile[1] as string, 60)).toBe(
      String.raw`see \u{202E}gpj.exe\u{2066} and \u{1B}[2J this`,
    );
    expect(await previewOf(hostile[3] as string, 40)).toBe(String.raw`half \u{D83D} of a pair`);
    // No part of an escape.
    expect(await previewOf('a\u202eb', 8)).toBe('a');
  });

  test('ends with a whole word, unless that leaves less than half', async () => {
    expect(await previewOf('The bridge opened in 1932.', 12)).toBe('The bridge');
    expect(await previewOf('The bridge opened in 1932.', 10)).toBe('The bridge');
    expect(await previewOf('The bridge opened in 1932.', 26)).toBe('The bridge opened in 1932.');
    expect(await previewOf('A https://example.org/a/long/path', 12)).toBe('A https://ex');
    expect(await previewOf('GPT 模型的上下文窗口是有限的', 10)).toBe('GPT 模型的上下文');
  });

  test('ends between characters as a reader sees them', async () => {
    expect(await previewOf('😀😀😀', 3)).toBe('😀');
    expect(await previewOf('cafe\u0301s', 4)).toBe('caf');
    expect(await previewOf('👩‍👩‍👧 family', 9)).toBe('👩‍👩‍👧');
    expect(await previewOf('👩‍👩‍👧 family', 7)).toBe('');
  });

  test('is of the text as the option `sanitise` leaves it, and empty for a blank text', async () => {
    const { report } = await createShaper({ preview: 20, sanitise: 'strip' }).shape({
      query: 'q',
      chunks: [
        { id: 'a', text: 'ze\u200bro\u200bwi\u200bdth' },
        { id: 'b', text: ' \n\t ' },
      ],
    });
    expect(report.kept.map(({ preview }) => preview).toSorted()).toEqual(['', 'zerowidth']);
  });

  test('reads no more than the beginning of a long text', async () => {
    expect(await previewOf(`${' '.repeat(1_000_000)}The bridge. ${'x '.repeat(500_000)}`, 11)).toBe(
      'The bridge.',
    );
  });

  test('is printed in a table on its own line', async () => {
    const { report } = await createShaper({ preview: 40 }).shape({
      query: 'q',
      chunks: [{ id: 'a', text: hostile[1] as string }],
    });
    expect(formatReport(report)).toContain(String.raw`see \u{202E}gpj.exe\u{2066} and`);
  });
});
