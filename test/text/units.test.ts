import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { sentenceEnds } from '../../src/text/units/sentences.js';
import { closure, unitsOf } from '../../src/text/units/units.js';
import { anyText, document } from './documents.js';

const textsOf = (text: string): string[] => unitsOf(text).map(({ start, end }) => text.slice(start, end));
const kindsOf = (text: string): string[] => unitsOf(text).map(({ kind }) => kind);
const needsOf = (text: string): (number | undefined)[] => unitsOf(text).map(({ needs }) => needs[0]);

/** Sentences are written with a bar between them. */
const SENTENCES: [name: string, marked: string][] = [
  ['plain', 'The bridge opened.|It is long!|Is it?|Yes.'],
  ['titles', 'Mr. Smith met Dr. Jones and Mrs. Brown.|They left.'],
  ['initials', 'J. K. Rowling and George W. Bush met David S. Goyer.|S. P. Varma came.'],
  ['countries', 'The U.S. Senate met.|He lives in the U.S.|He likes it.|We left the UK.|Shan stayed.'],
  ['Latin', 'Use some, e.g. Apples, i.e. Fruit, vs. Nuts.|Smith et al. (2003) agree.'],
  ['numbers', 'See No. 5, p. 5, vol. 3, Fig. 2 and sec. 4.|I said no.|He paid $3.14 and 1.000 more.'],
  ['months', 'He came on Jan. 5 and left in Feb. 2001.|She stayed.'],
  ['companies', 'Acme Inc. Chairman Bob sold Widget Co. Ltd. shares.|They fell.'],
  ['times', 'We met at 5 p.m. Monday and left at 9 a.m. Tuesday.|Nobody knew.'],
  ['years', 'It opened in 1990.|Trains came later.'],
  ['ellipses', 'Well...|I am not sure.|He said … nothing.|Wait... what?'],
  ['quotations', '"Go!" he said.|“Is it?” asked Ann.|He said "Stop."|Then he left.'],
  ['titles of works', 'Yahoo! is a company.|"Who is it?" and "Go!" (1999) were played.'],
  ['brackets', 'He left.|(It was late.)|She stayed.'],
  ['footnotes', 'It opened.[12]|Trains came.[a][note 3]|Now it is gone. [7]|More came.'],
  ['emphasis', '**Bold words.**|And *more.*|End.'],
  ['enumerations', 'It has two parts.|1. Introduction follows.|2. The end.'],
  ['no capitals', 'i went there.|then i came back.|it was approx. half full.'],
  ['German', 'Er kam am 3. Oktober 1990, d.h. Montag.|Dr. Weiß kam z.B. im 19. Jahrhundert.|Ende.'],
  ['French', 'M. Dupont et Mme. Weil sont là.|Ils attendent.'],
  ['Chinese', '今天天气很好。|我们去公园！|好吗？|“好。”|走吧。'],
  ['Japanese', '今日は良い天気です。|「行こう。」と彼は言った。|はい！'],
  ['Hindi', 'यह एक वाक्य है।|यह दूसरा है।'],
  ['Arabic and Urdu', 'هل أنت هنا؟|نعم أنا هنا.|یہ ایک جملہ ہے۔|ہاں۔'],
  ['Thai', 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ|ต่างมีเหตุผล และมโนธรรม'],
  ['addresses', 'See https://example.org/a.b?c=d.|Then call node.js or a.b().'],
];

describe('sentences', () => {
  test.each(SENTENCES)('%s', (_, marked) => {
    const sentences = marked.split('|');
    const glue = /\p{sc=Han}/u.test(marked) ? '' : ' ';
    expect(textsOf(sentences.join(glue))).toEqual(sentences);
    vi.stubGlobal('Intl', { ...Intl, Segmenter: undefined });
    try {
      expect(textsOf(sentences.join(glue))).toEqual(sentences);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('ends are ascending, and the last is that of the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const ends = [...sentenceEnds(text)];
        expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b));
        expect(ends.at(-1) ?? 0).toBe(text.trim() === '' ? 0 : text.trimEnd().length);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test('that lean on the one before say so, also across paragraphs', () => {
    const text =
      'It rains. However, Ann left. She ran. The latter is new.\n\nThey stayed. Bob did not. Sie ging.';
    expect(unitsOf(text).map(({ leansOn }) => leansOn)).toEqual([undefined, 0, 1, 2, 3, undefined, 5]);
  });
});

/** Each sentence is one, alone and between others. Each stop within it has a capital, a number or a bracket near. */
const UNCUT = [
  'Nach § 7 Abs. 1 Satz 2 GG gilt das.',
  'Laut Abs. Satz zwei gilt das.',
  'Sie nahm 5 Mio. Euro ein.',
  'Es kostet 12 Mrd. Dollar.',
  'Vgl. Nr. 7 der Anlage und Rn. 15 des Urteils.',
  'Das regelt Kap. 3 genau.',
  'Im 5. Senat ist es still.',
  'It was affirmed (2d Cir. 1973) on appeal.',
  'See Sec. 5 and App. 2 of 42 U.S.C. § 1983 for it.',
  'A chunk is `{ id, text, score? } Then` as shown.',
  'The list (see below. It is long) is here.',
  'The flat is at 5 Main St. Apt. 12 today.',
  'Smith et al. (2019) quote Roe v. Wade and Acme Inc. v. Smith.',
  'Il habite av. 12 bis.',
  'Voir chap. 3 et art. 5 du code.',
  'Vive en la avda. 15 de mayo.',
  'Según el inc. 2 de la ley.',
  'Vedi pag. 12 e cap. 2 del libro.',
  'Qui parlano l’ing. Verdi e l’avv. Neri.',
  'Ik sprak dhr. Jansen gisteren.',
  'Steden, bijv. Amsterdam, groeien.',
  'Zie blz. 12 daar.',
  'Mieszka przy ul. Lenina.',
  'Zgodnie z art. 5 ust. 1 pkt. 3 ustawy.',
  'To jest tzn. Polska.',
  'Он живёт на ул. Ленина.',
  'Согласно ст. 5 п. 3 и рис. 3 закона.',
  'На стр. 15 сказано иначе.',
  'Podle čl. 5 odst. 2 zákona to platí.',
  'Viz obr. 3 a str. 12 tam.',
  'Bydlí v ul. Dlouhé dnes.',
  'Se kap. 3 och sid. 12 där.',
  'Det börjar kl. 15 idag.',
  'Şek. 3 bunu gösterir.',
  'Βλ. σελ. 12 και αρ. 5 εκεί.',
  'Πόλεις, π.χ. Αθήνα, μεγαλώνουν.',
];
/** Pairs of sentences with a short word, a number, a unit, an initial or a bracket before the end of the first. */
const PAIRS = [
  'I like it.|We go.',
  'He has a car.|Bob won.',
  'Er kam an.|Sie ging.',
  'Wir sind am Ziel.|Peter lacht.',
  "Je l'ai vu.|Il part.",
  'Vi al rey.|Pedro vino.',
  'Lui è qui.|Maria parla.',
  'Ik ga weg.|Jan blijft.',
  'On jest tu.|Anna śpi.',
  'Он был там.|Анна спит.',
  'Strč prst skrz krk.|Pavel spí.',
  'Han är här.|Anna sover.',
  'O geldi.|Ali gitti.',
  'Αυτός είναι εδώ.|Η Άννα κοιμάται.',
  'It was in 1973.|The court met.',
  'Er zog nach Bonn.|1989 ging er.',
  'Divide by 5.|Then stop.',
  'It weighs 10 kg.|Mix well.',
  'She takes vitamin C.|It helps.',
  'Cats, dogs, etc.|The list goes on.',
  'He works for Acme Inc.|The firm is old.',
  'We met at 5 p.m.|We left late.',
  'I watch TV.|Bob reads.',
  'He sold CDs.|Bob paid.',
  'It is no.|Bob went.',
  'It is an art.|Tom paints.',
  'He worked his abs.|Then he ran.',
  'He left (early).|Bob stayed.',
  'He went (see the map.|Bob drove there.',
  'I am sad :( today.|Bob is not :) at all.',
  'Call `run`.|Then stop.',
  'He said "Stop."|Then he left.',
];
const [first, last] = ['The bridge was opened.', 'Nobody came to see it.'];

describe('abbreviations', () => {
  test('no sentence of a dozen languages is cut, alone and between others', () => {
    for (const sentence of UNCUT) {
      expect(textsOf(sentence)).toEqual([sentence]);
      expect(textsOf(`${first} ${sentence} ${last}`)).toEqual([first, sentence, last]);
    }
  });

  test.each(PAIRS)('sentences end after short words, numbers, units and brackets: %s', (pair) => {
    expect(textsOf(pair.replace('|', ' ')).join('|')).toBe(pair);
  });

  test.each([
    'It was dull work.|`parse()` throws if the input is empty.',
    'He hopped about like a bird.|35 % of the mice carried it.',
    'It began about 13,000 BP.|60 % of the valley is forest.',
    'Female birds weigh 280 g.|Call the office for more.',
    'The network has 100 Gbit/s.|Dilute it before use.',
    'Es beginnt um 2:00 Uhr.|35.064 Haushalte sind dabei.',
  ])('%s', (pair) => expect(textsOf(pair.replace('|', ' ')).join('|')).toBe(pair));
});

describe('line breaks in prose', () => {
  test('hard-wrapped sentences flow on', () => {
    const text =
      'The committee that had been set up in spring to look into the matter met\n' +
      'Ann Miller of the Department of Works for the first time. She told them to\nwait. They did.';
    expect(textsOf(text)).toEqual([
      'The committee that had been set up in spring to look into the matter met\n' +
        'Ann Miller of the Department of Works for the first time.',
      'She told them to\nwait.',
      'They did.',
    ]);
  });

  test('short lines, and blank ones, end a unit', () => {
    expect(textsOf('Ann Miller\n12 Main Street\nSpringfield')).toEqual([
      'Ann Miller',
      '12 Main Street',
      'Springfield',
    ]);
    expect(textsOf('one and\n\ntwo')).toEqual(['one and', 'two']);
    expect(textsOf('one.\r\n \r\nTwo.\rThree.')).toEqual(['one.', 'Two.', 'Three.']);
  });

  test('a short first line without a full stop is a heading', () => {
    const text = 'Albert Einstein\nAlbert Einstein was a physicist. He was born in Ulm.';
    expect(unitsOf(text)).toMatchObject([
      { kind: 'heading', start: 0, end: 15 },
      { kind: 'sentence', heading: 0 },
      { kind: 'sentence', heading: 0, leansOn: 1 },
    ]);
    expect(kindsOf('What is the policy?\nYou can return items within 30 days.')).toEqual([
      'heading',
      'sentence',
    ]);
    expect(kindsOf('Overview\n\nAll of it is here.')).toEqual(['heading', 'sentence']);
    expect(kindsOf('It rains.\nAll of it is here, and more of it.')).toEqual(['sentence', 'sentence']);
    expect(kindsOf('The end')).toEqual(['sentence']);
  });
});

describe('headings', () => {
  test('hang under the nearest of a higher level, and everything under the nearest', () => {
    const text = '# A\na b.\n## B\nc d.\n### C\n## D\ne f.\n\nG g\n==\nh i.\n\n**J**\nk l.';
    expect(unitsOf(text).map(({ kind, heading }) => [kind, heading])).toEqual([
      ['heading', undefined],
      ['sentence', 0],
      ['heading', 0],
      ['sentence', 2],
      ['heading', 2],
      ['heading', 0],
      ['sentence', 5],
      ['heading', undefined],
      ['sentence', 7],
      ['heading', 7],
      ['sentence', 9],
    ]);
    expect(textsOf('Title\n=====\nText.')).toEqual(['Title\n=====', 'Text.']);
    expect(kindsOf('Title\n-----\nText.\n\n---\n\n#hash')).toEqual([
      'heading',
      'sentence',
      'mark',
      'sentence',
    ]);
  });
});

describe('a series of sentences that refer to the one before', () => {
  const series = (length: number) => unitsOf('The bridge opened. '.concat('It is. '.repeat(length)));

  test.each([1, 10, 63])('of %d brings them all', (length) => {
    expect(closure(series(length), length, true)).toEqual([...Array(length + 1).keys()]);
  });

  test.each([64, 1000, 100_000])('of %d is too long to read, and brings none', (length) => {
    expect(closure(series(length), length, true)).toEqual([length]);
    expect(closure(series(length), 1, true)).toEqual([0, 1]);
  });
});

describe('headings', () => {
  test('a heading in HTML is one', () => {
    expect(kindsOf('<h2 align="center">Use</h2>\n\nRun it.')).toEqual(['heading', 'sentence']);
    expect(unitsOf('<h2 align="center">Use</h2>\n\nRun it.')[1]?.heading).toBe(0);
    expect(kindsOf('<h2>Use</h2>\nRun it.')).toEqual(['block']);
  });
});

describe('lists', () => {
  test('items keep their lines, and need their parents and what introduces them', () => {
    const text =
      'Intro. The steps are:\n\n1. Open the door\n   and look. Then wait.\n2. Go in:\n   - left\n   - right\n\n     More of it.\n\n3. Sit.\n\nDone.';
    expect(textsOf(text)).toEqual([
      'Intro.',
      'The steps are:',
      '1. Open the door\n   and look. Then wait.',
      '2. Go in:',
      '   - left',
      '   - right',
      'More of it.',
      '3. Sit.',
      'Done.',
    ]);
    expect(needsOf(text)).toEqual([undefined, undefined, 1, 1, 3, 3, 5, 1, undefined]);
  });

  test('bullets as far in as the number above them are under it, if it ends with a colon', () => {
    expect(needsOf('1. One:\n- a\n- b\n2. Two:\n- c')).toEqual([undefined, 0, 0, undefined, 3]);
    expect(needsOf('1. One\n2. Two\n- c')).toEqual([undefined, undefined, undefined]);
  });

  test.each(['- a\n* b\n+ c\n• d', '1. a\n2) b\n(3) c', 'a) a\nb) b', 'A. a\nB. b', 'i. a\nii. b'])(
    '%j',
    (text) => {
      expect(textsOf(text)).toEqual(text.split('\n'));
      expect(new Set(kindsOf(text))).toEqual(new Set(['item']));
    },
  );

  test('a block in an item needs it; an initial is no item', () => {
    expect(unitsOf('- Run\n  ```\n  x\n  ```')).toMatchObject([
      { kind: 'item' },
      { kind: 'block', needs: [0] },
    ]);
    expect(kindsOf('A. Smith went home.')).toEqual(['sentence']);
  });
});

describe('tables', () => {
  test('rows of a pipe table need its header, and refer to the delimiter row', () => {
    const text = 'Prices:\n| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 \\| 4 | 5 |\n\nEnd.';
    expect(unitsOf(text)).toMatchObject([
      { kind: 'sentence' },
      { kind: 'row', needs: [0], announces: 3 },
      { kind: 'mark', needs: [1] },
      { kind: 'row', needs: [1], leansOn: 2 },
      { kind: 'row', needs: [1], leansOn: 2 },
      { kind: 'sentence' },
    ]);
    expect(textsOf(text)[2]).toBe('|---|:-:|');
    expect(kindsOf('a | b\n--|--\n1 | 2')).toEqual(['row', 'mark', 'row']);
    expect(needsOf('| 1 | 2 |\n| 3 | 4 |')).toEqual([undefined, undefined]);
  });

  test('records of CSV and TSV need the first; quoted fields may hold anything', () => {
    const text = 'id,name,city\n1,Ann,"Rome, Italy"\n2,Bob,Oslo\n3,Cid,"Ulm\n\nor so"';
    expect(kindsOf(text)).toEqual(['record', 'record', 'record', 'record']);
    expect(needsOf(text)).toEqual([undefined, 0, 0, 0]);
    expect(needsOf('a\tb\tc\n1\t2 x. Y\t3\n4\t5\t6')).toEqual([undefined, 0, 0]);
    expect(needsOf('a; b; c\n1; 2; 3\n4; 5; 6')).toEqual([undefined, 0, 0]);
  });

  test('commas alone make no table', () => {
    const text = 'John, Paul, and George went\nhome, where they, surprised,\nsaw, indeed, the cat sitting.';
    expect(textsOf(text)).toEqual([text]);
    expect(kindsOf('- red, green, blue\n- one, two, three\n- a, b, c')).toEqual(['item', 'item', 'item']);
  });

  test('JSON Lines are records without a header', () => {
    const text = '{"a": "x. Y"}\n{"a": 2}\n{"a": [3]}';
    expect(kindsOf(text)).toEqual(['record', 'record', 'record']);
    expect(needsOf(text)).toEqual([undefined, undefined, undefined]);
  });
});

const WHOLE: [name: string, block: string][] = [
  ['fenced code', '```js\nconst a = 1;\n\n# no heading\n- no item\n```'],
  ['tildes around back quotes', '~~~~\n```\n~~~\nx. Y\n~~~~'],
  ['JSON', '{\n  "a": [1, "b. C", {}],\n\n  "d": null\n}'],
  ['an array', '[[1.5, -2e3], [true, "]"]]'],
  ['HTML', '<p align="center">\nOne. Two.\n</p>'],
  ['XML', '<?xml version="1.0"?>\n<root>\n\n<a x="1">B. C</a>\n<d/>\n</root>'],
  ['a formula', '$$\na = b. C\n+ d\n$$'],
  ['a quotation', '> One. Two.\n> Three.'],
  ['Python', 'import os\n\ndef mean(values):\n    """Of values. All."""\n\n    return sum(values)'],
  ['TypeScript', 'export function f(x: number) {\n  if (x > 1) {\n    return x; // One. Two\n  }\n}'],
  ['SQL', 'SELECT a, b\nFROM t\nWHERE a = 1;'],
  ['C', '#include <stdio.h>\nint main(void) {\n  puts("Hi. There");\n}'],
  ['indented code', '    $ run it\n\n    all of it. Yes'],
  ['front matter', '---\ntitle: A. B\ntags: [c]\n---'],
];

describe('blocks', () => {
  test.each(WHOLE)('%s stays whole', (_, block) => {
    const text = `${block}\n\nText. More.`;
    expect(textsOf(text)).toEqual([block, 'Text.', 'More.']);
    expect(kindsOf(text)).toEqual(['block', 'sentence', 'sentence']);
  });

  test('JSON that is cut off before its end goes on to the end', () => {
    const text = '{"a": 1,\n\n"b": [2, "x. Y';
    expect(textsOf(text)).toEqual([text]);
  });

  test('comments, and a fence without its other half, are marks; the text in it is a fragment', () => {
    const kinds = (text: string) =>
      unitsOf(text).map(({ kind, start, end }) => [kind, text.slice(start, end)]);
    expect(kinds('<!-- One.\n\nTwo. -->\n\nText.')).toEqual([
      ['mark', '<!-- One.\n\nTwo. -->'],
      ['sentence', 'Text.'],
    ]);
    expect(kinds('```\na. B\n\nc. D')).toEqual([
      ['mark', '```'],
      ['fragment', 'a. B\n\nc. D'],
    ]);
  });

  test('a fence that opens code below prose is none', () => {
    expect(kindsOf('You can use it.\n```\nb.get()\n```\nIt is fast.')).toEqual([
      'sentence',
      'block',
      'sentence',
    ]);
  });

  test('calls in a row are code, with comments behind them', () => {
    expect(
      kindsOf("const a = new List()\na.add(Item.of('b')) // it\na.add(Item.of([1]))\n\nlog(a.at(0))"),
    ).toEqual(['block']);
  });

  test('an address within a fence is code', () => {
    expect(kindsOf('```\nhttp://localhost/?a=1\n```\n\nText.')).toEqual(['block', 'sentence']);
  });

  test('brackets, tags and signs in prose are prose', () => {
    for (const text of [
      '[1] Smith wrote it.',
      '[Link](a.md) is here.',
      '<b>Bold</b> is here.',
      '$$5 is a lot.',
      '$$a$$ is a formula.',
      '`a` is here.',
    ])
      expect(kindsOf(`${text} More.`)).toEqual(['sentence', 'sentence']);
    const clauses = '(a) the tenant (as defined);\n(b) the landlord (if any);\n(c) "rent";';
    expect(kindsOf(clauses)).toEqual(['item', 'item', 'item']);
    expect(kindsOf('if you want to come, call me.\nI will be there; it is late.')).toEqual([
      'sentence',
      'sentence',
    ]);
  });
});

describe('entries', () => {
  test('a line of a log, of metadata or YAML is an item, with the lines under it', () => {
    expect(textsOf('2024-01-02 10:00:00 Start. Go\n2024-01-02 10:00:01 Fail\n    at x\n')).toEqual([
      '2024-01-02 10:00:00 Start. Go',
      '2024-01-02 10:00:01 Fail\n    at x',
    ]);
    const yaml = 'name: A. B\nsteps:\n  - uses: a\n    with:\n      b: c\n  - run: d';
    expect(kindsOf(yaml)).toEqual(Array(6).fill('item'));
    expect(needsOf(yaml)).toEqual([undefined, undefined, 1, 2, 3, 1]);
    expect(kindsOf('Note: this is one. It has two.')).toEqual(['sentence', 'sentence']);
  });

  test('long turns of a speaker are sentences that lean on the first', () => {
    const turn = `Ann: I went to the sea. ${'The water was cold and the wind was strong. '.repeat(8).trim()}`;
    const units = unitsOf(`${turn}\nBob: Nice. Good.`);
    expect(units.map(({ leansOn }) => leansOn)).toEqual([undefined, ...Array(8).fill(0), undefined]);
    expect(units.at(-1)?.kind).toBe('item');
  });
});

describe('for every text', () => {
  test.each([
    ['arbitrary', anyText],
    ['documents', document],
  ])('units are ordered and disjoint, hold all that is not white space, and refer back: %s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const units = unitsOf(text);
        let covered = 0;
        units.forEach(({ start, end, needs, heading, leansOn }, place) => {
          expect(start).toBeGreaterThanOrEqual(covered);
          expect(text.slice(covered, start).trim()).toBe('');
          expect(text.slice(start, end).trim()).not.toBe('');
          expect(text.slice(start, end)).toBe(text.slice(start, end).trimEnd());
          for (const other of [...needs, heading ?? -1, leansOn ?? -1]) expect(other).toBeLessThan(place);
          if (heading !== undefined) expect(units[heading]?.kind).toBe('heading');
          covered = end;
        });
        expect(text.slice(covered).trim()).toBe('');
      }),
      { numRuns: 500, seed: 2 },
    );
  });

  test('paragraphs of prose do not depend on the text around them', () => {
    const first = 'The bridge opened in 1932. It is long.';
    const alone = textsOf(first);
    fc.assert(
      fc.property(document, (text) => {
        expect(textsOf(`${first}\n\n${text}`).slice(0, alone.length)).toEqual(alone);
      }),
      { numRuns: 300, seed: 3 },
    );
  });

  test.each([
    '[',
    '{"a":',
    '<a>',
    '"',
    '.',
    'a',
    '橋',
    '\n',
    '- a\n',
    '> ',
    '|',
    '$$\n',
    '[\n',
    'a,b,"\n',
    'A: b. ',
  ])('a megabyte of %j overflows nothing', (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(unitsOf(text).at(-1)?.end ?? 0).toBe(text.trimEnd().length);
  });
});
