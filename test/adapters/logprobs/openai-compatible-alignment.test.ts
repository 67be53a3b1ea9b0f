import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  continuationByText,
  type EchoedPosition,
} from '../../../adapters/logprobs/openai-compatible/alignment.js';

/** Few letters, so that texts repeat themselves. */
const pieces = fc.array(fc.stringMatching(/^[ab ]{1,3}$/), { minLength: 1, maxLength: 12 });

/** Positions, each with a number of its own. */
const positionsOf = (texts: readonly string[]): EchoedPosition[] =>
  texts.map((text, id) => ({
    candidates: [{ text, id, logprob: id === 0 ? null : -id }],
    top: () => [],
  }));
const idsOf = (aligned: ReturnType<typeof continuationByText>) => aligned?.map(({ token }) => token.id);

test('the continuation is those tokens that end after the prompt', () => {
  fc.assert(
    fc.property(pieces, fc.nat(), fc.option(fc.constantFrom('a', 'b', ' ', '</s>')), (texts, cut, next) => {
      const text = texts.join('');
      const at = cut % text.length;
      const generated = next === null ? 0 : 1;
      const positions = positionsOf(['<s>', ...texts, ...(next === null ? [] : [next])]);
      const ends = texts.map((_, place) => texts.slice(0, place + 1).join('').length);
      const expected = texts.flatMap((_, place) => ((ends[place] as number) > at ? [place + 1] : []));
      const found = continuationByText(positions, generated, text.slice(0, at), text.slice(at));
      expect(idsOf(found)).toEqual(expected);
    }),
  );
});

test('tokens that are others than those of the text are none', () => {
  fc.assert(
    fc.property(pieces, fc.nat(), (texts, cut) => {
      const text = texts.join('');
      const at = cut % text.length;
      const broken = [...texts.slice(0, -1), `${texts.at(-1)}\u{fffd}`];
      expect(continuationByText(positionsOf(broken), 0, text.slice(0, at), text.slice(at))).toBeUndefined();
    }),
  );
});

test.each<[string, string[], generated: number]>([
  ['one more was generated than asked for', ['<s>', 'x', 'y', 'z', 'y'], 0],
  ['one less was generated than asked for', ['<s>', 'x', 'y', 'z'], 1],
])('the whole text is read where %s', (_, texts, generated) => {
  expect(idsOf(continuationByText(positionsOf(texts), generated, 'xy', 'z'))).toEqual([3]);
});

test('parts of a character that add nothing yet are those of the character', () => {
  const positions = positionsOf(['<s>', 'x', '', '', '\u2211', 'y']);
  expect(idsOf(continuationByText(positions, 0, 'x', '\u2211y'))).toEqual([2, 3, 4, 5]);
  expect(idsOf(continuationByText(positions, 0, 'x\u2211', 'y'))).toEqual([5]);
});

test('a token that begins every text is no part of the continuation, with any text', () => {
  expect(idsOf(continuationByText(positionsOf(['', 'x']), 0, '', 'x'))).toEqual([1]);
});

test('among several candidates those stand that make the text; if others could, the place is unknown', () => {
  const at = (...texts: string[]): EchoedPosition => ({
    candidates: texts.map((text, id) => ({ text, id, logprob: -1 })),
    top: () => [],
  });
  const texts = (...positions: EchoedPosition[]) =>
    continuationByText(positions, 0, 'x', 'abc')?.map(({ token }) => token.text);
  expect(texts(at('x', 'y'), at('ab', 'a'), at('c', 'cc'))).toEqual(['ab', 'c']);
  expect(texts(at('x'), at('ab', 'a'), at('c', 'bc'))).toBeUndefined();
  // In the prompt it does not matter.
  expect(
    continuationByText([at('ab', 'a'), at('c', 'bc'), at('d')], 0, 'abc', 'd')?.map(
      ({ token }) => token.text,
    ),
  ).toEqual(['d']);
});
