import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keywords } from '../../../adapters/crag/index.js';
import { cpuMilliseconds } from '../../time.js';

const first = (query: string) => keywords({ query }, {});
describe('the keywords', () => {
  test.each([
    ['What is the capital of France?', 'capital France'],
    ['Can you please tell me how the WHO classified COVID-19 in 2020?', 'WHO classified COVID-19 2020'],
    ['Who wrote "The Lord of the Rings" and when?', 'wrote "The Lord of the Rings"'],
    ['Which bands did not play at Woodstock in 1969?', 'bands not play Woodstock 1969'],
    ["Why doesn't C++ have garbage collection?", "doesn't C++ garbage collection"],
    ['What is .NET 8 vs. Node.js, for $5 or 3.5%?', '.NET 8 vs Node.js $5 3.5%'],
    ['Does U.S. law allow it? What about the US?', 'U.S. law allow US'],
    ['How did The Beatles and I meet, i.e. The Beatles?', 'The Beatles meet i.e.'],
    ["What’s Ann Lee's age?", "Ann Lee's age"],
    ['Where does the river rise, and where does the river end?', 'river rise end'],
  ])('%s', async (query, expected) => {
    expect(await first(query)).toBe(expected);
  });

  test.each([
    'Was kostet die Bahncard 100 in Wien',
    '日本の首都はどこですか？',
    'من بنى الجسر؟',
    'สะพานเปิดเมื่อไร',
  ])('another language keeps all its words: %s', async (query) => {
    expect((await first(query)).replace(/[,\s]+/g, ' ')).toBe(query.replace(/[,\s]+/g, ' '));
  });

  test.each(['What is it?', 'to be', 'WHO IS THE PRESIDENT OF THE US', '???', 'who'])(
    'a question without other words, or with possible names, stays unchanged: %s',
    async (query) => {
      expect(await first(query)).toBe(query);
    },
  );

  test('of a long question names, numbers, phrases and negations stay', async () => {
    const query =
      'What are the main differences between the economic policies of the Roosevelt administration in the 1930s and those of the Reagan administration in the 1980s, not with respect to tax, public spending, or "full employment"?';
    const terms = (await first(query)).match(/"[^"]+"|\S+/g) as string[];
    expect(terms).toHaveLength(12);
    expect(terms).toEqual(
      expect.arrayContaining(['Roosevelt', '1930s', 'Reagan', '1980s', 'not', '"full employment"']),
    );
    const places = terms.map((term) => query.indexOf(term));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

test('every question gives a search of some of its words, in at most 300 characters', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('the', 'of', '"', '“', 'Bank', 'not', '🙂', 'x'.repeat(400), '.', '日本'))
      .map((words) => words.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(text, async (query) => {
      const search = await first(query);
      expect(search.length).toBeLessThanOrEqual(300);
      expect(search === '').toBe(query.trim() === '');
      expect(search).toBe(search.trim());
    }),
  );
});

test('a huge question takes no more than its share of time', async () => {
  const asking = async () => {
    for (const part of ['of ', '"', '“', 'what ', 'a.', '((', '))', '!', '-'])
      await first(`a${part.repeat(50_000)}a`);
  };
  expect(await cpuMilliseconds(asking)).toBeLessThan(5000);
});

test('an abort', async () => {
  const reason = new Error('not wanted any more');
  const request = { query: 'Paris?' };
  await expect(keywords(request, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
