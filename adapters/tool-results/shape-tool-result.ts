import type { ShapingReport } from '../../src/index.js';
import { defined, digestOf } from '../../src/internal.js';
import { type Packed, pack, type Rebuilt, type Structure } from '../structures/index.js';
import { type ReadContent, readContent } from './content.js';
import type { KindName } from './kinds/index.js';
import { type Dropped, droppedOf, noteOf, sentenceOf } from './note.js';
import { resolveOptions, type Settings, type ToolResultOptions } from './options.js';
import { type Asked, ask } from './relevance.js';

export interface ShapedToolResult<Content = unknown> {
  /** In the form of the given content; the same content if it fits. */
  content: Content;
  /** What the content does not show, for the model, in one line. Empty if it shows everything. */
  note: string;
  report: ToolResultReport;
}

/** What became of a result. It has no texts but labels. */
export interface ToolResultReport {
  /** The kind of its longest text. */
  kind: KindName;
  /** False: the content cannot shrink to the budget and stay valid. It is then as small as it can be. */
  fits: boolean;
  tokens: { given: number; sent: number };
  /** Lines of its texts. */
  lines: { given: number; sent: number };
  /** Elements, rows, paragraphs or lines that can go one by one, and those that are shown in full. */
  blocks: { given: number; sent: number };
  /** What is not shown, the label with the most lines first. */
  dropped: readonly Dropped[];
  /** SHA-256 of this report without its digest and the report of the shaper. */
  digest: string;
  /** The report of the shaper that read the blocks for the query. Absent without a query, or if everything fits. */
  shaping?: ShapingReport | undefined;
}

/** Share of the tokens for the note, at most. */
const NOTE_SHARE = 1 / 8;
const MOST_ROUNDS = 4;

/**
 * Shapes one result of a tool into a number of tokens. Blocks stay by what the kind of result is read for, and by the
 * query if there is one. The given content is not changed.
 *
 * @throws ContextShapingError `invalid-options`; what the shaper throws, such as the reason of `signal`.
 */
export async function shapeToolResult<Content>(
  options: ToolResultOptions<Content>,
): Promise<ShapedToolResult<Content>> {
  const settings = await resolveOptions(options);
  const { maxTokens, countTokens, signal, kind, tool, query } = settings;
  signal?.throwIfAborted();
  const read = readContent(options.content, { tool, arguments: settings.arguments }, kind);
  const texts = read.pieces.map(({ text }) => text);
  const [given = 0] = await countTokens([joined(texts)]);
  if (given <= maxTokens) {
    const whole = read.pieces.map(({ text }) => text);
    const report = reportOf(read, given, { texts: whole, tokens: given, dropped: [], left: 0, fits: true });
    return { content: options.content, note: '', report };
  }
  const structures = read.pieces.map(({ structure }) => structure);
  const asked = query === undefined ? undefined : await ask(structures, { ...settings, query });
  const { rebuilt, note, tokens } = await fitted(structures, asked, settings);
  const dropped = structures.flatMap((structure, at) => droppedOf(structure, rebuilt[at] as Rebuilt));
  const left = rebuilt.reduce((sum, { missing }) => sum + missing.leftOut.length + missing.cut.length, 0);
  const sent = { texts: rebuilt.map(({ text }) => text), tokens, dropped, left, fits: tokens <= maxTokens };
  return {
    content: read.write(rebuilt) as Content,
    note,
    report: { ...reportOf(read, given, sent), ...defined({ shaping: asked?.report }) },
  };
}

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');

/** The structures in the room that their note leaves. */
async function fitted(
  structures: readonly Structure[],
  asked: Asked | undefined,
  { maxTokens, countTokens }: Settings,
): Promise<Pick<Packed, 'rebuilt' | 'tokens'> & { note: string }> {
  const priorityOf = (block: number, at: number) => structures[at]?.blocks[block]?.priority ?? 0;
  const scoreOf = (block: number, at: number) =>
    1 - (1 - priorityOf(block, at)) * (1 - (asked?.relevanceOf(block, at) ?? 0));
  const removed = structures.flatMap((structure) => structure.removed ?? []);
  let reserve = 0;
  for (let round = 1; ; round++) {
    const most = Math.max(1, maxTokens - reserve);
    const packed = await pack(structures, {
      maxTokens: most,
      countTokens,
      scoreOf,
      first: asked?.first,
      join: joined,
    });
    const { rebuilt } = packed;
    const sentences = structures.map((structure, at) =>
      sentenceOf(structure, packed.kept[at] ?? [], rebuilt[at] as Rebuilt),
    );
    const note = await shortest(noteOf(sentences, removed), maxTokens * NOTE_SHARE, countTokens);
    const [tokens = 0] = await countTokens([joined([...rebuilt.map(({ text }) => text), note])]);
    if (tokens <= maxTokens || round === MOST_ROUNDS || !packed.fits) return { rebuilt, note, tokens };
    reserve += tokens - maxTokens;
  }
}

/** A note that is too long for its share says nothing but that something is left out. */
async function shortest(note: string, most: number, countTokens: Settings['countTokens']): Promise<string> {
  const [tokens = 0] = await countTokens([note]);
  return tokens <= Math.max(most, 16) ? note : note.replace(/[:;].*\]$/s, ']');
}

interface Sent {
  texts: readonly string[];
  tokens: number;
  dropped: readonly Dropped[];
  /** Number of blocks that are not shown in full. */
  left: number;
  fits: boolean;
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
    lines: { given: linesIn(pieces.map(({ text }) => text)), sent: linesIn(sent.texts) },
    blocks: { given: blocks, sent: blocks - sent.left },
    dropped: sent.dropped,
  };
  return { ...report, digest: digestOf(JSON.stringify(report)) };
}

const NO_TEXT = { kind: 'prose', text: '' } as const;

const linesIn = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => (text === '' ? sum : sum + text.split('\n').length), 0);
