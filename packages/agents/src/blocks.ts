/**
 * Blocks of contents, as hosts, providers and servers of MCP write them: the texts in them that can shrink, and what else
 * a model reads. All adapters read blocks here, so that each block counts, and counts the same in all hosts.
 */
import { isObject, type JsonObject } from 'context-shaping/kit';
import type { Content, OtherPart, TextPart } from './conversation/messages.js';
import { contentText } from './conversation/tokens.js';

type Path = readonly (string | number)[];

/** A block as a model reads it. */
export interface BlockTexts {
  /** `text`, `image`, `audio`, `video`, `file` or `reasoning`; else the type of the block. */
  kind: string;
  /** The texts that can shrink, at their places. Empty: the block never changes. */
  texts: readonly { path: Path; text: string }[];
  /** All other texts as JSON, such as a title, an address or arguments. Empty: there are none. */
  beside: string;
  /** The kind of each piece of data that is no text. */
  media: readonly string[];
}

const KINDS: readonly (readonly [kind: string, types: RegExp])[] = [
  ['text', /^(?:(?:input_|output_)?text|refusal)$/],
  ['reasoning', /reasoning|thinking/],
  ['image', /^(?:input_|computer_)?(?:image|screenshot)/],
  ['audio', /^(?:input_)?audio/],
  ['video', /^(?:input_)?video/],
  ['file', /^(?:(?:input_)?file|document$|media$|text-plain$|container_upload$)/],
];
const MEDIA = new Set(['image', 'audio', 'video', 'file']);
/** The types of blocks that may be sent with shorter texts. */
const CAN_SHRINK =
  /^(?:(?:input_|output_)?text|refusal|text-plain|resource|search_result|document|(?:input_)?file|tool_result)$/;
/** The types of MCP, which no other list of records has. */
const OF_MCP = /^(?:text|image|audio|resource|resource_link)$/;

/** Fields for hosts and providers, which models do not read. */
const UNREAD =
  /^(?:type|id|index|signature|thoughtSignature|annotations|citations|cache_?control|provider(?:Options|Metadata)|_meta|(?:mime|media)_?type|source_type|extras|fingerprint|promptCacheBreakpoint|status|detail|(?:tool_?)?(?:call|use)_?id)$/i;
/** In an image or a file, the places of its data. */
const ADDRESS = /(?:url|uri|id|data|image|file|audio|video|bytes|reference)$/i;
const looksLikeData = (key: string, text: string): boolean =>
  key === 'blob' || /^data:[^,\s]{0,200},/.test(text) || (text.length >= 256 && /^[\w+/=-]+$/.test(text));

/** Reads a block of any host: a text, or an object with a type. Unknown types have a text `beside` and never change. */
export function textsOf(block: unknown): BlockTexts {
  const type = isObject(block) ? (block.type ?? (typeof block.text === 'string' ? 'text' : '')) : 'text';
  const shrinking = CAN_SHRINK.test(String(type)) ? reading(block, true) : undefined;
  return shrinking?.media.length === 0 ? shrinking : reading(block, false);
}

function reading(block: unknown, canShrink: boolean): BlockTexts {
  const texts: { path: Path; text: string }[] = [];
  const media: string[] = [];
  let bodies = 0;
  /** The rest of a value, without the texts that can shrink and without data; undefined if it is empty. */
  const restOf = (value: unknown, path: Path, owner: JsonObject, kind: string): unknown => {
    const key = String(path.findLast((each) => typeof each === 'string') ?? 'text');
    if (typeof value === 'string') {
      const isText = isBody(key, owner);
      if (isText) bodies++;
      if (canShrink && isText) texts.push({ path, text: value });
      else if (isText) return value === '' ? undefined : value;
      else if (looksLikeData(key, value) || (MEDIA.has(kind) && ADDRESS.test(key))) media.push(kind);
      else return value === '' ? undefined : value;
      return undefined;
    }
    if (isBinary(value)) return void media.push(kind);
    if (Array.isArray(value)) {
      const left = value.flatMap((each, at) => restOf(each, [...path, at], owner, kind) ?? []);
      return left.length === 0 ? undefined : left;
    }
    if (!isObject(value)) return typeof value === 'bigint' ? String(value) : (value ?? undefined);
    const own = kindOf(value);
    const [bodiesBefore, mediaBefore] = [bodies, media.length];
    const left = Object.entries(value).flatMap(([name, each]) => {
      const isUnread =
        ((path.length === 0 || own !== undefined) && UNREAD.test(name)) ||
        (name === 'providerData' && (own === 'text' || MEDIA.has(own ?? '')));
      const rest = isUnread ? undefined : restOf(each, [...path, name], value, own ?? kind);
      return rest === undefined ? [] : [[name, rest]];
    });
    // One block is one piece, also with an address beside its data.
    const inside = media.splice(mediaBefore);
    const others = inside.filter((each) => each !== own);
    const isData = MEDIA.has(own ?? '') || (own === 'reasoning' && left.length === 0);
    const isPiece = isData && others.length === 0 && bodies === bodiesBefore;
    media.push(...others, ...(own !== undefined && (isPiece || inside.includes(own)) ? [own] : []));
    return left.length === 0 ? undefined : Object.fromEntries(left);
  };
  const kind = isObject(block) ? (kindOf(block) ?? String(block.type ?? 'unknown')) : 'text';
  const rest = restOf(block, [], {}, kind);
  // Only the host knows the text of such a block.
  if (rest === undefined && texts.length + media.length === 0) media.push(kind);
  return { kind, texts, beside: rest === undefined ? '' : JSON.stringify(rest), media };
}

const isBody = (key: string, { type }: JsonObject): boolean =>
  /^(?:text|refusal|content)$/.test(key) || (key === 'data' && type === 'text');

const isBinary = (value: unknown) =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof URL;

function kindOf({ type, mediaType, mimeType, mime_type, media_type, text }: JsonObject): string | undefined {
  const media = [mediaType, mimeType, mime_type, media_type].find((each) => typeof each === 'string');
  const [of = ''] = String(media).split('/', 1);
  if (/^(?:image|audio|video)$/.test(of)) return of;
  if (type === undefined && typeof text === 'string') return 'text';
  return KINDS.find(([, types]) => types.test(String(type)))?.[0];
}

/** Whether a value is a list of blocks, and no list of records with a field `type`. */
export const areBlocks = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) &&
  value.every((block) => isObject(block) && typeof block.type === 'string') &&
  value.some((block: JsonObject) => OF_MCP.test(String(block.type)) || textsOf(block).texts.length > 0);

/** Blocks as content of the engine. Empty texts are left out. */
export const contentOf = (blocks: readonly unknown[]): Content[] =>
  piecesOf(blocks).flatMap(({ piece }) => (piece.type === 'text' && piece.text === '' ? [] : [piece]));

interface BlockPiece {
  piece: TextPart | OtherPart;
  /** Index of its block. */
  at: number;
  path: Path;
}

/** The pieces of blocks. `slot` is the place among them. */
function piecesOf(blocks: readonly unknown[]): BlockPiece[] {
  const pieces = blocks.flatMap((block, at): BlockPiece[] => {
    const { kind, texts, beside, media } = textsOf(block);
    const whole = (piece: Omit<OtherPart, 'type'>) => ({
      piece: { type: 'other', ...piece } as const,
      at,
      path: [],
    });
    const own = texts.map(({ path, text }) => ({ piece: { type: 'text', text } as const, at, path }));
    const others = media.map((each) => whole({ kind: each }));
    const all: BlockPiece[] = [
      ...own,
      ...others,
      ...(own.length + others.length === 0 ? [whole({ kind, tokens: 0 })] : []),
    ];
    return all.map((each, nth) =>
      nth > 0 || beside === '' ? each : { ...each, piece: { ...each.piece, beside } },
    );
  });
  return pieces.map((each, slot) => ({ ...each, piece: { ...each.piece, slot } }));
}

/**
 * The blocks after shaping. A block of which nothing changed is the same object; one without its texts is gone.
 *
 * @param asBlock makes a block of a text that is of no given block, such as a note.
 */
export function blocksOf<Block>(
  given: readonly Block[],
  content: readonly Content[],
  asBlock: (text: string) => Block,
): Block[] {
  const pieces = piecesOf(given);
  const ofBlock = given.map((): BlockPiece[] => []);
  for (const each of pieces) ofBlock[each.at]?.unshift(each);
  const now = new Map(content.map((each) => [each.slot, each]));
  const written = new Set<number>();
  return content.flatMap((each) => {
    const at = each.slot === undefined ? undefined : pieces[each.slot]?.at;
    if (at === undefined) return [asBlock(contentText([each]))];
    if (written.has(at)) return [];
    written.add(at);
    let block: unknown = given[at];
    // From the last one, because a text that goes changes the places behind it.
    for (const { piece, path } of ofBlock[at] ?? []) {
      const after = now.get(piece.slot);
      const text = after && contentText([after]);
      if (piece.type === 'text' && piece.text !== (text ?? '')) block = withText(block, path, text);
    }
    return [block as Block];
  });
}

/**
 * A shaped content in the form that the given one had: a text, or a list of blocks.
 *
 * @param type of the blocks that are made for texts of no given block.
 */
export function contentLike(given: unknown, content: readonly Content[], type = 'text'): unknown {
  if (!Array.isArray(given)) return contentText(content);
  return blocksOf<unknown>(given, content, (text) => ({ type, text }));
}

/** A copy with another text at a place; undefined: without the element of a list that has it. */
function withText(value: unknown, [key, ...path]: Path, text: string | undefined): unknown {
  if (key === undefined) return text ?? '';
  const inside = (value as JsonObject)[key];
  if (!Array.isArray(value)) return { ...(value as JsonObject), [key]: withText(inside, path, text) };
  const isLast = !path.some((each) => typeof each === 'number');
  return text === undefined && isLast
    ? value.toSpliced(key as number, 1)
    : value.with(key as number, withText(inside, path, text));
}
