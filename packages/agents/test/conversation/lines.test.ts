/** Left-out lines by their numbers and by patterns, and results that are read by the arguments of their calls. */
import { estimateTokens } from 'context-shaping';
import {
  type ConversationShaper,
  createConversationShaper,
  type Message,
  memoryPassageStore,
} from 'context-shaping-agents';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { said, textOf } from './support.js';

const handleKey = 'a key of the tests';
const BUDGET = 300;

/** A log of 600 lines with one failure. */
const log = Array.from({ length: 600 }, (_, at) =>
  at === 399 ? 'Error: pump 7 has 3 bar, expected 4' : `[INFO] Downloading package-${at} of the mirror`,
);

const calling = (input: unknown, text: string, tool = 'run'): Message[] => [
  said('user', 'What happened?'),
  { role: 'assistant', parts: [{ type: 'call', id: 'c', tool, input }] },
  { role: 'tool', parts: [{ type: 'result', id: 'c', tool, content: [{ type: 'text', text }] }] },
];

/** The result of a call as a shaper sends it, and the function that recalls the rest. */
async function sent(messages: Message[], own = {}, read?: ConversationShaper) {
  const shaper = createConversationShaper({ handleKey, maxToolTokens: BUDGET, ...own });
  const { messages: all, report } = await shaper.shapeRequest({ thread: 't', messages });
  const shown = textOf(all.at(-1)?.message.parts[0] as never);
  const handle = /recall_passage ([\w-]{22})\]/.exec(shown)?.[1] ?? '';
  const recall = async (wanted: { lines?: string; pattern?: string }, given: Message[] = messages) =>
    (read ?? shaper).recall({ handle, ...wanted, thread: 't', callId: 'r', messages: given });
  return { shown, recall, report };
}

test.each([
  ['the messages', undefined],
  ['the store of another process', memoryPassageStore()],
])('lines have the numbers of the note, from %s', async (_, store) => {
  const other = store && createConversationShaper({ handleKey, maxToolTokens: BUDGET, store });
  const { shown, recall } = await sent(calling({ job: 7 }, log.join('\n')), { store }, other);
  const given = store === undefined ? undefined : [];
  expect(shown).toMatch(/× INFO Downloading package-… of the mirror \(lines \d+–59\d\)/);
  expect(await recall({ lines: '201-203' }, given)).toMatchObject({
    found: true,
    text: log.slice(200, 203).join('\n'),
  });
  expect((await recall({ pattern: 'package-(210|12)\\b', lines: '100-600' }, given)).text).toBe(
    log
      .slice(208, 213)
      .map((line, at) => `${209 + at}${at === 2 ? ':' : '-'}${line}`)
      .join('\n'),
  );
});

test('lines that the result shows are not among those that are left out, and the others have numbers then', async () => {
  const { shown, recall } = await sent(calling({ job: 7 }, log.join('\n')));
  expect(shown).toContain(log[399]);
  const { text } = await recall({ lines: '390-420' });
  expect(text).not.toContain(log[399]);
  const numbers = text.split('\n').flatMap((line) => /^(\d+)-/.exec(line)?.[1] ?? []);
  for (const number of numbers) expect(text).toContain(`${number}-${log[Number(number) - 1]}`);
  expect(text).toContain('\n…\n');
  expect((await recall({ pattern: 'pump 7' })).text).toMatch(/^\[No line of \d+ matches\.\]$/);
  expect((await recall({ lines: '400' })).text).toBe('[None of the lines 400 to 400 is left out.]');
});

test('what lines shows and what a result shows are all lines, page by page', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '7', '.'), minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 60, maxLength: 120 }), async (lines) => {
      const given = lines.map((each, at) => `[INFO] ${at} ${each}|`);
      const { shown, recall } = await sent(calling({}, given.join('\n')), { sanitise: false });
      const read = [shown];
      for (let from = 1; from > 0; ) {
        const { text } = await recall({ lines: `${from}-${given.length}` });
        expect(estimateTokens(text)).toBeLessThanOrEqual(BUDGET);
        read.push(text);
        from = Number(/\[Lines (\d+) to \d+ of \d+ are left/.exec(text)?.[1] ?? 0);
      }
      expect(given.filter((each) => !read.some((text) => text.includes(each)))).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test('passages without lines are read by a pattern, with numbers that lines takes', async () => {
  const stations = Array.from({ length: 60 }, (_, at) => ({ id: at, remark: `Gauge ${at * 13} of a river` }));
  const { recall } = await sent(calling({ query: 'gauge 26' }, JSON.stringify(stations)));
  const { text } = await recall({ pattern: 'gauge 650 ' });
  const [, number = ''] = /^(\d+):.*Gauge 650 of/m.exec(text) ?? [];
  expect((await recall({ lines: number })).text).toContain('Gauge 650 of a river');
});

test.each([
  [{ lines: 'all' }, /^lines must be a line of 59/],
  [{ lines: '9-7' }, /^lines must be a line of 59/],
  [{ pattern: '^(\\[INFO\\] )?((.+)+)+:$' }, /^pattern takes too long/],
])('what cannot be read is no error of the conversation: %j', async (wanted, message) => {
  const { recall } = await sent(calling({}, log.join('\n')));
  expect(await recall(wanted)).toEqual({ found: false, text: expect.stringMatching(message) });
});

test('a runtime that cannot end a pattern takes it as a text', async () => {
  const { recall } = await sent(calling({}, log.join('\n')));
  const wanted = { pattern: 'package-20[0-9]', lines: '1-600' };
  expect((await recall(wanted)).text).toContain('201:');
  const builtIn = process.getBuiltinModule;
  process.getBuiltinModule = undefined as never;
  try {
    expect((await recall(wanted)).text).toMatch(/^\[No line/);
    expect((await recall({ pattern: 'PACKAGE-200 ' })).text).toContain('201:');
  } finally {
    process.getBuiltinModule = builtIn;
  }
});

/** More sentences than code, as in a file with much documentation. */
const source = Array.from({ length: 12 }, (_, at) => [
  `def pressure_${at}(pump):`,
  `    """How high the pressure of pump ${at} is.`,
  ...Array.from(
    { length: 9 },
    (_, nth) => `    The station measures it ${nth} times a day and tells nobody about it`,
  ),
  '    """',
  `    return pump.read(${at})`,
])
  .flat()
  .join('\n');

test.each([
  [{ path: 'src/a.py' }, true],
  [{ command: 'cd app && cat src/a.py' }, true],
  [{ path: 'notes.txt' }, false],
  [{ command: 'cat notes.txt' }, false],
])('the arguments %j say whether the result is code, of which signatures stay', async (input, isCode) => {
  const { shown, recall } = await sent(calling(input, source));
  const signatures = shown.match(/def pressure_\d+\(pump\):/g) ?? [];
  expect(/… \d+ lines/.test(shown)).toBe(isCode);
  expect(signatures.length > 8).toBe(isCode);
  const bodies = Array.from({ length: 12 }, (_, at) => `return pump.read(${at})`);
  const gone = bodies.filter((body) => !shown.includes(body));
  expect(gone).not.toEqual([]);
  for (const body of gone) expect((await recall({ pattern: body })).text).toContain(body);
});

test('a result whose first reading leaves the room empty is read in smaller pieces', async () => {
  const minified = Array.from({ length: 90 }, (_, at) => `function f${at}(a){return a*${at}}`).join('');
  const { shown } = await sent(calling({}, `(node:81) Warning: this is experimental\n${minified}`));
  expect(estimateTokens(shown)).toBeGreaterThan(0.8 * BUDGET);
  expect(shown).toContain('function f0(a)');
});
