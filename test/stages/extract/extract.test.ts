import { type Chunk, createShaper, type ShapingOptions } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { chunk, ledger, weightsOf } from '../../support.js';

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const characters = (text: string): number => text.length;

/** Tokens are characters unless said otherwise. */
const shape = (options: ShapingOptions, chunks: readonly Chunk[], query = 'When did the bridge open?') =>
  createShaper({
    tokenizer: characters,
    exactDedup: false,
    semanticDedup: false,
    cluster: false,
    ranked: false,
    ...options,
  }).shape({ query, chunks });

/** Room for these texts and a little more: gaps are taken to be two characters longer than they may turn out. */
const roomFor = (...texts: string[]): number => texts.reduce((sum, { length }) => sum + length, 2);

/** The rest of one text in so much room. */
async function left(
  text: string,
  maxTokens: number,
  { query = 'When did the bridge open?', ...options }: ShapingOptions & { query?: string } = {},
): Promise<string | undefined> {
  const { chunks } = await shape({ ...options, budget: { maxTokens } }, [chunk('a', text)], query);
  return chunks[0]?.text;
}

const ANSWER = 'The bridge opened in 1932.';
const ABOUT = `Cats sleep all day long. ${ANSWER} Dogs bark at night.`;
const RAIN = 'Rain fell on the town. It was wet.';

describe('text', () => {
  test('that fits is not cut', async () => {
    const given = [chunk('a', ABOUT), chunk('b', ' Dogs\n\nbark. ')];
    const maxTokens = ABOUT.length + 13;
    const { chunks, report } = await shape({ budget: { maxTokens } }, given);
    expect(chunks.map(({ text, excerpts }) => [text, excerpts])).toEqual(
      given.map(({ text }) => [text, undefined]),
    );
    expect(report.evicted).toEqual([]);
    const { chunks: tight } = await shape({ budget: { maxTokens: maxTokens - 1 } }, given);
    expect(tight.map(({ text }) => text)).not.toEqual(given.map(({ text }) => text));
  });

  test('that does not fit is cut to the sentences that answer, verbatim, with offsets', async () => {
    const { chunks, report } = await shape({ budget: { maxTokens: 26 } }, [chunk('a', ABOUT, { score: 3 })]);
    expect(chunks).toMatchObject([
      { id: 'a', text: ANSWER, tokens: 26, score: 3, excerpts: [{ start: 25, end: 51 }] },
    ]);
    expect(report.kept).toMatchObject([{ id: 'a', tokens: 26, excerpts: [{ start: 25, end: 51 }] }]);
    expect(report.tokens).toEqual({ input: 71, output: 26, budget: 26 });
    expect(report.evicted).toEqual([]);
    expect(report.degradations).toEqual([]);
  });

  test('makes room for the evidence of others', async () => {
    const other = 'The bridge closed in 1940.';
    const { chunks } = await shape({ budget: { maxTokens: roomFor(ANSWER, other) } }, [
      chunk('a', ABOUT),
      chunk('b', `${RAIN} ${other}`),
    ]);
    expect(chunks.map(({ text }) => text).toSorted()).toEqual([other, ANSWER]);
  });

  test.each([
    [undefined, `${ANSWER} … The bridge closed in 1940.`],
    [' [...] ', `${ANSWER} [...] The bridge closed in 1940.`],
    ['', `${ANSWER}  The bridge closed in 1940.`],
    [' ', `${ANSWER}  The bridge closed in 1940.`],
  ])('left out is marked by the gap %j', async (gap, expected) => {
    const text = `${ANSWER}  Cats sleep all day long in the sun. The bridge closed in 1940.`;
    const options = gap === undefined ? {} : { extract: { gap } };
    expect(await left(text, roomFor(expected), options)).toBe(expected);
    expect(await left(text, expected.length - 1, options)).not.toBe(expected);
  });

  test('that says the same twice is taken once while there is anything else', async () => {
    const { chunks } = await shape({ budget: { maxTokens: 60 } }, [
      chunk('a', `Cats sleep all day long. ${ANSWER}`),
      chunk('b', `The  bridge OPENED in 1932.\nDogs bark all night long at the moon. Rain fell.`),
    ]);
    expect(chunks.map(({ text }) => text.match(/opened/gi)?.length ?? 0).toSorted()).toEqual(
      chunks.length === 1 ? [1] : [0, 1],
    );
  });

  test('keeps the heading that it stands under, and no other', async () => {
    const text = `# Works\n\n## Spans\n\nCats sleep. ${ANSWER}\n\n## Towers\n\nDogs bark at night.`;
    const expected = `## Spans\n\n…\n\n${ANSWER}`;
    expect(await left(text, roomFor(expected))).toBe(expected);
    expect(await left(text, ANSWER.length + 8)).not.toContain(ANSWER);
  });

  test('that heads others, or has no word, is not kept for its own sake', async () => {
    const { chunks } = await shape({ budget: { maxTokens: 14 } }, [
      chunk('a', '# The bridge\n\n## On cats\n\nCats sleep all day long. Dogs bark at night.'),
      chunk('b', 'Rain fell.'),
    ]);
    expect(chunks.map(({ text }) => text)).toEqual(['Rain fell.']);
    expect(await left(`${ANSWER} Cats sleep all day long. !!!`, 36)).toBe(ANSWER);
  });

  test('of equal worth: the chunk that was selected first, then the earlier sentence', async () => {
    const text = 'Cats sleep. The bridge opened. Dogs bark. The bridge opened. Rain fell.';
    const given = ['a', 'b', 'c'].map((id) => chunk(id, text, { score: 1 }));
    const query = 'The bridge opened';
    const { chunks } = await shape({ budget: { maxTokens: 18 } }, given, query);
    expect(chunks).toMatchObject([{ id: 'a', excerpts: [{ start: 12, end: 30 }] }]);
  });

  test('brings the sentence that it leans on, if that fits', async () => {
    const options = { query: 'Which tower opened in 1932?' };
    const text = 'Cats sleep all day long. The old pier was long. It opened in 1932. Dogs bark at night.';
    const both = 'The old pier was long. It opened in 1932.';
    expect(await left(text, roomFor(both), options)).toBe(both);
    expect(await left(text, 18, options)).toBe('It opened in 1932.');
  });

  const table =
    '| name | year |\n|---|---|\n| pier | 1890 |\n| bridge | 1932 |\n| mole | 1777 |\n| dock | 1800 |';

  test('of a table keeps its header', async () => {
    const expected = '| name | year |\n|---|---|\n| bridge | 1932 |';
    const options = { query: 'bridge', extract: { gap: '' } };
    expect(await left(table, roomFor(expected), options)).toBe(expected);
    expect(await left(table, 20, options)).not.toContain('bridge');
  });

  test('the gap in a table is one: no row names the missing rows, but a mark behind it, if there is room for it', async () => {
    const rows = '| name | year |\n|---|---|\n| bridge | 1932 |\n| dock | 1800 |';
    const options = { query: 'bridge, dock' };
    const marked = `${rows}\n\n…`;
    for (let maxTokens = rows.length; maxTokens < rows.length + 15; maxTokens++) {
      const expected = maxTokens < marked.length ? rows : marked;
      expect([maxTokens, await left(table, maxTokens, options)]).toEqual([maxTokens, expected]);
    }
    expect(await left(table, rows.length - 1, options)).not.toMatch(/bridge.*dock/s);
  });

  test('of a table needs room for the header once', async () => {
    const first = '| name | year |\n|---|---|\n| bridge | 1932 |';
    const options = { query: 'bridge 1932', extract: { gap: '' } };
    expect(await left(table, first.length, options)).toBe(first);
    // The next row needs room for itself alone.
    const second = '\n| mole | 1777 |'.length;
    expect((await left(table, first.length + second, options))?.split('\n')).toHaveLength(4);
    expect(await left(table, first.length + second - 1, options)).toBe(first);
  });

  test('of a table whose header and row exceed the budget keeps the row with the last row of the header', async () => {
    const rows = [
      '| | as of the end of the year | |',
      '|---|---|---|',
      '| | 2019 | 2018 |',
      '| bridge | 7 | 8 |',
    ];
    const text = [...rows, '| mole | 1 | 2 |', '| dock | 3 | 4 |'].join('\n');
    const expected = [rows[2], rows[3]].join('\n');
    const short = await shape(
      { extract: { gap: '' }, budget: { maxTokens: roomFor(expected) } },
      [chunk('a', text)],
      'bridge',
    );
    expect(short.chunks[0]?.text).toBe(expected);
    expect(short.report.degradations).toMatchObject([{ stage: 'extract', code: 'header-over-budget' }]);
    const whole = [rows[0], ...rows.slice(2)].join('\n');
    expect(await left(text, roomFor(whole), { query: 'bridge', extract: { gap: '' } })).toBe(whole);
  });

  test('leaves out a scrap that is all that is kept of a chunk, but no short chunk', async () => {
    const long = 'The bridge opened in 1932 after years of work by the whole town.';
    const keptOf = async (other: string, header = '') => {
      const texts = [long, other, 'Cats sleep all day in the shade of the trees near the market.'];
      const chunks = texts.map((text, at) => ({ ...chunk(`${at}`, text), rendered: header + text }));
      const shaped = await shape({ tokenizer: words, budget: { maxTokens: header ? 31 : 18 } }, chunks);
      return shaped.chunks.map(({ text }) => text);
    };
    const scrap = 'Ferries ran. Nobody ever learned why they had been so late on that day.';
    expect(await keptOf(scrap)).toEqual([long]);
    expect(await keptOf('Ferries ran.')).toEqual([long, 'Ferries ran.']);
    // The header of a chunk makes it no longer.
    expect(await keptOf(scrap, 'From page 9 of the town chronicle: ')).toEqual([long]);
  });

  test('of records keeps the first, and they are parsed as they were', async () => {
    const records =
      'name,year,city\npier,1890,Ulm\nbridge,1932,"Bonn,\nRome"\nmole,1777,Graz\ndock,1800,Bern';
    const expected = 'name,year,city\nbridge,1932,"Bonn,\nRome"';
    const options = { query: 'bridge', extract: { gap: '' } };
    expect(await left(records, roomFor(expected), options)).toBe(expected);
    const lines = '{"name": "pier"}\n{"name": "bridge"}\n{"name": "mole"}';
    expect(await left(lines, 18, options)).toBe('{"name": "bridge"}');
  });

  test.each([
    ['JSON', '{ "bridge": { "opened": 1932, "long": [1, 2] } }'],
    ['code', '```js\nconst bridge = open();\n\nbridge.close();\n```'],
    ['a formula', '$$\nbridge = x\n+ y\n$$'],
  ])('that is %s is kept whole or not at all', async (_, block) => {
    const text = `Cats sleep.\n\n${block}\n\nDogs bark.`;
    expect(await left(text, block.length, { query: 'bridge' })).toBe(block);
    expect(await left(text, block.length - 1, { query: 'bridge' })).not.toContain('bridge');
  });

  test('of a list keeps what introduces it, and the item above', async () => {
    const text =
      'Cats sleep all day.\n\nYou will need:\n- a rope\n- boats\n  - a bridge\n  - a pier of wood\n- rain coats';
    const expected = 'You will need:\n- boats\n  - a bridge';
    expect(await left(text, roomFor(expected), { query: 'bridge', extract: { gap: '' } })).toBe(expected);
  });
});

describe('what reads well', () => {
  const bare = { extract: { gap: '' } };

  test('a lead-in comes with its block, and goes with it', async () => {
    const text = 'Cats sleep.\n\nThis opens the bridge:\n\n```js\nopen();\n```\n\nDogs bark.';
    const both = 'This opens the bridge:\n\n```js\nopen();\n```';
    expect(await left(text, roomFor(both), { query: 'open the bridge' })).toBe(both);
    expect(await left(text, both.length - 5, { query: 'open the bridge' })).not.toContain('This opens');
    expect(await left('Rain fell here. The bridge opens like this:', 30, { query: 'bridge' })).not.toContain(
      'this:',
    );
  });

  test('a fence that has no other half is left out, but its text is not', async () => {
    const begun = `${RAIN}\n\n\`\`\`js\nbridge.open();`;
    expect(await left(begun, 16, { query: 'bridge' })).toBe('bridge.open();');
    const ended = `bridge.open();\n\`\`\`\n\n${RAIN}`;
    expect(await left(ended, 16, { query: 'bridge' })).toBe('bridge.open();');
  });

  test('a title that ends like a sentence is a heading where metadata names it', async () => {
    const title = 'The bridge of Ulm.';
    const given = [
      chunk('a', `${title}\nCats sleep all day. It opened in 1932. Rain fell.`, { metadata: { title } }),
    ];
    const query = 'When was the bridge of Ulm opened, 1932?';
    const { chunks } = await shape({ budget: { maxTokens: 70 } }, given, query);
    expect(chunks[0]?.text.startsWith(title)).toBe(true);
    expect(chunks[0]?.text).toContain('It opened in 1932.');
  });

  test('what leans on the sentence before it is added alone where both take too much of the budget', async () => {
    const pair = 'A new pier was built beside it. It opened the bridge to boats.';
    const rest = 'Rain fell. '.repeat(30).trim();
    const given = [chunk('a', `${ANSWER} Cats sleep all day long.`), chunk('b', `${pair} ${rest}`)];
    const of = async (maxTokens: number) => {
      const { chunks } = await shape({ budget: { maxTokens } }, given);
      const texts = chunks.map(({ text }) => text).join(' ');
      expect(texts).toContain(ANSWER);
      expect(texts).toContain('It opened the bridge to boats.');
      return texts.includes(pair);
    };
    // Three separators: each unit is taken to cost one more.
    expect(await of(60)).toBe(false);
    expect(await of(4 * (pair.length + 3))).toBe(true);
  });

  test('every row of a header stays with the rows, and the title of a section with its own', async () => {
    const table = [
      '|  | Years ended May 31, |  |',
      '|---|---|---|',
      '|  | 2019 | 2018 |',
      '|  | (in thousands) |  |',
      '| Boats in all | 9 | 8 |',
      '| Revenue: |  |  |',
      '| Piers | 1,446 | 1,382 |',
      '| Costs: |  |  |',
      '| Boats | 446 | 382 |',
      '| Bridges | 46 | 31 |',
    ];
    const kept = [...table.slice(0, 4), table[7], table[9]].join('\n');
    expect(await left(table.join('\n'), roomFor(kept), { query: 'bridges', ...bare })).toBe(kept);
    const csv = table
      .filter((_, at) => at !== 1)
      .map((row) =>
        row
          .slice(2, -2)
          .split(' | ')
          .map((cell) => (cell.includes(',') ? `"${cell}"` : cell.trim()))
          .join(','),
      );
    const records = [...csv.slice(0, 3), csv[6], csv[8]].join('\n');
    expect(await left(csv.join('\n'), roomFor(records), { query: 'bridges', ...bare })).toBe(records);
  });
});

describe('room', () => {
  test('is filled, with far less relevant chunks, too', async () => {
    const given = [chunk('a', ABOUT), chunk('b', RAIN)];
    const { chunks, report } = await shape({ budget: { maxTokens: 70 } }, given);
    expect(chunks[0]).toMatchObject({ id: 'a' });
    expect(chunks[0]?.text).toContain(ANSWER);
    expect(report.evicted).toEqual([]);
    const texts = chunks.map(({ text }) => text).join(' ');
    const out = `${ABOUT} ${RAIN}`.match(/[^.]+\./g)!.filter((each) => !texts.includes(each.trim()));
    expect(out.length).toBeGreaterThan(0);
    for (const each of out) expect(report.tokens.output + each.trim().length).toBeGreaterThan(70);
    const floored = await shape({ budget: { maxTokens: 70 }, relevance: { floor: 0.1 } }, given);
    expect(floored.report.evicted).toMatchObject([{ id: 'b', stage: 'relevance', reason: 'below-floor' }]);
  });

  test('of short sentences is filled nearly whole', async () => {
    const places = ['Ulm', 'Graz', 'Bern', 'Rome', 'Oslo', 'Cork', 'Nice', 'Lund'];
    const verbs = ['opened', 'closed', 'was painted', 'fell', 'was sold', 'burned down'];
    const given = Array.from({ length: 5 * places.length }, (_, at) => ({
      at,
      place: places[at % places.length] as string,
    })).map(({ at, place }) =>
      chunk(`${at}`, verbs.map((verb) => `In ${place} bridge ${at} ${verb}.`).join(' ')),
    );
    const whole = given.reduce((sum, { text }) => sum + text.length, 0);
    for (const share of [0.2, 0.4, 0.6, 0.8]) {
      const maxTokens = Math.floor(share * whole);
      const { report } = await shape({ budget: { maxTokens } }, given);
      expect(report.tokens.output).toBeLessThanOrEqual(maxTokens);
      expect(report.tokens.output / maxTokens).toBeGreaterThanOrEqual(0.97);
    }
  });

  test('that is there for all keeps all', async () => {
    const { report } = await shape({ budget: { maxTokens: ABOUT.length + RAIN.length } }, [
      chunk('a', ABOUT),
      chunk('b', RAIN),
    ]);
    expect(report.evicted).toEqual([]);
  });
});

describe('the counted text', () => {
  test('a source over its quota takes nothing from another', async () => {
    const figures = (text: string) => words(text) + 9 * (text.match(/\d/g)?.length ?? 0);
    const dear = `The bridge 1932 opened 1940. ${'Cats sleep well out there. '.repeat(10)}`;
    const cheap = Array.from(
      { length: 30 },
      (_, at) => `Dogs ${'abcdefghijklmnopqrstuvwxyzABCD'[at]}bark.`,
    ).join(' ');
    const { chunks } = await shape({ tokenizer: figures, budget: { perSource: 60 } }, [
      chunk('a', dear, { metadata: { source: 's' } }),
      chunk('b', cheap, { metadata: { source: 't' } }),
    ]);
    expect(chunks.find(({ id }) => id === 'b')?.text).toBe(cheap);
    expect(figures(chunks.find(({ id }) => id === 'a')?.text ?? '')).toBeLessThanOrEqual(60);
  });

  test('room that estimates left is used', async () => {
    const figures = (text: string) => words(text) + 2 * (text.match(/\d/g)?.length ?? 0);
    const bridges = ['opened', 'closed', 'fell', 'burned', 'stood', 'moved'].map(
      (verb) => `The bridge ${verb} here.`,
    );
    const text = `${bridges.join(' ')} ${'Cats: 12345 and 67890. '.repeat(4)}`;
    // Each is taken to cost three times as much: it is in a text full of figures.
    const { chunks } = await shape({ tokenizer: figures, budget: { maxTokens: 24 } }, [chunk('a', text)]);
    expect(chunks).toMatchObject([{ text: bridges.join(' '), tokens: 24 }]);
  });

  test('the text that the model sees, with its surroundings', async () => {
    const seen: string[] = [];
    const tokenizer = (text: string) => {
      seen.push(text);
      return text.length;
    };
    const around = (text: string) => `file one of two\n${text}\nend`;
    const given = chunk('a', ABOUT, { rendered: around(ABOUT) });
    const room = around(ANSWER).length;
    const { chunks, report } = await shape({ tokenizer, budget: { maxTokens: room } }, [given]);
    expect(chunks).toMatchObject([{ text: ANSWER, tokens: room }]);
    expect(seen).toContain(around(ANSWER));
    expect(report.tokens.output).toBe(room);
    const { chunks: fewer } = await shape({ budget: { maxTokens: room - 1 } }, [given]);
    expect(fewer[0]?.text).not.toContain('bridge');
  });

  test('what the model sees instead of the text cannot be cut', async () => {
    const rendered = 'The bridge, of which the text says when.';
    const whole = `Bread is baked. ${ANSWER} Rain fell.`;
    const given = [chunk('a', whole, { rendered }), chunk('b', 'Dogs bark at night. Cats sleep.')];
    const { chunks } = await shape({ budget: { maxTokens: roomFor(rendered) } }, given);
    expect(chunks).toMatchObject([{ id: 'a', text: whole, tokens: rendered.length }]);
    expect(chunks[0]?.excerpts).toBeUndefined();
    // It is one unit, even if it ends like an announcement, and costs what the model sees.
    const ends = chunk('a', 'The bridge opened in 1932, and others as follows:', { rendered });
    const others = ['Shops open late on Fridays and Sundays.', 'Dogs bark at night.'].map((text, at) =>
      chunk(`b${at}`, text),
    );
    const { report } = await shape({ budget: { maxTokens: roomFor(rendered) } }, [...others, ends]);
    expect(report.kept).toMatchObject([{ id: 'a', tokens: rendered.length }]);
  });

  test.each<[string, (text: string) => number]>([
    ['words', words],
    ['words, and one for every text', (text) => words(text) + 1],
    ['gaps dearly', (text) => words(text) + 20 * text.split('…').length - 20],
    ['longer texts for less', (text) => Math.ceil(Math.sqrt(text.length))],
    ['figures dearly', (text) => words(text) + 9 * (text.match(/\d/g)?.length ?? 0)],
  ])('by a counter of %s: never over', async (_, tokenizer) => {
    const given = Array.from({ length: 6 }, (_, at) =>
      chunk(`c${at}`, `${ABOUT} Bridge ${at} opened. Rain fell ${at}. The bridge of ${at * 7} men.`),
    );
    const whole = given.reduce((sum, { text }) => sum + tokenizer(text), 0);
    let cut = 0;
    for (let maxTokens = 1; maxTokens < whole; maxTokens += Math.ceil(whole / 50)) {
      const { chunks } = await shape({ tokenizer, budget: { maxTokens } }, given);
      expect(chunks.reduce((sum, { text }) => sum + tokenizer(text), 0)).toBeLessThanOrEqual(maxTokens);
      cut += chunks.filter(({ excerpts }) => excerpts !== undefined).length;
    }
    expect(cut).toBeGreaterThan(20);
  });
});

describe('which chunks', () => {
  test('pinned ones stay whole while they fit', async () => {
    const { chunks } = await shape({ budget: { maxTokens: roomFor(ANSWER, RAIN) }, pin: ['p'] }, [
      chunk('a', ABOUT),
      chunk('p', RAIN),
    ]);
    expect(chunks.toSorted((a, b) => a.index - b.index).map(({ text }) => text)).toEqual([ANSWER, RAIN]);
  });

  test('pinned ones are read first, with any number of chunks before them', async () => {
    const many = Array.from({ length: 40 }, (_, at) => chunk(`c${at}`, ABOUT));
    const { chunks } = await shape({ budget: { maxTokens: 34 }, pin: ['p'], select: false }, [
      ...many,
      chunk('p', RAIN),
    ]);
    expect(chunks).toMatchObject([{ id: 'p', text: RAIN }]);
  });

  test('a pinned one that fits stays, with any number of longer pinned ones before it', async () => {
    const many = Array.from({ length: 40 }, (_, at) =>
      chunk(`c${at}`, `The bridge ${'is long and '.repeat(9)}opened.`),
    );
    const { chunks, report } = await shape(
      { budget: { maxTokens: 34 }, pin: [...many.map(({ id }) => id), 'p'] },
      [...many, chunk('p', RAIN), chunk('u', 'Cats.')],
    );
    expect(chunks).toMatchObject([{ id: 'p', text: RAIN }]);
    expect(report.degradations.filter(({ code }) => code === 'pinned-over-budget')).toHaveLength(40);
  });

  test('of pinned ones that do not fit the best comes before the best of others', async () => {
    const best = 'The boats were at the bridge.';
    const { chunks } = await shape({ budget: { maxTokens: roomFor(best) }, pin: ['p'] }, [
      chunk('a', ABOUT),
      chunk('p', `Rain fell on the town. ${best} It was wet.`),
    ]);
    expect(chunks).toMatchObject([{ id: 'p', text: best }]);
  });

  test('a pinned one or the best that has to go is complained of', async () => {
    const long = chunk('long', `The bridge ${'is long and '.repeat(9)}opened.`);
    const given = [long, chunk('b', RAIN), chunk('c', 'The pier opened.')];
    const { report } = await shape({ budget: { maxTokens: 40 } }, given);
    expect(report.degradations).toMatchObject([{ stage: 'extract', code: 'best-over-budget' }]);
    const { report: pinned } = await shape({ budget: { maxTokens: 40 }, pin: ['long'] }, given);
    expect(pinned.degradations).toMatchObject([{ stage: 'extract', code: 'pinned-over-budget' }]);
    expect(ledger(pinned)).toEqual([0, 1, 2]);
  });

  test('at most k, and those that are cut take a place', async () => {
    const given = Array.from({ length: 9 }, (_, at) => chunk(`c${at}`, `Bridge ${at} opened. ${ABOUT}`));
    const { chunks, report } = await shape({ k: 2, budget: { maxTokens: 90 } }, given);
    expect(chunks).toHaveLength(2);
    expect(chunks.every(({ excerpts }) => excerpts !== undefined)).toBe(true);
    expect(new Set(report.evicted.map(({ reason }) => reason))).toEqual(new Set(['outranked']));
  });

  test('k alone cuts nothing', async () => {
    const { chunks } = await shape({ k: 1 }, [chunk('a', ABOUT), chunk('b', ABOUT)]);
    expect(chunks).toMatchObject([{ text: ABOUT }]);
    expect(chunks[0]?.excerpts).toBeUndefined();
  });

  test.each<[string, ShapingOptions, string]>([
    ['extraction is off', { extract: false }, 'When did the bridge open?'],
    ['the query is empty', {}, ''],
    ['no word of it is in the texts', {}, 'zzxx'],
    ['words do not count', { relevance: { weights: weightsOf({ place: 1 }) }, ranked: true }, 'bridge'],
    ['there is no relevance', { relevance: false }, 'bridge'],
  ])('whole ones, where %s', async (_, options, query) => {
    const given = [chunk('a', ABOUT), chunk('b', 'The bridge opened. It is long.'), chunk('c', ABOUT)];
    const { chunks, report } = await shape(
      { ...options, budget: { maxTokens: 30 }, select: { lambda: 1 } },
      given,
      query,
    );
    expect(chunks).toMatchObject([{ id: 'b', text: given[1]?.text }]);
    expect(chunks[0]?.excerpts).toBeUndefined();
    expect(report.evicted.map(({ stage }) => stage)).toEqual(['budget', 'budget']);
  });

  test('the best cut to fit, where not one unit does', async () => {
    const given = [chunk('a', ANSWER), chunk('b', 'Cats sleep all day.')];
    const { chunks, report } = await shape({ budget: { maxTokens: 10 } }, given);
    expect(chunks).toMatchObject([{ id: 'a', text: 'The bridge', excerpts: [{ start: 0, end: 10 }] }]);
    expect(report.degradations).toMatchObject([{ code: 'cut-to-fit' }]);
    expect((await shape({ budget: { maxTokens: 10 }, allowEmpty: true }, given)).chunks).toEqual([]);
  });
});
