/**
 * Forged marks of who speaks: the tokens by which chat templates set turns apart, and tags that look like them. In a
 * passage they are an attempt to speak as the system, the user, the assistant or a tool, or a text about such attempts.
 */
import { lazyRegExp } from './lazily.js';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Written as tags, in lower case. What XML and HTML have too (`user`, `tool`, `instructions`) is not among them. */
const TAGS = [
  'system',
  'system[-_](?:prompt|message|reminder|instructions?)',
  'assistant',
  'human',
  'think',
  'tool_(?:calls?|use|response|results?|outputs?)',
  'function_(?:calls?|results?|response)',
  'antml:\\w{1,30}',
  'im_(?:start|end|sep)',
  '(?:start|end)_of_(?:turn|image)',
  'sys',
].join('|');
const BRACKETS =
  '(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_(?:CALLS|RESULTS|CONTENT|ARGS)|CALL_ID|MODEL_SETTINGS|gMASK)';

/**
 * Literals come first, so that an engine passes over what begins with none of them. A strike-through of HTML is taken
 * as a whole (`html`), for its tags are the same as the tokens of Llama and Mistral.
 */
const ROLE_TAGS = lazyRegExp(
  [
    String.raw`(?<html><s>[^<>\n[\]]{1,300}<\/s>)`,
    String.raw`<(?:\|[^\s|<>]{1,40}\|>|｜[^\s｜<>]{1,60}｜>|<\/?SYS>>|\/?(?:s|bos|eos|${TAGS})\s?>)`,
    String.raw`\[\/?${BRACKETS}\]`,
    // A blank line, or the beginning of the text, which may come to stand after one.
    String.raw`(?:Human|Assistant):(?<=(?:^|\n\r?\n)[^\S\n]{0,4}(?:Human|Assistant):)`,
    String.raw`###[^\S\n]?(?:System|Instructions?|Response|Human|Assistant|User):(?<=(?:^|\n)[^\S\n]{0,4}###[^\S\n]?\w+:)`,
  ].join('|'),
  'g',
);

/** Ascending, not overlapping. Strike-through of HTML, `<s>` and `</s>` around words of one line, is none. */
export function roleTagsIn(text: string): readonly Span[] {
  return spansOf(text, false);
}

/** The same, and the tags of strike-through, too: to a tokenizer they are tokens wherever they stand. */
export function controlTokensIn(text: string): readonly Span[] {
  return spansOf(text, true);
}

function spansOf(text: string, withHtml: boolean): Span[] {
  return Array.from(text.matchAll(ROLE_TAGS())).flatMap(({ 0: tag, index, groups }) => {
    const end = index + tag.length;
    if (groups?.html === undefined) return [{ start: index, end }];
    return withHtml
      ? [
          { start: index, end: index + '<s>'.length },
          { start: end - '</s>'.length, end },
        ]
      : [];
  });
}
