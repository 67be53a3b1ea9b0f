import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { lexicalFeatures } from '../../../src/relevance/features.js';
import { questionOf } from '../../../src/relevance/passage.js';
import { compoundsOf } from '../../../src/text/compounds.js';
import { cutToFit } from '../../../src/text/cut.js';
import { factsOf } from '../../../src/text/facts/reader.js';
import { fold } from '../../../src/text/fold.js';
import { Lexicon } from '../../../src/text/lexicon.js';
import { stem } from '../../../src/text/stem.js';
import { wordsOf } from '../../../src/text/words.js';
import { readyTokenCounter } from '../../../src/tokens/ready-counters.js';
import { cpuMilliseconds } from '../../time.js';

/** The shortest of three times, because now and then garbage is collected. */
async function milliseconds(run: () => unknown): Promise<number> {
  const times = [await cpuMilliseconds(run), await cpuMilliseconds(run), await cpuMilliseconds(run)];
  return Math.min(...times);
}

const length = (text: string) => text.length;
/** The similarity of a text and one about a bridge, by words and n-grams. */
function relevances(query: string, text: string): number[] {
  const lexicon = new Lexicon();
  const passages = [text, 'bridge'].map((each) => ({
    text: each,
    terms: lexicon.searchTerms(each),
    title: new Int32Array(),
  }));
  const { bm25, grams } = lexicalFeatures(questionOf(query, lexicon), passages, lexicon);
  expect(grams).toEqual(bm25);
  return Array.from(bm25 ?? []);
}

const MARKS = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~–—−…‰“”’•′½'];
const UNSPACED = '橋は開通した的一是不了人我在有他这中大来'.repeat(5000);

describe('texts without an author', () => {
  test.each(MARKS)('200,000 characters of %s are folded at once', async (mark) => {
    for (const text of [mark.repeat(200_000), `a${mark}`.repeat(100_000), `${mark} `.repeat(100_000)]) {
      // Ten times as long: quadratic time would be a hundred times as much.
      const short = Math.max(8, await milliseconds(() => fold(text.slice(0, 20_000))));
      expect(await milliseconds(() => fold(text))).toBeLessThan(50 * short);
    }
  });

  test.each([
    ['Chinese without a stop', UNSPACED],
    ['one sign', '='.repeat(100_000)],
    ['one letter', 'a'.repeat(100_000)],
    ['one-letter sentences', 'A. '.repeat(33_000)],
    ['apostrophes', "a'".repeat(50_000)],
  ])('100,000 characters of %s are split and cut at once', async (_, text) => {
    expect(await milliseconds(() => wordsOf(text))).toBeLessThan(600);
    for (const room of [10, 50_000, 99_000]) {
      expect(await milliseconds(() => cutToFit(text, room, length))).toBeLessThan(600);
    }
  });

  test.each(['a', '橋', '-', "a'", '𝒜', '\n'])('10 MB of %j overflow nothing', (piece) => {
    const text = piece.repeat(10_000_000 / piece.length);
    expect(typeof fold(text)).toBe('string');
    // Segmenters would take seconds; their pieces are short for texts of every length.
    expect(Array.isArray(wordsOf(piece === '橋' ? text.slice(0, 1_000_000) : text))).toBe(true);
    cutToFit(`x ${text}`, 1000, length);
    vi.stubGlobal('Intl', { ...Intl, Segmenter: undefined });
    try {
      expect(cutToFit(`x ${text}`, 1, length)).toEqual({ start: 0, end: 1 });
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test.each(['a', 'aB', 'a-', 'a.b_', '1,000', "a'", 'C++', ':/', 'Ａ', 'ø', '한'])(
    '1 MB of %j is searched, and searched for',
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length);
      expect(Array.isArray(compoundsOf(text))).toBe(true);
      expect(relevances('bridge', text)).toEqual([0, 1]);
      expect(relevances(text, text)).toEqual(wordsOf(text).length > 0 ? [1, 0] : []);
    },
  );

  test.each<[string, (document: string) => unknown]>([
    ['stems', (document) => stem(wordsOf(document).at(-1) as string)],
    ['readings', (document) => new Lexicon().found(document.slice(-100), factsOf)],
    ['token counts', (document) => readyTokenCounter('estimate')(document.slice(-100))],
  ])('remembered %s hold on to no long text', (_, use) => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = heap();
    for (let i = 0; i < 100; i++) {
      const letters = Array.from(String(i), (digit) => 'abcdefghij'[Number(digit)]).join('');
      use(`${'ordinary words '.repeat(20_000)} uniqueidentifier${letters}`);
    }
    expect(heap() - before).toBeLessThan(10_000_000);
  });

  test.each([
    ['characterisations', 'characteris'],
    ['𝒜b\ud800', '𝒜b\ud800'],
    ['internationalisation'.repeat(3), `${'internationalisation'.repeat(2)}internationalis`],
  ])('the stem of %j', (word, stemmed) => {
    expect([stem(word), stem(word)]).toEqual([stemmed, stemmed]);
  });
});
