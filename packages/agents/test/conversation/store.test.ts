import {
  createConversationShaper,
  type Message,
  memoryPassageStore,
  type RequestReport,
} from 'context-shaping-agents';
import { expect, onTestFinished, test, vi } from 'vitest';
import { storeContract } from '../passage-store/contract.js';
import { said } from './support.js';

storeContract('memory', async () => {
  const store = memoryPassageStore();
  return { open: async () => ({ ...store, close: async () => {}, [Symbol.asyncDispose]: async () => {} }) };
});

const handleKey = 'a key of the tests';
const ferries = Array.from(
  { length: 40 },
  (_, at) => `Ferry ${at} leaves pier ${at + 1} every ${at + 10} minutes.`,
);
const messages: Message[] = [
  said('user', 'When does ferry 7 leave?'),
  { role: 'assistant', parts: [{ type: 'call', id: 'c', tool: 'search', input: { query: 'ferry 7' } }] },
  {
    role: 'tool',
    parts: [
      { type: 'result', id: 'c', tool: 'search', content: [{ type: 'text', text: ferries.join('\n\n') }] },
    ],
  },
];
const handleIn = (sent: readonly { message: Message }[]) =>
  /recall_passage ([\w-]{22})\]/.exec(JSON.stringify(sent))?.[1] ?? '';

test('a memory has a greatest size, and forgets the least recently used entry', async () => {
  const store = memoryPassageStore({ maxBytes: 12 });
  await store.set([
    ['a', 'x'],
    ['b', 'y'],
    ['c', 'z'],
  ]);
  expect(await store.get('a')).toBe('x');
  await store.set([['d', '!']]);
  expect(await Promise.all(['a', 'b', 'c', 'd'].map((key) => store.get(key)))).toEqual([
    'x',
    undefined,
    'z',
    '!',
  ]);
  await store.set([['long', 'longer than everything']]);
  expect(await store.get('long')).toBeUndefined();
  expect(() => memoryPassageStore({ maxBytes: 0 })).toThrow(expect.objectContaining({ field: 'maxBytes' }));
});

test('another process with the key reads left-out results from the store, but not for another thread, nor by a forged handle', async () => {
  const store = memoryPassageStore();
  const shaper = createConversationShaper({ handleKey, maxToolTokens: 200, store });
  const { messages: sent } = await shaper.shapeRequest({ thread: 'one', messages });
  const handle = handleIn(sent);
  const other = createConversationShaper({ handleKey, maxToolTokens: 200, store });
  const call = { thread: 'one', callId: 'r', query: 'ferry 31' };
  expect((await other.recall({ ...call, handle })).text).toContain(ferries[31]);
  const forgeries = [
    'A'.repeat(22),
    '',
    ' ',
    handle.slice(0, -1),
    `${handle}A`,
    handle.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
  ];
  for (const forged of forgeries) expect((await other.recall({ ...call, handle: forged })).found).toBe(false);
  const stranger = createConversationShaper({ handleKey: 'another key of the tests', store });
  expect((await stranger.recall({ ...call, handle })).found).toBe(false);
});

test('a note names left-out passages by the handle and a number, each readable alone, in its own thread', async () => {
  const shaper = createConversationShaper({ handleKey, maxToolTokens: 1600 });
  const long = ferries.map((ferry) => `${ferry} ${'It is red. '.repeat(30)}`);
  const result = { type: 'result', id: 'c', tool: 'search' } as const;
  const content = [{ type: 'text', text: long.join('\n\n') }] as const;
  const { content: shown } = await shaper.shapeResult({ ...result, content }, { thread: 'one' });
  const note = JSON.stringify(shown);
  const [, handle = ''] = /recall_passage ([\w-]{22})\]/.exec(note) ?? [];
  const [first, ...more] = Array.from(note.matchAll(/\\n([\w-]{22}\.\d+) (Ferry \d+ )/g));
  expect(more.length).toBeGreaterThan(0);
  const call = { thread: 'one', callId: 'r' };
  for (const [at, [, name = '', begins = '']] of [first as RegExpExecArray, ...more].entries()) {
    expect(name).toBe(`${handle}.${at + 1}`);
    const { text } = await shaper.recall({ ...call, handle: name });
    expect(text).toBe(long.find((each) => each.startsWith(begins))?.trim());
    expect((await shaper.recall({ ...call, handle: name, thread: 'two' })).found).toBe(false);
  }
  for (const number of ['0', '999', 'x'])
    expect((await shaper.recall({ ...call, handle: `${handle}.${number}` })).found).toBe(false);
});

test('two results with one call id: each handle reads what its own result left out', async () => {
  const shaper = createConversationShaper({ handleKey, maxToolTokens: 200 });
  const trains = ferries.map((ferry) => ferry.replace('Ferry', 'Train').replace('pier', 'track'));
  const both = [ferries, trains].flatMap((lines) =>
    messages.map((message, at) =>
      at < 2
        ? message
        : {
            ...message,
            parts: [{ ...message.parts[0], content: [said('user', lines.join('\n\n')).parts[0]] }],
          },
    ),
  ) as Message[];
  for (const maxTokens of [undefined, 300]) {
    const own =
      maxTokens === undefined
        ? shaper
        : createConversationShaper({ handleKey, maxToolTokens: 200, maxTokens });
    const { messages: sent, report } = await own.shapeRequest({ thread: 'one', messages: both });
    const [older, newer] = sent.flatMap(({ message }) =>
      message.role === 'tool' ? [handleIn([{ message }])] : [],
    );
    const call = { thread: 'one', callId: 'r', pattern: 'every 41 minutes' };
    expect(report.results.map(({ state }) => state)).toEqual([
      maxTokens === undefined ? 'shaped' : 'relieved',
      'shaped',
    ]);
    expect((await own.recall({ ...call, handle: older ?? '' })).text).toContain(ferries[31]);
    expect((await own.recall({ ...call, handle: newer ?? '' })).text).toContain(trains[31]);
  }
});

test('a store that fails: the request goes on, the report says so, and a recall tells the model', async () => {
  const reports: RequestReport[] = [];
  const fail = async () => {
    throw new Error('No connection.');
  };
  const shaper = createConversationShaper({
    ...{ handleKey, maxToolTokens: 200, store: { get: fail, set: fail }, errorMessages: true },
    onRequest: (report) => void reports.push(report),
  });
  const { messages: sent, report } = await shaper.shapeRequest({ thread: 'one', messages });
  expect(report.degradations).toEqual([
    { code: 'store-failed', message: expect.stringMatching(/: No connection\.$/) },
  ]);
  expect(reports).toEqual([report]);
  const call = { thread: 'one', callId: 'r', query: 'ferry 31', handle: handleIn(sent) };
  expect(await shaper.recall(call)).toEqual({
    found: false,
    text: expect.stringContaining('cannot be read now'),
  });
});

test('an observer that throws fails no request, and an abort does', async () => {
  const onRequest = () => {
    throw new Error('Full.');
  };
  const shaper = createConversationShaper({
    ...{ handleKey, maxToolTokens: 200, onRequest },
    errorMessages: true,
  });
  const { report } = await shaper.shapeRequest({ thread: 'one', messages });
  expect(report.degradations).toEqual([{ code: 'observer-failed', message: 'onRequest threw: Full.' }]);
  const signal = AbortSignal.abort(new Error('Enough.'));
  await expect(shaper.shapeRequest({ thread: 'two', messages, signal })).rejects.toThrow('Enough.');
});

test.each([
  [undefined, 4784],
  [1445, 1445],
  [0, 0],
])(
  'tools, the system prompt, images and content of unknown size are in the report: %j',
  async (images, each) => {
    const shaper = createConversationShaper({ tokenizer: (text) => text.length, images });
    const tool = { name: 'search', description: 'Searches.', parameters: { type: 'object' } };
    const { report } = await shaper.shapeRequest({
      thread: '',
      tools: [tool],
      messages: [
        said('system', 'Be brief.'),
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'What is this?' },
            { type: 'other', kind: 'image' },
            { type: 'other', kind: 'audio' },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'other', kind: 'file', tokens: 70 },
            { type: 'other', kind: 'image', tokens: 30 },
          ],
        },
      ],
    });
    const tools = JSON.stringify(tool).length;
    expect(report.tokens).toEqual({
      given: 13 + 17 + 4 + each + 4 + 74 + 34 + tools,
      sent: 13 + 17 + 4 + each + 4 + 74 + 34 + tools,
      system: 13,
      tools,
    });
    expect(report.images).toEqual({ count: 1, tokens: each });
    expect(report.unknown).toEqual([{ kind: 'audio', count: 1 }]);
  },
);

test.each([
  ['deadlineMs', { deadlineMs: 20 }, 20],
  ['its own limit', {}, 5000],
])(
  'a store that never answers costs time, by %s: the result is shaped, and the report says so',
  async (_, options, limit) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const never = () => new Promise<never>(() => {});
    const shaper = createConversationShaper({
      ...options,
      handleKey,
      maxToolTokens: 200,
      store: { get: never, set: never },
    });
    const passing = async <T>(work: Promise<T>): Promise<T> => {
      let isDone = false;
      void work.finally(() => {
        isDone = true;
      });
      while (!isDone) await vi.advanceTimersByTimeAsync(limit / 4);
      return work;
    };
    const { messages: sent, report } = await passing(shaper.shapeRequest({ thread: '', messages }));
    expect(report.degradations).toEqual([
      { code: 'store-failed', message: expect.stringContaining(`within ${limit} ms`) },
    ]);
    const recalled = await passing(shaper.recall({ handle: handleIn(sent), thread: '', callId: 'r' }));
    expect(recalled).toMatchObject({ found: false, text: expect.stringContaining('cannot be read now') });
  },
);
