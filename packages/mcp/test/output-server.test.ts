/** Outputs that a hook keeps, recalled by a server. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { estimateTokens as count } from 'context-shaping';
import { excerptOf, linesIn, type Wanted } from 'context-shaping-agents/internal';
import { createOutputServer } from 'context-shaping-mcp';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { keepOutput } from '../src/output-store.js';
import { manual, textOf } from './support.js';

const excerpt = (output: string, wanted: Wanted, maxTokens = 10_000) =>
  excerptOf(linesIn(output), wanted, { maxTokens, count });
const numbers = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`);
const output = `${numbers.join('\n')}\n`;

test.each([
  ['7', 'line 7'],
  ['7-9', 'line 7\nline 8\nline 9'],
  [' 99 – 200 ', 'line 99\nline 100'],
  [undefined, numbers.join('\n')],
])('lines %s', (lines, expected) => {
  expect(excerpt(output, { lines })).toBe(expected);
});

test.each(['0', '101', '9-7', 'x', '-3', '1-2-3', ''])('lines %j are refused', (lines) => {
  expect(() => excerpt(output, { lines })).toThrow(/lines must be a line of 100, or two with - between/);
});

test('a pattern shows each match with two lines around it, as grep does', () => {
  expect(excerpt(output, { pattern: 'LINE (20|22|50)$' }).split('\n')).toEqual([
    ...['18-line 18', '19-line 19', '20:line 20', '21-line 21', '22:line 22', '23-line 23', '24-line 24'],
    ...['…', '48-line 48', '49-line 49', '50:line 50', '51-line 51', '52-line 52'],
  ]);
  expect(excerpt(output, { pattern: 'line 5', lines: '50-51' })).toBe('50:line 50\n51:line 51');
  expect(excerpt(output, { pattern: 'no such text' })).toBe('[No line of 100 matches.]');
});

test('a pattern is also a text, and one that would search for years is refused', () => {
  expect(excerpt('pump(7\npump 8', { pattern: 'PUMP(' })).toBe('1:pump(7\n2-pump 8');
  expect(excerpt('pump(7)\npump 8', { pattern: 'pump(7)' })).toBe('1:pump(7)\n2-pump 8');
  const hostile = `${'a'.repeat(40)}!`;
  expect(() => excerpt(hostile, { pattern: '^(a+)+$' })).toThrow(/pattern takes too long/);
});

test('every excerpt is within its tokens, and says from where to go on until all is read', () => {
  const texts = fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 80, max: 300 }), (lines, maxTokens) => {
      const whole = lines.join('\n').replace(/\n$/, '');
      const total = whole.split('\n').length;
      const read: string[] = [];
      for (let from = 1; ; ) {
        const part = excerpt(whole, { lines: `${from}-${total}` }, maxTokens);
        expect(count(part)).toBeLessThanOrEqual(maxTokens);
        const [note, next] = /\n?\[Lines (\d+) to \d+ of \d+ are left: [^\n]+\]$/.exec(part) ?? [];
        read.push(note === undefined ? part : part.slice(0, -note.length));
        if (next === undefined) break;
        expect(Number(next)).toBeGreaterThan(from);
        from = Number(next);
      }
      expect(read.join('\n')).toBe(whole);
    }),
    { numRuns: 60 },
  );
});

test('of a long line, the part around the match is shown', () => {
  const line = `${'x'.repeat(50_000)} needle ${'y'.repeat(50_000)}`;
  const shown = excerpt(line, { pattern: 'needle' });
  expect(shown).toMatch(/^1:…x+ needle y+…$/);
  expect(shown.length).toBeLessThan(2100);
  expect(excerpt(line, {})).toMatch(/^x{2000}…$/);
  const words = 'one two '.repeat(5000);
  expect(excerpt(`${words}\nnext`, {}, 100)).toMatch(/^(one two )+[a-z ]*…\nnext$/);
});

async function open(folder: string, options = {}): Promise<Client> {
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await createOutputServer(folder, options).connect(serverEnd as never);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(clientEnd);
  onTestFinished(() => client.close());
  return client;
}

test('the server reads by lines, by a pattern and by a question, within its tokens', async () => {
  const folder = temporaryFolder();
  const handle = await keepOutput(folder, manual(300));
  const client = await open(folder, { maxTokens: 400 });
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['recall_output', true],
  ]);
  const recall = async (own: object) => {
    const result = await client.callTool({ name: 'recall_output', arguments: { handle, ...own } });
    expect(count(textOf(result))).toBeLessThanOrEqual(400);
    return textOf(result);
  };
  expect(await recall({ lines: '1-3' })).toBe(manual(1));
  expect(await recall({ pattern: 'pump 211 ' })).toContain(
    '845-## Pump 211\n846-\n847:The pump 211 in hall 1',
  );
  expect(await recall({ query: 'pressure of pump 123' })).toContain('The pump 123 in hall 4');
  expect(await recall({})).toMatch(/^## Pump 0\n[\s\S]*\[Lines \d+ to 1199 of 1199 are left/);
});

test.each([
  [{ handle: 'x'.repeat(22) }, 'handle is of no output that is kept'],
  [{ handle: '../../etc/passwd' }, 'handle is of no output that is kept'],
  [{ lines: '5' }, 'handle'],
])('wrong arguments are an error with the place: %j', async (args, place) => {
  const result = await (await open(temporaryFolder())).callTool({ name: 'recall_output', arguments: args });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain(place);
});
