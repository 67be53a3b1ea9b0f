import type { ShapingReport } from 'context-shaping';
import { defined, digestOf } from 'context-shaping/kit';
import { cleaned, cleaningOf } from '../sanitising.js';
import {
  type Asked,
  ask,
  type Dropped,
  droppedOf,
  joined,
  type KeptBlock,
  type Packed,
  type Packing,
  pack,
  phrasesOf,
  priorityOf,
  type Rebuilt,
  type Structure,
} from '../structures/index.js';
import { type ReadContent, readContent } from './content.js';
import { pinnedBlocks } from './keep.js';
import type { KindName } from './kinds/index.js';
import { resolveOptions, type Settings, type ToolResultOptions } from './options.js';

export interface ShapedToolResult<Content = unknown> {
  /** In the form of the given content; the same content if it fits. */
  content: Content;
  /** One line for the model about the left-out blocks. Empty if the content shows everything. */
  note: string;
  report: ToolResultReport;
}

export interface Pinned {
  found: number;
  shown: number;
}

/** The ledger of one result. Its only texts are labels. */
export interface ToolResultReport {
  /** The kind of its longest text. */
  kind: KindName;
  /** False: the content cannot shrink to the budget and stay valid. It is then as small as it can be. */
  fits: boolean;
  tokens: { given: number; sent: number };
  /**
   * Number of lines, or of texts of a value, that were sanitised: hidden characters were removed or escaped, control tokens and
   * role tags broken. Absent if there were none.
   */
  sanitised?: number | undefined;
  /** Lines of its texts. */
  lines: { given: number; sent: number };
  /** Elements, rows, paragraphs or lines that can go one by one, and those that are shown in full. */
  blocks: { given: number; sent: number };
  /** Blocks with something of the option `keep`, and those of them that are shown. Absent if everything fits. */
  pinned?: Pinned | undefined;
  /** The blocks that are not shown, by label, the label with the most lines first. */
  dropped: readonly Dropped[];
  /** SHA-256 of this report without its digest and the report of the shaper. */
  digest: string;
  /** The report of the shaper that read the blocks for the query. Absent without a query, or if everything fits. */
  shaping?: ShapingReport | undefined;
}

/** A shaped result that uses a smaller share of its tokens is shaped in smaller pieces. */
const LEAST_USED = 0.8;
/** The same for data, which are no data then. */
const LEAST_DATA = 0.4;
/** Share of the tokens for the note, at most. */
const NOTE_SHARE = 1 / 24;
/** Tokens of a note that may have a larger share, up to a third. */
const LEAST_NOTE = 48;

/**
 * Shapes one result of a tool into a number of tokens. Blocks stay by the priorities of its kind, and by the query if
 * there is one. The given content is not changed.
 *
 * @throws ContextShapingError `invalid-options`; what the shaper throws, such as the reason of `signal`.
 */
export async function shapeToolResult<Content>(
  options: ToolResultOptions<Content>,
): Promise<ShapedToolResult<Content>> {
  const settings = await resolveOptions(options);
  const { maxTokens, countTokens, signal, tool, query } = settings;
  signal?.throwIfAborted();
  const context = { tool, arguments: settings.arguments, maxTokens };
  let sanitised = 0;
  const cleaning = cleaningOf(settings.sanitise, (cleaned) => {
    sanitised += cleaned.sanitised;
  });
  const read = readContent(options.content, context, { ...settings, ...cleaning });
  const texts = read.pieces.map(({ text }) => text);
  const [given = 0, now = 0] = await countTokens([
    joined(read.pieces.map((piece) => piece.given)),
    joined(texts),
  ]);
  if (now <= maxTokens) {
    const isSame = read.pieces.every((piece) => piece.given === piece.text);
    const whole = { texts, tokens: now, dropped: [], left: 0, fits: true, sanitised };
    const content = isSame ? options.content : (read.write(texts.map((text) => ({ text }))) as Content);
    return { content, note: '', report: reportOf(read, given, whole) };
  }
  const shape = async (read: ReadContent) => {
    const structures = read.pieces.map(({ structure }) => structure);
    const asked = query === undefined ? undefined : await ask(structures, { ...settings, query });
    return { read, structures, asked, ...(await fitted(structures, asked, sanitised, settings)) };
  };
  let best = await shape(read);
  // A frame or a block may leave no room: then nothing large stays whole, and at last, everything is lines.
  for (const attempt of [{}, { kind: 'log' }] as const) {
    const isData = best.structures.every(({ kind }) => kind !== 'text');
    const least = maxTokens * (attempt.kind !== undefined && isData ? LEAST_DATA : LEAST_USED);
    if (best.tokens <= maxTokens && (best.tokens >= least || now < 2 * maxTokens)) break;
    const cleaning = cleaningOf(settings.sanitise, () => {});
    const tight = { ...context, isTight: true };
    const next = await shape(readContent(options.content, tight, { ...settings, ...cleaning, ...attempt }));
    const isBetter = best.tokens > maxTokens ? next.tokens < best.tokens : next.tokens > best.tokens;
    if (isBetter && (next.tokens <= maxTokens || best.tokens > maxTokens)) best = next;
  }
  const { structures, asked, rebuilt, note, tokens, pinned } = best;
  const dropped = structures.flatMap((structure, at) => droppedOf(structure, rebuilt[at] as Rebuilt));
  const left = rebuilt.reduce((sum, { missing }) => sum + missing.leftOut.length + missing.cut.length, 0);
  const sent = {
    texts: rebuilt.map(({ text }) => text),
    tokens,
    dropped,
    left,
    pinned,
    fits: tokens <= maxTokens,
    sanitised,
  };
  return {
    content: read.write(rebuilt) as Content,
    note,
    report: { ...reportOf(best.read, given, sent), ...defined({ shaping: asked?.report }) },
  };
}

/** The structures in the room that their note leaves. If the block that answers best does not fit, the note gives way. */
async function fitted(
  structures: readonly Structure[],
  asked: Asked | undefined,
  sanitised: number,
  settings: Settings,
): Promise<Fitted & { pinned: Pinned }> {
  const scoreOf = asked?.scoreOf ?? ((block: number, at: number) => priorityOf(structures, block, at));
  const pinned = pinnedBlocks(structures, settings.keep, scoreOf);
  const first = pinned.map((blocks, at) => [...blocks, ...(asked?.first[at] ?? [])]);
  const choice = { scoreOf, first, ...defined({ mayStay: asked?.mayStay }) };
  const isEnough = ({ kept }: Fitted) => asked === undefined || showsBest(structures, asked, kept);
  const withPhrases = (most: number) => besideNote(structures, choice, most, sanitised, settings);
  const full = await withPhrases(Number.POSITIVE_INFINITY);
  const short = isEnough(full) ? full : await withPhrases(1);
  const chosen = isEnough(short) ? short : full;
  return { ...chosen, pinned: countPinned(pinned, chosen.rebuilt) };
}

/** Whether the block that answers best is shown whole; of equals the first. */
function showsBest(
  structures: readonly Structure[],
  { scoreOf, mayStay }: Asked,
  kept: Packed['kept'],
): boolean {
  let best = { score: Number.NEGATIVE_INFINITY, index: -1, at: -1 };
  for (const [at, { blocks }] of structures.entries())
    for (const index of blocks.keys()) {
      const score = scoreOf(index, at);
      if (score > best.score && mayStay(index, at)) best = { score, index, at };
    }
  const shown = kept[best.at]?.find(({ index }) => index === best.index);
  return best.at < 0 || (shown !== undefined && shown.text === undefined && !shown.isFolded);
}

interface Fitted extends Pick<Packed, 'kept' | 'rebuilt' | 'tokens'> {
  note: string;
}

/** @param mostPhrases about left-out blocks. */
async function besideNote(
  structures: readonly Structure[],
  choice: Pick<Packing, 'scoreOf' | 'first' | 'mayStay'>,
  mostPhrases: number,
  sanitised: number,
  settings: Settings,
): Promise<Fitted> {
  const { maxTokens, countTokens } = settings;
  let reserve = 0;
  for (;;) {
    const most = Math.max(1, maxTokens - reserve);
    const packed = await pack(structures, { ...choice, maxTokens: most, countTokens });
    // A part can need less than the whole: a control of direction in it may end in a part that is left out.
    const rebuilt = packed.rebuilt.map((each, at) =>
      structures[at]?.kind === 'text' ? { ...each, text: cleaned(each.text, settings.sanitise).text } : each,
    );
    const phrases = phrasesOf(structures, packed).slice(0, mostPhrases);
    const changes = sanitised === 0 ? [] : [`${sanitised.toLocaleString('en')} lines sanitised`];
    // They come behind the first count, so that a long note has them too.
    const note = await noteOf(phrases.toSpliced(1, 0, ...changes), settings);
    const [tokens = 0] = await countTokens([joined([...rebuilt.map(({ text }) => text), note])]);
    if (tokens <= maxTokens || reserve >= maxTokens || !packed.fits)
      return { kept: packed.kept, rebuilt, note, tokens };
    reserve += tokens - maxTokens;
  }
}

/** As many of the phrases as their share of the tokens allows, the first in any case. */
async function noteOf(phrases: readonly string[], { maxTokens, countTokens }: Settings): Promise<string> {
  if (phrases.length === 0) return '';
  const allowed = Math.max(Math.min(LEAST_NOTE, maxTokens / 3), maxTokens * NOTE_SHARE);
  const noteWith = (count: number) => `[${phrases.slice(0, count).join('; ')}]`;
  let [least, most] = [1, phrases.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    const [tokens = 0] = await countTokens([noteWith(middle)]);
    if (tokens <= allowed) least = middle;
    else most = middle - 1;
  }
  return noteWith(least);
}

interface Sent {
  texts: readonly string[];
  tokens: number;
  dropped: readonly Dropped[];
  /** Number of blocks that are not shown in full. */
  left: number;
  pinned?: Pinned;
  fits: boolean;
  sanitised: number;
}

function countPinned(pinned: readonly (readonly KeptBlock[])[], rebuilt: readonly Rebuilt[]): Pinned {
  const found = pinned.flat().length;
  const gone = rebuilt.map(({ missing }) => new Set(missing.leftOut));
  const left = pinned.flatMap((blocks, at) => blocks.filter(({ index }) => gone[at]?.has(index)));
  return { found, shown: found - left.length };
}

function reportOf({ pieces }: ReadContent, given: number, sent: Sent): ToolResultReport {
  const longest = pieces.reduce(
    (best, each) => (each.text.length > best.text.length ? each : best),
    pieces[0] ?? NO_TEXT,
  );
  const blocks = pieces.reduce((sum, { structure }) => sum + structure.blocks.length, 0);
  const report = {
    kind: longest.kind,
    fits: sent.fits,
    tokens: { given, sent: sent.tokens },
    ...(sent.sanitised > 0 ? { sanitised: sent.sanitised } : {}),
    lines: { given: linesIn(pieces.map(({ text }) => text)), sent: linesIn(sent.texts) },
    blocks: { given: blocks, sent: blocks - sent.left },
    ...defined({ pinned: sent.pinned }),
    dropped: sent.dropped,
  };
  return { ...report, digest: digestOf(JSON.stringify(report)) };
}

const NO_TEXT = { kind: 'prose', text: '' } as const;

/** Lines, but for those that only mark a gap. */
const linesIn = (texts: readonly string[]): number =>
  texts.reduce(
    (sum, text) => (text === '' ? sum : sum + text.split(/\n(?![^\S\n]*…[^\S\n]*(?:\n|$))/).length),
    0,
  );
