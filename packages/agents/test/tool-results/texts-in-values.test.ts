/** Data that are mostly one text: what a command printed, what a server of MCP answered. */
import { expect, test } from 'vitest';
import { aiSdkShaping, shapingMiddleware } from '../../src/ai-sdk/index.js';
import { shapeToolResult } from '../../src/tool-results/index.js';

const count = (text: string) => Math.ceil(text.length / 4);
const rows = Array.from({ length: 300 }, (_, id) => ({
  id,
  city: ['Oslo', 'Lima', 'Accra'][id % 3],
  note: `Station "${id}" reports ${id * 7} bar`,
}));
const log = [
  ...Array.from({ length: 500 }, (_, at) => `12:00:${at % 60} INFO job ${at} finished`),
  '12:01:00 ERROR the disk is full',
  ...Array.from({ length: 300 }, (_, at) => `12:02:${at % 60} INFO job ${500 + at} finished`),
].join('\n');

test('the output of a command is read as the log that it is, and its other fields stay', async () => {
  const given = { stdout: log, stderr: '', exitCode: 1 };
  const { content, report } = await shapeToolResult({ content: given, maxTokens: 200, tokenizer: count });
  expect(content).toMatchObject({ stderr: '', exitCode: 1 });
  expect(content.stdout).toContain('ERROR the disk is full');
  expect(report.kind).toBe('log');
  expect(report.fits).toBe(true);
  expect(count(JSON.stringify(content))).toBeLessThanOrEqual(200);
  expect(report.tokens.given).toBe(count(JSON.stringify(given)));
});

test('JSON in a text of an answer of MCP stays JSON, has the row that answers, and fits with all its quotes', async () => {
  const output = { content: [{ type: 'text', text: JSON.stringify(rows) }], isError: false };
  const shaping = aiSdkShaping({ maxToolTokens: 600, tokenizer: count, recall: false });
  const named = { toolCallId: 'c', toolName: 'stations' };
  const input = { query: 'What does station 177 report?' };
  const answer = { type: 'tool-result', ...named, output: { type: 'json', value: output } };
  const params = {
    prompt: [
      { role: 'assistant' as const, content: [{ type: 'tool-call', ...named, input }] },
      { role: 'tool' as const, content: [answer] },
    ],
  };
  const { prompt } = await shapingMiddleware(shaping).transformParams({ params });
  const [shown] = (prompt[1]?.content ?? []) as unknown as { output: { value: string } }[];
  const value = shown?.output.value ?? '';
  expect(count(value)).toBeLessThanOrEqual(600);
  const [data = '', note] = value.split('\n\n');
  const { content, isError } = JSON.parse(data) as typeof output;
  expect(isError).toBe(false);
  expect(JSON.parse(content[0]?.text ?? '')).toContainEqual(rows[177]);
  expect(note).toMatch(/^\[Of 300 passages: \d+ left out/);
});

test('records with long texts are read as records', async () => {
  const records = Array.from({ length: 12 }, (_, id) => ({ id, body: `Record ${id}. `.repeat(120) }));
  const { content } = await shapeToolResult({
    content: records,
    query: 'record 7',
    maxTokens: 600,
    tokenizer: count,
  });
  expect(content.map(({ id }) => id)).toContain(7);
});
