/**
 * Finds forged marks of a speaker: the tokens with which chat templates separate turns, and tags that look like them.
 * In a passage they are an attempt to speak as the system, the user, the assistant or a tool, or a text about such
 * attempts.
 */
import { lazyRegExp } from '../runtime/lazily.js';

/** Offsets in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Names of tags, in lower case. Names that XML and HTML use too (`user`, `tool`, `instructions`) are excluded. */
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
 * Literals come first, so that an engine skips text that begins with none of them. A strike-through of HTML is matched
 * as a whole (`html`), because its tags equal the tokens of Llama and Mistral. A role within a line is a `turn` or a
 * `heading`.
 */
const ROLE_TAGS = lazyRegExp(
  [
    String.raw`(?<html><s>[^<>\n[\]]{1,300}<\/s>)`,
    String.raw`<(?:\|[^\s|<>]{1,40}\|>|｜[^\s｜<>]{1,60}｜>|<\/?SYS>>|\/?(?:s|bos|eos|${TAGS})\s?>)`,
    String.raw`\[\/?${BRACKETS}\]`,
    // A blank line must come before it, or the start of the text, because the passage may come to stand after a blank
    // line.
    String.raw`(?:Human|Assistant):(?<!\w(?:Human|Assistant):)(?:(?<=(?:^|\n\r?\n)[^\S\n]{0,4}\w+:)|(?<turn>))`,
    String.raw`###[^\S\n]?(?:System|Instructions?|Response|Human|Assistant|User):(?<!####[^\S\n]?\w+:)(?:(?<=(?:^|\n)[^\S\n]{0,4}###[^\S\n]?\w+:)|(?<heading>))`,
  ].join('|'),
  'g',
);

/**
 * Returns the tags that are forged rather than there by chance, ascending, not overlapping. So a role within a line
 * is not one of them. A strike-through of HTML, `<s>` and `</s>` around words of one line, is not one either.
 */
export function roleTagsIn(text: string): readonly Span[] {
  return matches(text)
    .filter(({ groups }) => !Object.values(groups ?? {}).some((each) => each !== undefined))
    .map(spanOf);
}

/**
 * Returns the tags of {@link roleTagsIn}, and also text that a tokenizer takes for a control token anywhere, and a role
 * that would be one at the beginning of a paragraph: the text before it may be cut off.
 */
export function controlTokensIn(text: string): readonly Span[] {
  return matches(text).flatMap((match) => {
    const { start, end } = spanOf(match);
    if (match.groups?.html === undefined) return [{ start, end }];
    return [
      { start, end: start + '<s>'.length },
      { start: end - '</s>'.length, end },
    ];
  });
}

const matches = (text: string): RegExpExecArray[] =>
  mayHaveTags(text) ? Array.from(text.matchAll(ROLE_TAGS())) : [];

/** Every tag has one of these. */
const mayHaveTags = (text: string): boolean => /[<[]|Human:|Assistant:|###/.test(text);

const spanOf = ({ 0: tag, index }: RegExpExecArray): Span => ({ start: index, end: index + tag.length });
