/** The places in which a text needs a character that may be hidden. */
import { lazyRegExp } from '../../runtime/lazily.js';
import { SUSPECTS } from './classes.js';

const LETTER = String.raw`(?!${SUSPECTS})[\p{L}\p{M}]`;
/**
 * Scripts in which joiners change the look of letters: Arabic to Tibetan, Myanmar, Khmer, Mongolian and related
 * scripts.
 */
const JOINING = String.raw`[\u0620-\u109f\u1700-\u1cff\ua800-\uabff\ufb50-\ufdfc\ufe70-\ufefc\u{10a00}-\u{11fff}]`;
/** Scripts without spaces between words: Thai to Myanmar, Khmer, Tai, Javanese and Balinese, Chinese and Japanese. */
const SPACELESS = String.raw`[\u0e00-\u109f\u1780-\u17b3\u17b6-\u17ff\u1950-\u1bbf\u2e80-\u3163\u3165-\u9fff\ua980-\uaa7f\uf900-\ufaff\uff00-\uff9f\u{20000}-\u{2fffd}\u{30000}-\u{3fffd}]`;
const MONGOLIAN = String.raw`[\u1820-\u18aa]`;
const PICTOGRAPH = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`;
const DIRECTION = String.raw`[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]`;
/** The longest run of characters that may be hidden in which those that set the direction are justified. */
const LONGEST_RUN = 4;

/** The character first, so that most expressions fail at once. */
const after = (before: string, character: string) => `${character}(?<=${before}${character})`;

/** Each expression begins at the character that it justifies. */
const JUSTIFIED = [
  // A soft hyphen within a word or at the end of a line. Between single letters it would hide the word.
  String.raw`${after(LETTER, String.raw`\xad`)}(?=(?!${SUSPECTS})\s|$|${LETTER}${LETTER})`,
  `${after(LETTER + LETTER, '\\xad')}(?=${LETTER})`,
  // Spaces and joiners without a width.
  after(SPACELESS, String.raw`\u200b`),
  String.raw`\u200b(?<!\u200b\u200b)(?=${SPACELESS})`,
  after(String.raw`(?!${SUSPECTS})${JOINING}[\u180b-\u180d\u180f]?`, String.raw`[\u200c\u200d]`),
  `${after(String.raw`${PICTOGRAPH}\ufe0f?`, String.raw`\u200d`)}(?=${PICTOGRAPH})`,
  // Variants: of characters with a text form and an emoji form, and of others that have standard variants.
  String.raw`${after(String.raw`[\d*#]`, String.raw`[\ufe0e\ufe0f]`)}(?=\u20e3)`,
  after(String.raw`(?![\d*#])[\p{S}\p{Emoji}]`, String.raw`[\ufe0e\ufe0f]`),
  after(
    String.raw`[\p{Sm}\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}0‘’“”、。，．：；！？]`,
    String.raw`[\ufe00-\ufe0d]`,
  ),
  after(String.raw`\p{Script=Han}`, String.raw`[\u{e0100}-\u{e01ef}]`),
  after(MONGOLIAN, String.raw`[\u180b-\u180d\u180f]`),
  `${after(MONGOLIAN, String.raw`\u180e`)}(?=${MONGOLIAN})`,
  // The emoji flags of England, Scotland and Wales: a black flag, and the region in tags.
  String.raw`\u{e0067}(?<=\u{1f3f4}\u{e0067})\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
  // A byte order mark, vowels of Khmer, and fillers of old Hangul.
  String.raw`\ufeff(?<![\s\S]\ufeff)`,
  after(String.raw`[\u1780-\u17b3]`, String.raw`[\u17b4\u17b5]`),
  String.raw`\u115f(?=[\u1161-\u11a7])`,
  after(String.raw`[\u1100-\u115e]`, String.raw`\u1160`),
  // Bullets and icons are single characters. A row of the same one, as the stars of a rating, counts as one.
  String.raw`([\ue000-\uf8ff\u{f0000}-\u{10fffd}])(?<!${SUSPECTS}\1)\1*(?!${SUSPECTS})`,
];

/** At the place where it is asked for. */
export const JUSTIFIED_HERE = lazyRegExp(JUSTIFIED.join('|'), 'uy');

/** Characters that set the direction, in a short run, where the text has a script from right to left. */
export const DIRECTION_HERE = lazyRegExp(
  Array.from({ length: LONGEST_RUN }, (_, before) => {
    const [behind, ahead] = [`${SUSPECTS}{${before}}`, `${SUSPECTS}{0,${LONGEST_RUN - 1 - before}}`];
    return `${after(`(?<!${SUSPECTS})${behind}`, DIRECTION)}(?=${ahead}(?!${SUSPECTS}))`;
  }).join('|'),
  'uy',
);
export const RIGHT_TO_LEFT = lazyRegExp(
  String.raw`[\u05d0-\u05f2\u0620-\u064a\u066e-\u06d3\u06fa-\u0858\u0860-\u08c9\ufb1d-\ufdcf\ufdf0-\ufdfb\ufe70-\ufefc` +
    String.raw`\u{10800}-\u{10cff}\u{1e900}-\u{1e943}]`,
  'u',
);
/** A letter or a mark. Some characters that may be hidden are letters or marks by their Unicode class. */
export const LETTER_HERE = lazyRegExp(LETTER, 'uy');
export const LETTER_BEFORE = lazyRegExp(`(?<=${LETTER})`, 'uy');
