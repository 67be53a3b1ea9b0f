import type { ShapingReport } from 'context-shaping';
import { defined, digestOf } from 'context-shaping/kit';
import { cleaned, cleaningOf } from '../sanitising.js';
import {
  type Asked,
  ask,
  type Dropped,
  droppedOf,
  joined,
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
  /** Elements, rows, paragraphs or lines that can go one by one, and those that are shown in full. */
  blocks: { given: number; sent: number };
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
/** So many phrases of a note are tried. */
const MOST_PHRASES = 100;

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
  const { pieces } = read;
  const texts = [joined(pieces.map(({ given }) => given)), joined(pieces.map(({ text }) => text))];
  const [given = 0, now = 0] = await countTokens(texts);
  const counts = { given, sanitised, maxTokens };
  if (now <= maxTokens) {
    const rebuilt = pieces.map(({ text }) => ({ text, missing: { leftOut: [], cut: [] } }));
    const isSame = pieces.every((piece) => piece.given === piece.text);
    const content = isSame ? options.content : (read.write(rebuilt) as Content);
    return { content, note: '', report: reportOf({ read, rebuilt, tokens: now }, counts) };
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
    const cleaning = cleaningOf(settings.sanitise);
    const tight = { ...context, isTight: true };
    const next = await shape(readContent(options.content, tight, { ...settings, ...cleaning, ...attempt }));
    const isBetter = best.tokens > maxTokens ? next.tokens < best.tokens : next.tokens > best.tokens;
    if (isBetter && (next.tokens <= maxTokens || best.tokens > maxTokens)) best = next;
  }
  const { asked, rebuilt, note } = best;
  return {
    content: read.write(rebuilt) as Content,
    note,
    report: { ...reportOf(best, counts), ...defined({ shaping: asked?.report }) },
  };
}

interface Shaped {
  read: ReadContent;
  rebuilt: readonly Rebuilt[];
  /** With the note. */
  tokens: number;
}

/** The structures in the room that their note leaves. */
async function fitted(
  structures: readonly Structure[],
  asked: Asked | undefined,
  sanitised: number,
  settings: Settings,
): Promise<Omit<Shaped, 'read'> & { note: string }> {
  const { maxTokens, countTokens, keep, sanitise } = settings;
  const scoreOf = asked?.scoreOf ?? ((block: number, at: number) => priorityOf(structures, block, at));
  const pinned = pinnedBlocks(structures, keep, scoreOf);
  const first = pinned.map((blocks, at) => [...blocks, ...(asked?.first[at] ?? [])]);
  const choice = { scoreOf, first, countTokens, ...defined({ mayStay: asked?.mayStay }) };
  for (let reserve = 0; ; ) {
    const packed = await pack(structures, { ...choice, maxTokens: Math.max(1, maxTokens - reserve) });
    // A part can need less than the whole: a control of direction in it may end in a part that is left out.
    const rebuilt = packed.rebuilt.map((each, at) =>
      structures[at]?.kind === 'text' ? { ...each, text: cleaned(each.text, sanitise).text } : each,
    );
    const changes = sanitised === 0 ? [] : [`${sanitised.toLocaleString('en')} lines sanitised`];
    // They come behind the first count, so that a long note has them too.
    const note = await noteOf(phrasesOf(structures, packed).toSpliced(1, 0, ...changes), settings);
    const [tokens = 0] = await countTokens([joined([...rebuilt.map(({ text }) => text), note])]);
    if (tokens <= maxTokens || reserve >= maxTokens || !packed.fits) return { rebuilt, note, tokens };
    reserve += tokens - maxTokens;
  }
}

/** As many of the phrases as their share of the tokens allows, the first in any case. */
async function noteOf(phrases: readonly string[], { maxTokens, countTokens }: Settings): Promise<string> {
  const allowed = Math.max(Math.min(LEAST_NOTE, maxTokens / 3), maxTokens * NOTE_SHARE);
  const some = phrases.slice(0, MOST_PHRASES);
  const notes = some.map((_, at) => `[${some.slice(0, at + 1).join('; ')}]`);
  const tokens = await countTokens(notes);
  return notes.findLast((_, at) => at === 0 || (tokens[at] as number) <= allowed) ?? '';
}

function reportOf(
  { read: { pieces }, rebuilt, tokens: sent }: Shaped,
  { given, sanitised, maxTokens }: { given: number; sanitised: number; maxTokens: number },
): ToolResultReport {
  const longest = pieces.reduce(
    (best, each) => (each.text.length > best.text.length ? each : best),
    pieces[0] ?? NO_TEXT,
  );
  const blocks = pieces.reduce((sum, { structure }) => sum + structure.blocks.length, 0);
  const left = rebuilt.reduce((sum, { missing }) => sum + missing.leftOut.length + missing.cut.length, 0);
  const report = {
    kind: longest.kind,
    fits: sent <= maxTokens,
    tokens: { given, sent },
    ...(sanitised > 0 ? { sanitised } : {}),
    blocks: { given: blocks, sent: blocks - left },
    dropped: pieces.flatMap(({ structure }, at) => droppedOf(structure, rebuilt[at] as Rebuilt)),
  };
  return { ...report, digest: digestOf(JSON.stringify(report)) };
}

const NO_TEXT = { kind: 'prose', text: '' } as const;
