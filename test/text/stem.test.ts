import { createShaper } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { fold } from '../../src/text/fold.js';
import { searchStem, stem } from '../../src/text/stem.js';
import { wordsOf } from '../../src/text/words.js';
import { weightsOf } from '../support.js';

describe('words with an apostrophe are found by the part that carries the meaning', () => {
  test.each([
    ["Tesla'nın", 'Tesla'],
    ['Türkiye’de', 'Türkiye'],
    ["ABD'deki", 'ABD'],
    ["l'homme", 'homme'],
    ["qu'il", 'il'],
    ["dell'arte", 'arte'],
    ["it's", 'it'],
    ["Anna's", 'Anna'],
    ["they're", 'they'],
    ["I'm", 'I'],
  ])('%s: %s', (word, part) => {
    const [[joined], [plain]] = [wordsOf(word), wordsOf(part)];
    expect(stem(joined as string)).toBe(stem(plain as string));
  });

  test.each(["can't", "don't", "м'яч", "об'єкт", "rock'n'roll"])('%s stays whole', (word) => {
    expect(stem(word)).toBe(word);
  });
});

describe('stems of searches', () => {
  test.each([
    ['конституция', 'конституции', 'конституцией'],
    ['ещё', 'еще'],
    ['άνθρωπος', 'ανθρώπου', 'ανθρώπους'],
    ['كتاب', 'الكتاب', 'والكتاب', 'بالكتاب', 'كِتَاب'],
    ['مدرسة', 'المدرسة', 'للمدرسة'],
    ['معلم', 'المعلمون', 'معلمين', 'والمعلمات'],
    ['bridge', 'bridges'],
  ])('%s: the same for all forms', (...forms) => {
    expect(new Set(forms.map((form) => searchStem(fold(form)))).size).toBe(1);
  });

  test.each([
    ['река', 'рука'],
    ['وقت', 'قوت'],
    ['ال', 'ون'],
    ['1932', '1933'],
    ['größe', 'große'],
  ])('%s is not %s', (one, other) => {
    expect(searchStem(fold(one))).not.toBe(searchStem(fold(other)));
    expect(searchStem(fold(one))).not.toBe('');
  });

  test('facts compare whole words: two words with the same beginning contradict each other', () => {
    expect(stem('президент')).not.toBe(stem('президиум'));
  });
});

describe('folding', () => {
  test.each([
    ['İstanbul', 'istanbul'],
    ['IŞIK', 'ışık'],
    ['I\u0307ki', 'iki'],
    ['นํ้า', 'น้ำ'],
    ['ນ້ຳ', 'ນໍ້າ'],
  ])('%s and %s are one', (one, other) => {
    expect(fold(one)).toBe(fold(other));
    expect(fold(fold(one))).toBe(fold(one));
  });

  test('Thai words keep the vowel AM, so that a dictionary has them', () => {
    expect(wordsOf('จำนวนมาก')).toEqual(['จำนวน', 'มาก']);
    expect(wordsOf('น้ำตกสำคัญสำหรับประเทศ')).toEqual(['น้ำตก', 'สำคัญ', 'สำหรับ', 'ประเทศ']);
  });
});

test.each([
  ['İstanbul nerede', ["Ankara'da kar var.", "Hava istanbul'da güneşli."]],
  ['Where is l’Estaque?', ['Marseille est au sud.', 'Estaque est au nord.']],
  ['จำนวนนักท่องเที่ยว', ['นกบินในท้องฟ้า', 'มีจำนวนมากทุกปี']],
  ['столица конституцией', ['Река течёт.', 'Конституция принята.']],
])('by words alone, %s finds the second text', async (query, texts) => {
  const { chunks } = await createShaper({ k: 1, relevance: { weights: weightsOf({ bm25: 1 }) } }).shape({
    query,
    chunks: texts.map((text, at) => ({ id: `${at}`, text })),
    ranked: false,
  });
  expect(chunks[0]?.id).toBe('1');
});
