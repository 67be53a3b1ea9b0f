import { describe, expect, test } from 'vitest';
import { shapeToolResult } from '../../src/tool-results/index.js';
import { readText } from '../../src/tool-results/kinds/index.js';
import { ALL, SAMPLES } from './samples.js';

const sampleOf = (kind: string, name: string) => SAMPLES[kind]?.[name] as string;

const shaped = async (content: string, maxTokens: number, query?: string) =>
  shapeToolResult({ content, maxTokens, query });

test.each(ALL)('$name is recognised as $kind', ({ kind, sample }) => {
  expect(readText(sample).kind).toBe(kind);
});

test('the name of a file decides, even if its text does not look like code', () => {
  const config = 'port = 80\nhost = a\nname = b';
  expect(readText(config).kind).not.toBe('code');
  expect(readText(config, { arguments: { file_path: 'settings.py' } }).kind).toBe('code');
});

test.each(ALL)('all blocks of $name ($kind) give the text, whichever kind reads it', ({ sample }) => {
  for (const kind of ['diff', 'grep', 'listing', 'compiler', 'trace', 'code'] as const) {
    const { structure } = readText(sample, { maxTokens: 40 }, kind);
    const { text, missing } = structure.rebuild(structure.blocks.map((_, index) => ({ index })));
    expect(text).toBe(sample);
    expect(missing.leftOut).toEqual([]);
  }
});

describe('diff', () => {
  const given = sampleOf('diff', 'git diff');

  test('a hunk is whole and under the name of its file; a lock file goes first', async () => {
    const { content, report } = await shaped(given, 180);
    expect(content).toContain(given.slice(0, given.indexOf('diff --git a/package-lock.json') - 1));
    expect(content).not.toContain('"version": "1.0.1"');
    expect(report.dropped.map(({ label }) => label)).toContain('hunks of package-lock.json');
  });

  test('a left-out hunk says how much it changes', () => {
    const { structure } = readText(given);
    expect(structure.blocks[1]?.folded?.text).toBe(
      '@@ -10,6 +10,7 @@ export function roomOf(limits: Limits): number { … +2 −1 lines',
    );
  });

  test('the question decides which hunk stays', async () => {
    const hunks = Array.from({ length: 40 }, (_, at) => [
      `@@ -${10 * at + 1},2 +${10 * at + 1},2 @@`,
      `-  const old${at} = ${at};`,
      `+  const renamed${at} = parse${at === 33 ? 'Currency' : 'Number'}(${at});`,
      '   return;',
    ]);
    const long = ['--- a/a.ts', '+++ b/a.ts', ...hunks.flat()].join('\n');
    const { content } = await shaped(long, 200, 'What changed in the parsing of a currency?');
    expect(content).toContain(hunks[33]?.join('\n'));
    expect(content).toContain('+++ b/a.ts');
  });
});

describe('grep', () => {
  test('some of every file comes before all of one, definitions before uses', async () => {
    const uses = Array.from({ length: 60 }, (_, at) => `src/a.ts:${at + 1}:  use${at}(readOptions());`);
    const given = [
      ...uses,
      'src/b.ts:7:export function readOptions() {',
      'src/c.ts:1:import { readOptions } from "./b.js";',
    ].join('\n');
    const { content, note } = await shaped(given, 150);
    expect(content).toContain('src/a.ts:1:');
    expect(content).toContain('src/b.ts:7:export function readOptions() {');
    expect(content).toContain('src/c.ts:1:');
    expect(note).toContain('matches in src/a.ts');
    const { structure } = readText(given);
    expect(structure.blocks[59]?.folded?.text).toBe('… src/a.ts: 60 matches');
  });

  test('a match needs its heading', async () => {
    const given = [
      'src/a.ts',
      ...Array.from({ length: 50 }, (_, at) => `${at + 1}:  call(${at});`),
      '',
      'src/b.ts',
      '3:  refund(order);',
    ];
    const { content } = await shaped(given.join('\n'), 60, 'Where is the refund?');
    expect(content).toMatch(/src\/b\.ts\n3: {2}refund\(order\);/);
  });
});

describe('listing', () => {
  test('folders stay before files, and left-out files are counted', async () => {
    const files = Array.from({ length: 80 }, (_, at) => `src/icons/icon${at}.svg`);
    const given = ['src', 'src/icons', ...files, 'src/math', 'src/math/gram.ts', 'src/index.ts'].join('\n');
    const { content, note } = await shaped(given, 150);
    for (const folder of ['src', 'src/icons', 'src/math']) expect(content.split('\n')).toContain(folder);
    expect(content).toContain('src/math/gram.ts');
    expect(note).toContain('names in src/icons');
    expect(readText(given).structure.blocks[81]?.folded?.text).toBe('… src/icons: 80 names');
  });

  test('an entry of a tree stays under its folders', async () => {
    const files = Array.from({ length: 60 }, (_, at) => `│   │   ├── part${at}.ts`);
    const given = ['.', '├── src', '│   ├── deep', ...files, '│   │   └── wanted.ts', '└── README.md'].join(
      '\n',
    );
    const { content } = await shaped(given, 80, 'Where is wanted.ts?');
    expect(content).toContain('├── src\n│   ├── deep\n');
    expect(content).toContain('wanted.ts');
  });
});

describe('compiler', () => {
  const line = (at: number) => `src/a${at}.ts(${at + 1},5): error TS2304: Cannot find name 'x${at}'.`;
  const given = [
    ...Array.from({ length: 60 }, (_, at) => line(at)),
    "src/z.ts(9,5): error TS2322: Type 'string' is not assignable to type 'number'.",
    '  The expected type comes from property "price".',
    "src/z.ts(99,5): warning TS6133: 'y' is declared but its value is never read.",
    'Found 62 errors.',
  ].join('\n');

  test('each code is shown once and whole, with the sum; repetitions are counted', async () => {
    const { content, report } = await shaped(given, 220);
    expect(content).toContain(line(0));
    expect(content).toContain(
      "TS2322: Type 'string' is not assignable to type 'number'.\n  The expected type",
    );
    expect(content).toContain('TS6133');
    expect(content).toContain('Found 62 errors.');
    expect(report.dropped[0]).toMatchObject({ label: 'error TS2304' });
  });

  test('a repeated code that goes leaves its place', () => {
    const { structure } = readText(given);
    expect(structure.blocks[5]?.folded?.text).toBe('… TS2304: src/a5.ts:6');
  });

  test.each(['gcc', 'rustc'])('the excerpt of %s belongs to its diagnostic', (name) => {
    const { structure } = readText(sampleOf('compiler', name));
    const error = structure.blocks.find(({ text }) => /error.*(?:undeclared|mismatched)/.test(text));
    expect(error?.text).toMatch(/\n.*\^/);
    expect(error?.text).not.toContain('warning');
  });
});

describe('trace', () => {
  test.each(['node', 'python', 'java'])(
    '%s: messages, causes and own frames matter, libraries do not',
    async (name) => {
      const sample = sampleOf('trace', name);
      const { structure } = readText(sample);
      const own = structure.blocks.filter(({ priority = 0 }) => priority > 0.5).map(({ shown }) => shown);
      const text = own.join('\n');
      for (const needed of {
        node: ['Error: The options are no JSON.', 'app.js:10:12', "[cause]: SyntaxError: Expected ','"],
        python: ['JSONDecodeError: Expecting', 'settings.py", line 5', 'RuntimeError: could not read'],
        java: [
          'IllegalStateException: Could not',
          'OrderService.java:42',
          'Caused by: java.sql',
          'Database.java:88',
        ],
      }[name] ?? [])
        expect(text).toContain(needed);
      expect(text).not.toMatch(/node_modules|python3\.11|springframework/);
    },
  );

  test('frames of libraries fill the room that is left', async () => {
    const frames = Array.from({ length: 30 }, (_, at) => `    at step${at} (/a/node_modules/b/c.js:${at}:1)`);
    const own = '    at start (/a/app.js:1:1)';
    const given = ['Error: the order is empty', ...frames, own].join('\n');
    const { content, report } = await shaped(given, 200);
    expect(content).toContain('Error: the order is empty');
    expect(content).toContain(own);
    const shown = content.match(/at step/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(5);
    expect(shown).toBeLessThan(30);
    // No other frame has room.
    expect(report.tokens.sent).toBeGreaterThan(200 - 16);
  });

  test('in Python, the frame of the failure is the last one, and is wanted most', () => {
    const frames = [1, 2, 3].map((line) => `  File "/a/app.py", line ${line}, in f${line}\n    f(${line})`);
    const given = ['Traceback (most recent call last):', ...frames, "KeyError: 'count'"].join('\n');
    const places = readText(given).structure.blocks.filter(({ shown }) => shown.includes('File'));
    const priorities = places.map(({ priority = 0 }) => priority);
    expect(priorities).toEqual([...priorities].sort((a, b) => a - b));
    expect(new Set(priorities).size).toBe(3);
  });

  test('a trace that is printed again and again is shown once', async () => {
    const once = sampleOf('trace', 'python');
    const { content } = await shaped(Array.from({ length: 12 }, () => once).join('\n'), 260);
    expect(content).toContain('RuntimeError: could not read the settings');
    expect(content.match(/line 5, in read/g)).toHaveLength(1);
  });
});
