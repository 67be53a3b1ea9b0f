/** SlimContext's shortening of texts. It may remove the answer; `compress: false` switches it off. */

const FILLER =
  /(?<![\p{L}\p{N}_])(?:please note that|it is important to note that|in order to|as a reminder)(?![\p{L}\p{N}_])/giu;
/** White space of Python. */
const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const SPACES = new RegExp(`${SPACE}+`, 'g');
const IS_SPACE = new RegExp(SPACE);

const STRUCTURED = { whole: 400, head: 220, tail: 120, mark: ' ... [structured content truncated] ... ' };

export function compress(text: string): string {
  const stripped = strip(text);
  if (!isStructured(stripped)) return strip(text.replace(FILLER, '').replace(SPACES, ' '));
  if (stripped.length <= STRUCTURED.whole) return stripped;
  const characters = Array.from(stripped);
  if (characters.length <= STRUCTURED.whole) return stripped;
  const head = characters.slice(0, STRUCTURED.head).join('');
  return `${head}${STRUCTURED.mark}${characters.slice(-STRUCTURED.tail).join('')}`;
}

/** Uses no regular expression, which would take quadratic time for a long run of spaces inside the text. */
function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && IS_SPACE.test(text.charAt(start))) start++;
  while (end > start && IS_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Whether a text looks structured. Prose with more than six commas does as well. */
function isStructured(text: string): boolean {
  const has = (character: string, times: number) => text.split(character, times + 1).length > times;
  return text.startsWith('<') || has('|', 1) || has('\t', 2) || has(',', 6) || isJson(text);
}

function isJson(text: string): boolean {
  if (!/^[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
