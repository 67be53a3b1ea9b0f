import { aiSdkShaping, shapedTool } from 'context-shaping-agents/ai-sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepFreeze } from '../../../../test/support.js';

const handleKey = 'a secret of sixteen characters';
const options = { maxToolTokens: 60, handleKey };
const paragraphs = Array.from(
  { length: 12 },
  (_, n) => `Bridge ${n} was opened in ${1900 + n}, after long work.`,
);
const long = paragraphs.join('\n\n');
const call = { toolCallId: '1', input: { query: 'When was bridge 7 opened?' } };

/** The output as the model gets it. */
const shown = (tool: object, output: unknown, given: Parameters<typeof shapedTool>[1] = options) => {
  const { toModelOutput } = shapedTool({ inputSchema: {}, ...tool } as View, given);
  return toModelOutput?.({ ...call, output } as never);
};
interface View {
  inputSchema: unknown;
  toModelOutput?: (call: never) => Promise<{ type: string; value?: unknown }>;
}

test('a long text is shaped for the input of the call; a short one stays', async () => {
  const output = await shown({}, long);
  expect(output).toEqual({ type: 'text', value: expect.stringContaining('Bridge 7 was opened in 1907') });
  expect(output?.value).toContain('recall_passage');
  expect(await shown({}, 'Short.')).toEqual({ type: 'text', value: 'Short.' });
});

test('the output of a tool without a view of its own is what the AI SDK makes of it', async () => {
  const date = new Date(0);
  for (const output of [{ date, gone: undefined }, 7, null, ['a']])
    expect(await shown({}, output)).toEqual({ type: 'json', value: JSON.parse(JSON.stringify(output)) });
  expect(await shown({}, undefined)).toEqual({ type: 'json', value: null });
});

test('JSON stays JSON, with the note below it', async () => {
  const rows = paragraphs.map((text, id) => ({ id, text }));
  const output = await shown({}, rows);
  const [, json = '', note] = /^(.*)\n\n(\[Of .*)$/s.exec(String(output?.value)) ?? [];
  const kept = JSON.parse(json) as typeof rows;
  expect(note).toContain('recall_passage');
  expect(kept).toContainEqual(rows[7]);
  expect(kept.length).toBeLessThan(rows.length);
  expect(rows).toEqual(expect.arrayContaining(kept));
});

test('a view of the tool is asked, with its own this, and then shaped', async () => {
  const tool = {
    word: 'Bridge',
    async toModelOutput(this: { word: string }, { output }: { output: string }) {
      const image = { type: 'image-data', data: 'iVBORw0KGgo=', mediaType: 'image/png' };
      return { type: 'content', value: [{ type: 'text', text: `${this.word}\n\n${output}` }, image] };
    },
  };
  const output = await shown(tool, long);
  const [text, ...others] = (output?.value ?? []) as { type: string; text?: string }[];
  expect(output?.type).toBe('content');
  expect(text?.text).toContain('Bridge 7');
  expect(text?.text?.length).toBeLessThan(long.length);
  expect(others).toEqual(
    expect.arrayContaining([{ type: 'image-data', data: 'iVBORw0KGgo=', mediaType: 'image/png' }]),
  );
});

test.each(['error-text', 'error-json', 'execution-denied'])(
  'an output of the type %s stays the same',
  async (type) => {
    const error = { type, value: long };
    expect(await shown({ toModelOutput: () => error }, 'any')).toBe(error);
  },
);

test('everything else of the tool stays, and the tool itself', async () => {
  const tool = deepFreeze({ inputSchema: {}, description: 'Searches.', execute: async () => long });
  const { toModelOutput, ...rest } = shapedTool(tool, options) as typeof tool & View;
  expect(rest).toEqual(tool);
  expect(toModelOutput).toBeTypeOf('function');
});

test('a filter of tools does not leave out a tool that was wrapped', async () => {
  const output = await shown({}, long, { ...options, tools: ['search'] });
  expect(output?.value).toContain('recall_passage');
});

test('a shared shaping is used for each thread apart', async () => {
  const shaping = aiSdkShaping(options);
  const [mine, same, other] = [
    await shown({}, long, shaping.withThread('a')),
    await shown({}, long, shaping.withThread('a')),
    await shown({}, long, shaping.withThread('b')),
  ];
  expect(same).toEqual(mine);
  expect(other).not.toEqual(mine);
});

test('the same output gives the same bytes, in another process with the same key too', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(paragraphs, { minLength: 1 }),
      fc.boolean(),
      async (chosen, asJson) => {
        const output = deepFreeze(asJson ? chosen.map((text, id) => ({ id, text })) : chosen.join('\n\n'));
        const [first, second] = [await shown({}, output), await shown({}, structuredClone(output))];
        expect(JSON.stringify(second)).toBe(JSON.stringify(first));
      },
    ),
    { numRuns: 100 },
  );
});
