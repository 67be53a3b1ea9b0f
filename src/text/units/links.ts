/** Recognises links without content of their own: badges, sponsors, tables of contents. */

const PICTURE = /!\[[^\]]{0,300}\](?:\([^()]{0,1000}\)|\[[^\]]{0,300}\])/g;
const LINK =
  /\[[^[\]]{0,300}\](?:\([^()]{0,1000}\)|\[[^\]]{0,300}\]|: ?\S{1,1000})|<?https?:\/\/[^\s<>]{1,1000}>?/g;
const ANCHOR = /<a href\b[^<>]{0,2000}>[^<]{0,300}<\/a>/gi;
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
  if (!/\]\(|\]\[|\]:|:\/\/|<(?:a href|img|picture)\b/i.test(text)) return false;
  const isHtml = text.trimStart().startsWith('<') && /<(?:a href|img|picture)\b/i.test(text);
  // A picture can be the text of a link.
  const left = text.replace(PICTURE, '').replace(ANCHOR, ' ').replace(LINK, '').replace(TAG, ' ');
  return left === text ? false : (left.match(WORD)?.length ?? 0) <= (isHtml ? MOST_WORDS : 0);
}
