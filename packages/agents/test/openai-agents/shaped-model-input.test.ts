import { createConversationShaper, type Message, type RequestReport } from 'context-shaping-agents';
import { openAiAgentsShaping, recallTool, shapedModelInput } from 'context-shaping-agents/openai-agents';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const PASSAGES = Array.from(
  { length: 30 },
  (_, at) =>
    `Passage ${at}: ${at === 17 ? 'the pump in hall B has a red valve' : `report number ${at * 13} from the archive`}, as clerk ${at % 7} wrote it down in the yearly book.`,
);
const LONG = PASSAGES.join('\n\n');
const QUESTION = 'Which pump has a red valve?';
const SMALL = { maxToolTokens: 120, maxTokens: 4000, handleKey: 'the key of these tests' };

/** The parts of an item that the tests use. */
interface Item {
  type?: string;
  [field: string]: unknown;
}

const user = (content: unknown): Item => ({ type: 'message', role: 'user', content });
const says = (text: string): Item => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});
const call = (callId: string, name = 'search'): Item => ({
  type: 'function_call',
  callId,
  name,
  status: 'completed',
  arguments: JSON.stringify({ query: QUESTION }),
});
const result = (callId: string, output: unknown, name = 'search'): Item => ({
  type: 'function_call_result',
  callId,
  name,
  status: 'completed',
  output,
});
const searched = (output: unknown) => [user(QUESTION), call('1'), result('1', output)];

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

/** The items that the model gets. The given ones are frozen, and the list is as the SDK gives it: an array of its own. */
async function sent(
  items: readonly Item[],
  options: Parameters<typeof shapedModelInput>[0] = SMALL,
  more: { instructions?: string; tools?: unknown[]; context?: unknown } = {},
): Promise<Item[]> {
  const { instructions, tools = [], context } = more;
  const { input } = await shapedModelInput(options)({
    modelData: { input: [...frozen(items)], ...(instructions === undefined ? {} : { instructions }) },
    agent: { tools },
    context,
  });
  return input;
}

test.each([
  ['a text', LONG, (output: unknown) => output],
  ['a text item', { type: 'text', text: LONG }, (output: unknown) => (output as { text: string }).text],
  [
    'an array of text items',
    [{ type: 'input_text', text: LONG }],
    (output: unknown) => (output as [{ text: string }])[0].text,
  ],
])('an output that is %s is shaped in its form', async (_, output, textOf) => {
  const [question, called, shaped] = await sent(searched(output));
  expect([question, called]).toEqual(searched(output).slice(0, 2));
  expect(shaped).toMatchObject({
    type: 'function_call_result',
    callId: '1',
    name: 'search',
    status: 'completed',
  });
  const text = String(textOf(shaped?.output));
  expect(text).toContain('red valve');
  expect(text).toContain('recall_passage');
  expect(text.length).toBeLessThan(LONG.length / 2);
});

test('images and files between texts stay where they are', async () => {
  const image = { type: 'input_image', image: 'data:image/png;base64,AA==' };
  const file = { type: 'input_file', file: { id: 'file_1' } };
  const output = [image, { type: 'input_text', text: LONG }, file];
  const shaped = (await sent(searched(output), { ...SMALL, images: 85 }))[2]?.output as Item[];
  expect(shaped[0]).toBe(image);
  expect(shaped).toContain(file);
  expect(shaped.flatMap(({ text = '' }) => text).join('')).toContain('red valve');
});

test('a list that fits is the same objects', async () => {
  const items = [...searched('One short passage.'), says('Hall B.')];
  const shaped = await sent(items);
  expect(shaped).toHaveLength(items.length);
  for (const [at, item] of shaped.entries()) expect(item).toBe(items[at]);
});

test('items of other types are the same objects, and leave the list only with their turn', async () => {
  const other: Item[] = [
    { type: 'reasoning', content: [] },
    { type: 'hosted_tool_call', name: 'web_search_call' },
    { type: 'computer_call', callId: 'c' },
    { type: 'computer_call_result', callId: 'c', output: {} },
    { type: 'shell_call', callId: 's' },
    { type: 'shell_call_output', callId: 's', output: [{ stdout: 'x '.repeat(300) }] },
    { type: 'compaction', encrypted_content: 'abc' },
    { type: 'unknown', providerData: {} },
    { type: 'of_next_year' },
  ];
  // They remember their shaped results.
  const shapings = [SMALL, { ...SMALL, maxTokens: 300 }].map((options) => openAiAgentsShaping(options));
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(other), fc.boolean(), async (middle, tight) => {
      const items = [user('Look.'), ...middle, says('Seen.'), ...searched(LONG)];
      const shaped = await sent(items, shapings[Number(tight)]);
      const kept = shaped.filter((item) => other.includes(item));
      expect([0, middle.length]).toContain(kept.length);
      expect(kept).toEqual(kept.length === 0 ? [] : middle);
      if (!tight) expect(shaped).toHaveLength(items.length);
    }),
    { numRuns: 100 },
  );
});

test('the report counts instructions and tools, and content whose tokens are unknown', async () => {
  const reports: RequestReport[] = [];
  const options = { ...SMALL, images: 85, onRequest: (report: RequestReport) => reports.push(report) };
  const items = [
    user([
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image: 'data:image/png;base64,AA==' },
    ]),
    { type: 'reasoning', content: [] },
    { type: 'shell_call', callId: 's', action: { commands: ['ls'] } },
    { type: 'shell_call_output', callId: 's', output: [{ stdout: 'a' }] },
    says('A pixel.'),
    user(QUESTION),
  ];
  const tools = [
    {
      type: 'function',
      name: 'search',
      description: 'Searches.',
      parameters: { type: 'object' },
      invoke: () => 1,
    },
    { type: 'hosted_tool', name: 'web_search' },
  ];
  await sent(items, options);
  await sent(items, options, { instructions: 'Answer from the archive.', tools });
  const [bare, full] = reports;
  expect(bare?.tokens).toMatchObject({ system: 0, tools: 0 });
  expect(full?.tokens.system).toBeGreaterThan(4);
  expect(full?.tokens.tools).toBeGreaterThan(4);
  expect(full?.tokens.given).toBe(
    (bare?.tokens.given ?? 0) + (full?.tokens.system ?? 0) + (full?.tokens.tools ?? 0),
  );
  expect(full?.unknown.map(({ kind, count }) => `${kind} ${count}`).toSorted()).toEqual(['reasoning 1']);
  expect(full?.images).toEqual({ count: 1, tokens: 85 });
});

test('an answer in several items is one message: the decisions are those of the engine', async () => {
  const reports: RequestReport[] = [];
  const options = { ...SMALL, maxTokens: 700, onRequest: (report: RequestReport) => reports.push(report) };
  const turns = [0, 1, 2, 3].map((at) => ({
    question: `${QUESTION} ${at}`,
    calls: [`a${at}`, `b${at}`],
    results: [LONG, LONG.replaceAll('archive', `cellar ${at}`)],
  }));
  const items = turns.flatMap(({ question, calls, results }) => [
    user(question),
    says('I search twice.'),
    ...calls.map((id) => call(id)),
    ...calls.map((id, at) => result(id, results[at])),
    says('In hall B.'),
  ]);
  const messages = turns.flatMap(({ question, calls, results }): Message[] => [
    { role: 'user', parts: [{ type: 'text', text: question }] },
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'I search twice.' },
        ...calls.map((id) => ({ type: 'call' as const, id, tool: 'search', input: { query: QUESTION } })),
      ],
    },
    {
      role: 'tool',
      parts: calls.map((id, at) => ({
        type: 'result',
        id,
        tool: 'search',
        content: [{ type: 'text', text: results[at] ?? '' }],
      })),
    },
    { role: 'assistant', parts: [{ type: 'text', text: 'In hall B.' }] },
  ]);
  await sent(items, options);
  const { report } = await createConversationShaper(options).shapeRequest({ thread: '', messages });
  expect(reports[0]).toEqual(report);
});

test('a result whose call is not in the list stays as it is', async () => {
  const orphan = result('1', LONG);
  expect((await sent([orphan]))[0]).toBe(orphan);
});

test('other fields of the model data stay', async () => {
  const modelData = { input: searched(LONG), instructions: 'Be brief.', more: 1 };
  const shaped = await shapedModelInput(SMALL)({ modelData, agent: undefined, context: undefined });
  expect(shaped).toMatchObject({ instructions: 'Be brief.', more: 1 });
});

test('recall reads the rest, in the conversation of the context alone', async () => {
  const shaping = openAiAgentsShaping({ ...SMALL, thread: ({ context }) => String(context) });
  const { input } = await shapedModelInput(shaping)({
    modelData: { input: searched(LONG) },
    agent: undefined,
    context: 'ann',
  });
  const handle = /recall_passage ([\w-]+)/.exec(String(input[2]?.output))?.[1];
  const { execute, parameters, ...tool } = recallTool(shaping);
  expect(tool).toMatchObject({ name: 'recall_passage', strict: false });
  expect(parameters).toMatchObject({ required: ['handle'], additionalProperties: false });
  const args = { handle, query: 'report number 52' };
  expect(await execute(args, { context: 'ann' })).toContain('report number 52 ');
  for (const [context, input] of [
    ['ben', args],
    ['ann', { handle: 5 }],
    ['ann', null],
    ['ann', {}],
  ])
    expect(await execute(input, { context })).toContain('This handle is of no passage of this conversation');
});

test('an aborted recall rejects', async () => {
  const shaping = openAiAgentsShaping(SMALL);
  const { input } = await shapedModelInput(shaping)({
    modelData: { input: searched(LONG) },
    agent: undefined,
    context: undefined,
  });
  const handle = /recall_passage ([\w-]+)/.exec(String(input[2]?.output))?.[1];
  const details = { signal: AbortSignal.abort(new Error('enough')) };
  await expect(recallTool(shaping).execute({ handle }, { context: undefined }, details)).rejects.toThrow(
    'enough',
  );
});
