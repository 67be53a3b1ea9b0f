/** Recognises links without content of their own: badges, sponsors, tables of contents. */

const PICTURE = /!\[[^\]]{0,300}\](?:\([^()]{0,1000}\)|\[[^\]]{0,300}\])/g;
const LINK =
  /\[[^[\]]{0,300}\](?:\([^()]{0,1000}\)|\[[^\]]{0,300}\]|: ?\S{1,1000})|<?https?:\/\/[^\s<>]{1,1000}>?/g;
const ANCHOR = /<a\s(?:[^<>]{0,300}\s)?href\b[^<>]{0,2000}>[^<]{0,300}<\/a>/gi;
/** The beginning of a picture, of a link, or of the target of a link. */
const LINKED = /<(?:a\s(?:[^<>]{0,300}\s)?(?:href|name|id)\b|img\b|picture\b)/i;
/** Tags within an anchor, such as those of the picture and the name of a contributor. */
const INNER_TAG = /<(?!\/?a[\s>])[^<>]{1,2000}>/gi;
const TAG = /<[^<>]{1,2000}>/g;
const WORD = /[\p{L}\p{N}]{2,}/gu;
/** Most words outside the links of a block of HTML: `Gold sponsors`. A block with more words is a text. */
const MOST_WORDS = 8;

/**
 * Returns whether a text has no word outside its links and pictures. Around a picture or link of HTML, a few words are
 * allowed.
 */
export function isLinks(text: string): boolean {
  // Few sentences contain one of these strings.
  if (!text.includes('](') && !text.includes('<') && !text.includes('://') && !text.includes(']['))
    return false;
  const isLinked = LINKED.test(text);
  if (!isLinked && !/\]\(|\]\[|\]:|:\/\//.test(text)) return false;
  // An address within a fence is an example.
  if (/^\s*(?:```|~~~)/.test(text)) return false;
  const isHtml = text.trimStart().startsWith('<') && isLinked;
  // A picture can be the text of a link.
  const left = text
    .replace(PICTURE, '')
    .replace(INNER_TAG, ' ')
    .replace(ANCHOR, ' ')
    .replace(LINK, '')
    .replace(TAG, ' ');
  return left === text ? false : (left.match(WORD)?.length ?? 0) <= (isHtml ? MOST_WORDS : 0);
}
