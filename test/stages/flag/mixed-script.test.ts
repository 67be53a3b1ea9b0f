import { expect, test } from 'vitest';
import { LOOK_ALIKES, undisguised } from '../../../src/stages/flag/disguise.js';
import { mixedWords } from '../../../src/stages/flag/mixed-script.js';

test.each([
  ['p\u0430ssword and \u0410pple', ['p\u0430ssword', '\u0410pple']],
  ['g\u03bfogle', ['g\u03bfogle']],
  ['p\u03b1ssword', ['p\u03b1ssword']],
  // A Latin letter among Cyrillic ones that all have a Latin twin.
  ['\u0441\u043e\u0440e', ['\u0441\u043e\u0440e']],
])('%s', (text, words) => {
  expect(mixedWords(text)).toEqual(words);
});

test.each([
  'plain words',
  'Московский мост',
  'Η γέφυρα του λιμανιού',
  '5 μm and kΩ',
  'Δt, αβ-crystallin, π-bond, TNFα, IFNγ, νmax',
  'Word и слово',
  'Wi-Fi-сеть',
  '',
])('nothing in %s', (text) => {
  expect(mixedWords(text)).toBeUndefined();
});

test('the first three are reported', () => {
  expect(mixedWords('а1 bа cа dа eа')).toHaveLength(3);
});

test('each letter that looks Latin is found between Latin letters, and read as the letter that it looks like', () => {
  expect(LOOK_ALIKES.size).toBeGreaterThan(50);
  for (const [letter, latin] of LOOK_ALIKES) {
    expect(mixedWords(`ab${letter}cd`)).toEqual([`ab${letter}cd`]);
    expect(undisguised(`ab${letter}cd`)?.text).toBe(`ab${latin}cd`);
  }
});
