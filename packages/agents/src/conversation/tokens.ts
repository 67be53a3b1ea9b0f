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

/** Tokens of other content; undefined if they are unknown. */
const otherTokens = ({ kind, tokens }: OtherPart, ofImage: number): number | undefined =>
  tokens ?? (kind === 'image' ? ofImage : undefined);

const othersIn = (messages: readonly Message[]): OtherPart[] =>
  messages
    .flatMap(({ parts }) =>
      parts.flatMap((part): readonly (Content | Part)[] => (part.type === 'result' ? part.content : [part])),
    )
    .filter((each) => each.type === 'other');

function countedText(part: Part): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'call') return JSON.stringify({ id: part.id, tool: part.tool, input: part.input });
  return part.type === 'result' ? contentText(part.content) : '';
}

const tokensBeside = (part: Part, ofImage: number): number => {
  if (part.type === 'text' && part.text === '') return 0;
  const content: readonly (Content | Part)[] = part.type === 'result' ? part.content : [part];
  return (
    TOKENS_PER_PART +
    sum(content.map((each) => (each.type === 'other' ? (otherTokens(each, ofImage) ?? 0) : 0)))
  );
};

/** Tokens of each part of each message: {@link TOKENS_PER_PART}, its text, and other content of known size. */
export async function partSizes(
  messages: readonly Message[],
  count: CountTokens,
  ofImage: number,
): Promise<number[][]> {
  const parts = messages.flatMap((message) => message.parts);
  const tokens = await count(parts.map(countedText));
  let next = 0;
  return messages.map((message) =>
    message.parts.map((part) => tokensBeside(part, ofImage) + (tokens[next++] as number)),
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

/** Content of unknown size, by kind, in alphabetical order. */
export function unknownIn(messages: readonly Message[]): { kind: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const each of othersIn(messages))
    if (otherTokens(each, 0) === undefined) counts.set(each.kind, (counts.get(each.kind) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => ({ kind, count }));
}

/** Images that count as `ofImage`; undefined if there are none. */
export function imagesIn(
  messages: readonly Message[],
  ofImage: number,
): { count: number; tokens: number } | undefined {
  const images = othersIn(messages).filter(({ kind, tokens }) => kind === 'image' && tokens === undefined);
  return images.length === 0 ? undefined : { count: images.length, tokens: images.length * ofImage };
}

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0);
