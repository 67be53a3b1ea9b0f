import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMilliseconds } from '../../../../test/time.js';
import { readCode } from '../../src/tool-results/code/read-code.js';
import { shapeToolResult } from '../../src/tool-results/index.js';
import { SAMPLES } from './samples.js';

const sampleOf = (name: string) => SAMPLES.code?.[name] as string;

/** Names of the units, with the code that each has. */
const unitsOf = (code: string, longest?: number) => {
  const lines = code.split('\n');
  return readCode(lines, longest).map((unit) => ({
    is: unit.is,
    name: unit.names.join('.'),
    text: unit.parts.map(({ first, last }) => lines.slice(first, last + 1).join('\n')).join('\n'),
    needs: unit.needs,
  }));
};

describe('units', () => {
  test.each([
    ['typescript', ['Orders.add', 'Orders.read']],
    ['python', ['Reader.read', 'Reader.close']],
    ['go', ['read']],
    ['c', ['count', 'main']],
  ] as const)('the functions of %s are units of their own', (name, functions) => {
    const units = unitsOf(sampleOf(name));
    expect(units.filter(({ is }) => is === 'function').map(({ name }) => name)).toEqual(functions);
  });

  test('a method needs the header of its class, and nothing else', () => {
    const units = unitsOf(sampleOf('typescript'));
    const needed = (name: string) =>
      units.find((unit) => unit.name === name)?.needs.map((at) => units[at]?.is);
    expect(needed('Orders.read')).toEqual(['frame']);
    expect(needed('Orders.add')).toEqual(['frame']);
  });

  test.each([
    [
      'python',
      '@deprecated(\n    "2.0",\n    "Use load.",\n)',
      'def read(path):\n    open(path)\n    close(path)',
    ],
    [
      'script',
      '@Component({\n  selector: "app",\n})',
      'class App {\n  read(path) {\n    open(path);\n  }\n}',
    ],
  ] as const)('%s: an annotation over several lines belongs to what follows', (_, annotation, declared) => {
    const [before, after] = ['first = 1', 'last = 2'];
    const units = unitsOf([before, '', annotation, declared, '', after].join('\n'));
    expect(units.find(({ text }) => text.startsWith(annotation))?.text).toContain(declared.split('\n')[0]);
    expect(units.map(({ text }) => text)).toEqual(expect.arrayContaining([before, after]));
  });

  test('no line is in two units, and a unit needs only earlier ones', () => {
    const line = fc.constantFrom(
      'function a() {',
      '}',
      '  b();',
      'class C {',
      '  m(x) {',
      '  }',
      '/** doc */',
      '',
      'const x = {',
      '};',
      'import y from "y";',
      '@deco',
      '  return `',
      '`;',
      'def f():',
      '    pass',
      '# c',
      'if (x) {',
      '} else {',
      '((',
      ']',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (all) => {
        const seen = new Map<number, number>();
        const units = readCode(all, 60);
        for (const { parts } of units)
          for (const { first, last } of parts)
            for (let at = first; at <= last; at++) seen.set(at, (seen.get(at) ?? 0) + 1);
        expect([...seen.values()].every((count) => count === 1)).toBe(true);
        for (const [at, { needs }] of units.entries()) expect(needs.every((need) => need < at)).toBe(true);
      }),
    );
  });
});

describe('shaping', () => {
  const functions = Array.from({ length: 40 }, (_, at) =>
    [
      '  /** Part of it. */',
      `  step${at}(value: number): number {`,
      `    const sum = value + ${at};`,
      '    return sum * sum;',
      '  }',
      '',
    ].join('\n'),
  );
  const given = [
    "import { log } from 'log';",
    '',
    'export class Steps {',
    ...functions,
    '  refundOrder(id: string): void {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code in a sample
    '    log(`} ${id}`);',
    '    this.save(id);',
    '  }',
    '}',
  ].join('\n');

  test('the function that is asked for is whole, in its class; others are signatures', async () => {
    const { content, report } = await shapeToolResult({
      content: given,
      maxTokens: 300,
      query: 'How are orders refunded?',
    });
    expect(report.kind).toBe('code');
    expect(content).toContain(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: code in a sample
      '  refundOrder(id: string): void {\n    log(`} ${id}`);\n    this.save(id);\n  }\n}',
    );
    expect(content).toContain('export class Steps {');
    expect(content).toMatch(/\/\*\* Part of it\. \*\/\n {2}step0\(value: number\): number \{ … 2 lines \}/);
  });

  test('without a question: what there is, before any body', async () => {
    const { content } = await shapeToolResult({ content: given, maxTokens: 600 });
    for (const at of [0, 10, 20]) expect(content).toContain(`step${at}(value: number): number { … 2 lines }`);
  });
});

describe('cost', () => {
  /** Declarations whose words before the name go on for long, and end as no type does. */
  const declaration = fc
    .record({
      words: fc.array(fc.constantFrom('private', 'static', 'const', 'unsigned', 'std::string', 'volatile'), {
        minLength: 3,
        maxLength: 5,
      }),
      generics: fc.constantFrom('', '<K, V>', '<List<A>>'),
      name: fc.constantFrom('VERSION_OF_THE_TABLE', 'operator', 'DEFAULT_SIZE'),
      end: fc.constantFrom(' = 1;', ';', '!', '[3] = { 1 };', '{ get; set; }', ' __attribute__((x));'),
    })
    .map(({ words, generics, name, end }) => `${words.join(' ')}${generics} ${name}${end}`);
  const CLASS = 'public class A {\n  private int size;\n\n';

  test.each(['java', 'c', 'cpp', 'cs'])('declarations in .%s', async (ending) => {
    const shape = (lines: readonly string[]) =>
      cpuMilliseconds(() => readCode(`${CLASS}${lines.join('\n')}\n}`.split('\n')));
    const lines = fc.sample(declaration, { numRuns: 100, seed: ending.length });
    await shape(lines.map(() => 'int a = 1;'));
    const ordinary = await shape(lines.map(() => 'int a = 1;'));
    expect(await shape(lines)).toBeLessThan(20 * ordinary + 50);
  });

  test.each(['/[', '`x ', '"', "\\'", 'a--', '#', '((', '"a" '])('one long line of %j', async (unit) => {
    const read = (text: string) => cpuMilliseconds(() => readCode([text.repeat(200_000 / text.length)]));
    await read('a b ');
    const ordinary = await read('a b ');
    expect(await read(unit)).toBeLessThan(10 * ordinary + 100);
  });

  test('code inside 10,000 brackets', () => {
    const depth = 10_000;
    const lines = [...Array(depth).fill('function f() {'), ...Array(depth).fill('}')];
    const units = readCode(lines);
    const shown = units.flatMap(({ parts }) => parts.map(({ first, last }) => last - first + 1));
    expect(shown.reduce((sum, each) => sum + each, 0)).toBe(2 * depth);
  });
});
