/** Counts messages in the same way for all hosts. */
import type { ResolvedOptions } from 'context-shaping';
import { loadTokenCounter } from 'context-shaping/kit';
import { Bounded } from './bounded.js';
import type { Content, Message, OtherPart, Part, ToolSchema } from './messages.js';

/** Rough number of tokens that providers add to each part of a message. */
export const TOKENS_PER_PART = 4;

/** Bytes of the texts whose tokens are remembered. */
const REMEMBERED = 2 ** 24;

/** Counts the tokens of each text. */
export type CountTokens = (texts: readonly string[]) => Promise<number[]>;

/** A counter that counts as a shaper with this `tokenizer` does. Messages are counted at every request, so it remembers. */
export function tokenCounter(tokenizer: ResolvedOptions['tokenizer']): CountTokens {
  const known = new Bounded<number>(REMEMBERED, (text) => 2 * text.length);
  return async (texts) => {
    const countTokens = await loadTokenCounter(tokenizer);
    return texts.map((text) => {
      const before = known.get(text);
      if (before !== undefined) return before;
      const tokens = countTokens(text);
      known.set(text, tokens);
      return tokens;
    });
  };
}

/** Between texts that are counted together. */
export const SEPARATOR = '\n\n';

/** The text of a result that counts: its texts, and its JSON. It does not depend on how a host divides it. */
export const contentText = (content: readonly Content[]): string =>
  content
    .flatMap((each) =>
      each.type === 'text' ? [each.text] : each.type === 'json' ? [JSON.stringify(each.value) ?? ''] : [],
    )
    .join(SEPARATOR);

/** The texts beside the content, which are counted and never changed. */
const besideText = (content: readonly (Content | Part)[]): string =>
  content.flatMap((each) => ('beside' in each && each.beside ? [each.beside] : [])).join(SEPARATOR);

/** Tokens of each content, without images and other data. */
export async function contentTokens(
  contents: readonly (readonly Content[])[],
  count: CountTokens,
): Promise<number[]> {
  const tokens = await count([...contents.map(contentText), ...contents.map(besideText)]);
  return contents.map((_, at) => (tokens[at] as number) + (tokens[contents.length + at] as number));
}

/** Tokens of other content; undefined if they are unknown. */
const otherTokens = ({ kind, tokens }: OtherPart, ofImage: number | undefined): number | undefined =>
  tokens ?? (kind === 'image' ? ofImage : undefined);

export const piecesIn = (messages: readonly Message[]): (Content | Part)[] =>
  messages.flatMap(({ parts }) => parts.flatMap(piecesOf));

function countedText(part: Part): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'call') return JSON.stringify({ id: part.id, tool: part.tool, input: part.input });
  return part.type === 'result' ? contentText(part.content) : '';
}

const piecesOf = (part: Part): readonly (Content | Part)[] =>
  part.type === 'result' ? part.content : [part];

const dataTokens = (part: Part, ofImage: number): number => {
  if (part.type === 'text' && part.text === '') return 0;
  return (
    TOKENS_PER_PART +
    sum(piecesOf(part).map((each) => (each.type === 'other' ? (otherTokens(each, ofImage) ?? 0) : 0)))
  );
};

/** Tokens of each part of each message: {@link TOKENS_PER_PART}, its text, and other content of known size. */
export async function partSizes(
  messages: readonly Message[],
  count: CountTokens,
  ofImage: number,
): Promise<number[][]> {
  const parts = messages.flatMap((message) => message.parts);
  const [texts, besides] = [parts.map(countedText), parts.map((part) => besideText(piecesOf(part)))];
  const tokens = await count([...texts, ...besides]);
  let next = 0;
  return messages.map((message) =>
    message.parts.map((part) => {
      const at = next++;
      return dataTokens(part, ofImage) + (tokens[at] as number) + (tokens[parts.length + at] as number);
    }),
  );
}

/** Tokens of the schemas of tools, as JSON. */
export async function toolTokens(tools: readonly ToolSchema[], count: CountTokens): Promise<number> {
  return sum(
    await count(
      tools.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters })),
    ),
  );
}

/** Content of unknown size, by kind, in alphabetical order. Images are among it without `ofImage`. */
export function unknownIn(
  pieces: readonly (Content | Part)[],
  ofImage?: number,
): { kind: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const each of pieces)
    if (each.type === 'other' && otherTokens(each, ofImage) === undefined)
      counts.set(each.kind, (counts.get(each.kind) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => ({ kind, count }));
}

/** Images that count as `ofImage`; undefined if there are none. */
export function imagesIn(
  pieces: readonly (Content | Part)[],
  ofImage: number,
): { count: number; tokens: number } | undefined {
  const isImage = (each: Content | Part) =>
    each.type === 'other' && each.kind === 'image' && each.tokens === undefined;
  const count = pieces.filter(isImage).length;
  return count === 0 ? undefined : { count, tokens: count * ofImage };
}

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0);
