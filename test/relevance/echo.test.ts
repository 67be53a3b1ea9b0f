import { createShaper } from 'context-shaping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { support } from '../../src/internal.js';
import { echoIn } from '../../src/relevance/echo.js';
import { questionOf } from '../../src/relevance/passage.js';
import { Lexicon } from '../../src/text/lexicon.js';
import { chunk } from '../support.js';

/** The words of the text that are taken for the question, in order. */
function echoed(asked: string, text: string): string[] | undefined {
  const lexicon = new Lexicon();
  const terms = lexicon.terms(text);
  const mask = echoIn(questionOf(asked, lexicon), terms, text);
  return (
    mask && Array.from(lexicon.words(text), (id) => lexicon.vocabulary.wordOf(id)).filter((_, at) => mask[at])
  );
}

const ASKED = 'When was the old harbour bridge opened to traffic?';
const WORDS = ['when', 'was', 'the', 'old', 'harbour', 'bridge', 'opened', 'to', 'traffic'];

describe('the definition of an echo', () => {
  test.each([
    ['the question, and a text', `${ASKED} It opened in 1950.`],
    ['without its mark', 'when was the old harbour bridge opened to traffic. It opened in 1950.'],
    ['in quotes', `People ask “${ASKED}” It opened in 1950.`],
    ['as a heading', `# ${ASKED}\n\nIt opened in 1950.`],
    ['cut in two', 'When was the old. It opened in 1950. Harbour bridge opened to traffic'],
  ])('%s', (_, text) => {
    expect(echoed(ASKED, text)).toEqual(WORDS);
  });

  test('a statement that has most of the question goes on counting', () => {
    const text = `${ASKED} The old harbour bridge opened in 1950.`;
    expect(echoed(ASKED, text)).toEqual(WORDS);
    expect(echoed(ASKED, `${ASKED} ${ASKED}`)).toEqual([...WORDS, ...WORDS]);
  });

  test('with some words in between', () => {
    const text = 'When was the so called old harbour bridge really opened to traffic in the end';
    expect(echoed(ASKED, text)).toEqual(WORDS);
  });

  test.each([
    ['Who won the cup in 1950?', 'Ann won the cup in 1950 and in 1951.'],
    ['Which river flows through the city of Rome?', 'The Tiber flows through the city of Rome.'],
    ['harbour bridge opening date', 'Harbour bridge opening date: 4 May 1932'],
    ['The man who sold the world', '"The Man Who Sold the World" is a song by David Bowie.'],
    ['Is it open?', 'It is open.'],
    ['東京タワーの高さは？', '東京タワーの高さは333メートルです。'],
    ['¿Cuál fue el primer cabaret literario?', 'El primer cabaret literario fue el Momus.'],
    ['', 'Anything.'],
  ])('%s: not a statement', (asked, text) => {
    expect(echoed(asked, text)).toBeUndefined();
  });

  test.each([
    ['谁赢得了第 49 届超级碗？', '谁赢得了第49届超级碗？是一支球队。'],
    ['東京タワーの高さは？', '東京タワーの高さは？百メートルです。'],
    ['¿Quién cantó el himno nacional?', '¿Quién cantó el himno nacional? Nadie.'],
    ['Wie groß ist die Straße nach Ulm?', 'WIE GROSS IST DIE STRASSE NACH ULM? Klein.'],
  ])('%s: as a sentence of its own', (asked, text) => {
    expect(echoed(asked, text)).toBeDefined();
  });

  test('of long and hostile texts as well, in linear time', () => {
    expect(echoed(ASKED, 'when was the '.repeat(20_000))).toBeUndefined();
    expect(echoed(`${'a b '.repeat(5000)}?`, 'a b '.repeat(5000))).toBeUndefined();
    expect(echoed('(((a|b)*)+ \\ [what] ?', 'nothing')).toBeUndefined();
  });
});

const POOL = [
  chunk('gold', 'The harbour bridge was opened on 4 May 1932, after seven years of work.'),
  chunk('ferry', 'Ferries leave the old harbour every ten minutes and carry all the traffic.'),
  chunk('town', 'The town was founded by monks, who built a mill and a brewery.'),
];
const relevanceOf = async (chunks: typeof POOL, options = {}) => {
  const shaper = createShaper({ ranked: false, tokenizer: () => 1, ...options });
  const { report } = await shaper.shape({ query: ASKED, chunks });
  return new Map(report.kept.map(({ id, relevance }) => [id, relevance]));
};

describe('relevance that cannot be bought', () => {
  const FALSE = 'The harbour bridge opened in 1950.';

  test('with the question in front of it a text is as relevant as without', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('bridge', 'harbour', 'opened', 'in', '1950', 'ferry', 'the', 'mill'), {
          minLength: 3,
          maxLength: 20,
        }),
        async (words) => {
          const text = `${words.join(' ')}.`;
          const plain = await relevanceOf([...POOL, chunk('attack', text)]);
          const bought = await relevanceOf([...POOL, chunk('attack', `${ASKED} ${text}`)]);
          for (const [id, relevance] of plain) expect(bought.get(id)).toBeCloseTo(relevance as number, 9);
        },
      ),
      { numRuns: 100, seed: 11 },
    );
  });

  test('the question alone answers nothing', async () => {
    const found = await relevanceOf([...POOL, chunk('attack', ASKED)]);
    expect(found.get('attack')).toBe(Math.min(...([...found.values()] as number[])));
    expect(found.get('gold')).toBeGreaterThan(found.get('attack') as number);
  });

  test('nor does a title that is the question', async () => {
    const titled = (title: string) => chunk('attack', FALSE, { metadata: { title } });
    const bought = await relevanceOf([...POOL, titled(ASKED)]);
    expect(bought.get('attack')).toBeLessThanOrEqual(
      (await relevanceOf([...POOL, titled('News')])).get('attack') as number,
    );
  });

  test('among questions with their answers the question is the entry that is sought', async () => {
    const asked = 'How do I reset my password?';
    const faq = [
      chunk('reset', 'How do I reset my password?\nOpen the settings and press the second button.'),
      chunk('change', 'How do I change my password?\nOpen the settings and press the first button.'),
      chunk('leave', 'How do I close my account?\nWrite to us.'),
    ];
    const shaper = createShaper({ ranked: false, k: 1 });
    expect((await shaper.shape({ query: asked, chunks: faq })).chunks[0]?.id).toBe('reset');
  });

  test('of the most trusted source an echo counts', async () => {
    const options = { trust: [{ value: 'own' }], ranked: false } as const;
    const of = async (trust: string | undefined) => {
      const entry = chunk('entry', `${ASKED} Long ago.`, { metadata: { trust } });
      return (await relevanceOf([...POOL, entry], options)).get('entry') as number;
    };
    expect(await of('own')).toBeGreaterThan(2 * (await of(undefined)));
    expect(await of('web')).toBe(await of(undefined));
  });

  test('a sentence that repeats the question does not stand for the answer under a budget', async () => {
    const answer = 'It was opened to traffic on 4 May 1932 by the mayor, and closed again a day later.';
    const long = chunk(
      'long',
      `${ASKED} Some ask so. ${answer} ${'The mill grinds corn for all. '.repeat(20)}`,
    );
    const shaper = createShaper({ ranked: false, budget: { maxTokens: 30 } });
    const { chunks } = await shaper.shape({ query: ASKED, chunks: [long] });
    expect(chunks[0]?.text).toContain('4 May 1932');
  });

  test('a grade of words alone does not rise with it', () => {
    const [plain, bought] = [FALSE, `${ASKED} ${FALSE}`].map(
      (text) => support(ASKED, [{ text }])[0] as number,
    );
    expect(bought).toBeCloseTo(plain as number, 9);
    expect(support(ASKED, [{ text: ASKED }])[0]).toBeLessThan(0.2);
  });
});
