/** Generated texts: arbitrary strings rich in what matters to structure, and documents that mix structures. */
import fc from 'fast-check';

export const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'aB1. \n\t,;:|-*#>`"\'()[]{}<>=/$\\~_!?…。」です\u0e01\r'),
    fc.constantFrom(
      '. A',
      '\n\n',
      '```\n',
      '| a |\n',
      '|-|-|\n',
      'k: v\n',
      '- x\n',
      '    ',
      '{"a":1}\n',
      'a,b,c\n',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
  ),
  maxLength: 80,
});

const word = fc.constantFrom('bridge', 'Ann', 'U.S.', 'e.g.', 'opened', '1932', 'No. 5', '橋', 'a|b', '[1]');
const sentence = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 8 }), fc.constantFrom('.', '!', '?', '...', '."', ':'))
  .map(([words, end]) => `The ${words.join(' ')}${end}`);
const cell = fc.constantFrom('a', 'b c', '1.5', '', 'x. Y', 'ü');
const lines = (line: fc.Arbitrary<string>, minLength = 1) =>
  fc.array(line, { minLength, maxLength: 6 }).map((all) => all.join('\n'));

export const pipeTable = fc.integer({ min: 1, max: 4 }).chain((columns) => {
  const row = fc
    .array(cell, { minLength: columns, maxLength: columns })
    .map((cells) => `| ${cells.join(' | ')} |`);
  return fc
    .tuple(row, fc.array(row, { minLength: 1, maxLength: 6 }))
    .map(([header, rows]) => [header, `|${'---|'.repeat(columns)}`, ...rows].join('\n'));
});

const field = fc.constantFrom('a', '1', 'b c', '"d, e"', '"f ""g"""', '"h\ni"', 'x.');
export const records = fc.integer({ min: 3, max: 5 }).chain((columns) =>
  fc
    .array(
      fc.array(field, { minLength: columns, maxLength: columns }).map((fields) => fields.join(',')),
      { minLength: 3, maxLength: 7 },
    )
    .map((all) => all.join('\n')),
);
export const jsonLines = lines(
  fc
    .dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 1 }))
    .map((value) => JSON.stringify(value)),
  2,
);

const part = fc.oneof(
  fc.array(sentence, { minLength: 1, maxLength: 5 }).map((all) => all.join(' ')),
  lines(sentence),
  fc.constantFrom('# Heading', '## Another', 'Title\n=====', '**Bold**', 'Short line'),
  lines(fc.tuple(fc.constantFrom('- ', '  - ', '1. ', '* '), sentence).map((both) => both.join(''))),
  pipeTable,
  records,
  jsonLines,
  fc.json(),
  fc.constantFrom(
    '```js\nlet a = 1;\n\nlet b;\n```',
    '> a. B\n> c',
    '$$\na\n$$',
    '<p>\na. B\n</p>',
    '---',
    '```',
  ),
  fc.constantFrom(
    'def f(x):\n    return x\n\nprint(f(1))',
    'name: a\nvalue: b\n  c: d',
    '    code\n    more',
  ),
  fc.constantFrom('2024-01-01 10:00:00 a. B\n  at x\n2024-01-01 10:00:01 c', 'Ann: hi.\nBob: ho. Hm.'),
);

/** One to six structures, most with a blank line between. */
export const document = fc
  .array(fc.tuple(part, fc.constantFrom('\n\n', '\n\n', '\n', '\r\n\r\n', '\n \n\n')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.flat().join(''));
