/** Words of scripts without capitals: Chinese, Japanese, Thai, Arabic, … Some of these scripts have no spaces. */
import { lazyRegExp } from '../../runtime/lazily.js';

const UNSPACED = lazyRegExp(
  String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`,
  'u',
);

/**
 * Matches negations. In Chinese, Japanese and Thai they are inside a run of letters; the exceptions are words such as
 * 非常 "very", 未来 "future", 不仅 "not only". In Korean, and in the languages of Arabic, Hebrew and Indian scripts, they are
 * words, or turn the word that contains them into a negation.
 */
// Unchecked prose: a list of words.
const NEGATION = new RegExp(
  [
    '不(?![仅僅但断斷过過久论論管只])|[没沒]|[無无](?![线線论論数數])|非(?![常洲])|未(?![来來])',
    'ない|なかった|ません|せず|(?<=[かがさたなばまらわ])ぬ|ずに',
    'ไม่|ห้าม|ปราศจาก',
    '^(?:안|못|못하.*|아(?:니|닙|닌).*|[^않없]*[않없].*)$',
    '^[وف]?(?:لا|لم|لن|ليس|ليست|بدون|دون)$',
    '^[ושה]?(?:לא|אין|אינו|אינה|בלי|ללא)$',
    '^(?:نیست.*|نه|هیچ|نباید|نمی.*|نہیں|نہ|مت|بغیر)$',
    '^(?:नहीं|नही|मत|न|ना|बिना|नाही|नाहीत|नको|नये|नव्ह.*|विना|छैन|होइन)$',
    '^(?:না|নয়|নেই|নি|নাই|নন|বিনা)$|^(?:ਨਹੀਂ|ਨਾ|ਬਿਨਾਂ)$|^(?:નથી|નહીં|નહિ|ન|વિના)$',
    '^(?:இல்லை|அல்ல|மாட்ட.*|வேண்டாம்|இல்லாமல்|கூடாது|முடியாது)$|^(?:కాదు|లేదు|లేరు|లేవు|లేకుండా|వద్దు)$',
    '^(?:ಇಲ್ಲ|ಅಲ್ಲ|ಬೇಡ|ಇಲ್ಲದೆ)$|^(?:ഇല്ല|അല്ല|വേണ്ട|ഇല്ലാതെ)$',
  ]
    .join('|')
    .normalize('NFKC'),
  'gu',
);

/** Splits a run of caseless letters into words and negations: 我不喜欢他 becomes 我, the negation 不, 喜欢, 他. */
export function splitCaseless(run: string): { word: string; negates: boolean }[] {
  const pieces: { word: string; negates: boolean }[] = [];
  const add = (part: string): void => {
    for (const word of UNSPACED().test(part) ? segment(part) : [part]) pieces.push({ word, negates: false });
  };
  let end = 0;
  for (const { 0: word, index } of run.matchAll(NEGATION)) {
    if (index > end) add(run.slice(end, index));
    pieces.push({ word, negates: true });
    end = index + word.length;
  }
  if (end < run.length) add(run.slice(end));
  return pieces;
}

const MARKED_CHARACTER = lazyRegExp(String.raw`\P{M}\p{M}*`, 'gu');

/** Created on first use, because most texts need no segmenter. Some runtimes lack it; then every letter is a word. */
let segmenter: Intl.Segmenter | undefined;

function segment(run: string): string[] {
  if (typeof Intl === 'undefined' || !('Segmenter' in Intl)) return run.match(MARKED_CHARACTER()) ?? [];
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const splitter = segmenter;
  // Segmenters take more than linear time. Natural text has a space or a stop within that length.
  const pieces = run.match(/.{1,256}/gsu) ?? [];
  return pieces.flatMap((piece) => Array.from(splitter.segment(piece), (part) => part.segment));
}
