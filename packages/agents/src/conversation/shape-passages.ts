import type { ShapingReport } from 'context-shaping';
import { distinctIds } from 'context-shaping/internal';
import { defined } from 'context-shaping/kit';
import { ask, hasPriorities, pack } from '../structures/index.js';
import { type Rebuilt, rebuild, resultWith, withNote } from './content.js';
import type { Passage, ResultPart } from './messages.js';
import { lineOf, noteOf } from './note.js';
import type { Settings } from './options.js';
import { chunksOf, type Outcome, outcomeOf, packedOutcome } from './pool.js';
import { linesOf, lostFrames, type ReadResult, wholePassages } from './result.js';
import { contentTokens, sum } from './tokens.js';

/** Share of a result's tokens that is reserved for the list of left-out passages. */
const LIST_SHARE = 1 / 8;
/** The same if the note only counts the left-out lines, besides its first line. */
const DROPPED_SHARE = 1 / 10;
const MOST_DROPPED = 64;

export interface ShapingCall {
  /** The result that the passages are from. */
  given: ResultPart;
  query: string;
  /** Handle of the left-out passages; absent if they cannot be recalled. */
  handle?: string | undefined;
  /** The name of each of them, by its place among them. */
  nameOf?: ((passage: Passage, place: number) => string) | undefined;
  /** Maximum tokens of the content, its note included. */
  most: number;
  /** Whether the passages are a ranking for the query, best first. */
  ranked: boolean;
  signal?: AbortSignal | undefined;
}

export interface ShapedPassages {
  result: ResultPart;
  /** Tokens of its content. */
  tokens: number;
  /** As they are shown. */
  shown: readonly Passage[];
  /** Complete passages that are not shown in full. */
  rest: readonly Passage[];
}

interface Shaping {
  shaped?: ShapedPassages;
  report?: ShapingReport;
}

/**
 * Shapes passages of one result into `most` tokens. Nothing is `shaped` if they fit and there is nothing to change. It
 * calls no observer, because a caller may shape again.
 */
export async function shapePassages(
  read: ReadResult,
  call: ShapingCall,
  settings: Settings,
): Promise<Shaping> {
  const [size = 0] = await contentTokens([read.content], settings.countTokens);
  const fits = size <= call.most;
  const passages = new Passages(read, call, settings, fits);
  if (read.are === 'documents') return passages.shapeDocuments();
  const { flag } = settings.shaper.options;
  const mayWithhold = flag !== false && flag.evict.length > 0;
  return fits && !mayWithhold ? {} : passages.shapeBlocks();
}

interface Attempt {
  outcome: Outcome;
  report: ShapingReport | undefined;
  isWhole: boolean;
  isSanitised: boolean;
}

class Passages {
  /** @param fits whether the content has at most `most` tokens as it was given. */
  constructor(
    private readonly read: ReadResult,
    private readonly call: ShapingCall,
    private readonly settings: Settings,
    private readonly fits: boolean,
  ) {}

  async shapeDocuments(): Promise<Shaping> {
    const { read, settings } = this;
    const { given, most, signal, query, ranked } = this.call;
    const chunks = chunksOf(read, given.id, distinctIds());
    const all = sum(await settings.countTokens(chunks.map(({ rendered }) => rendered ?? '')));
    // A result that fits as the tool wrote it is not cut, even if its documents are longer when rendered here.
    const maxTokens = this.fits ? Math.max(most, all) : most;
    const reserve = all > maxTokens ? await this.#listRoom() : 0;
    return this.#fitted({ maxTokens, reserve }, async (budget) => {
      const shaper = settings.shaper.with({ budget });
      const { chunks: kept, report } = await shaper.shape({ query, chunks, ranked, signal });
      return {
        outcome: outcomeOf(read, kept, report.evicted, settings),
        report,
        isWhole: kept.length === chunks.length && kept.every(({ excerpts }) => excerpts === undefined),
        isSanitised: kept.some(({ sanitised }) => sanitised),
      };
    });
  }

  /** Blocks stay by the priorities of their kind and by the query, until the room is used. */
  async shapeBlocks(): Promise<Shaping> {
    const { read, fits, settings } = this;
    const { given, most, query, signal } = this.call;
    const structures = read.pieces.flatMap(({ structure }) => structure ?? []);
    const places = structures.map((): (number | undefined)[] => []);
    for (const [index, { piece, place }] of read.shown.entries()) (places[piece] as number[])[place] = index;
    const maxTokens = fits ? Number.MAX_SAFE_INTEGER : most;
    const asked = await ask(structures, {
      ...{ query, shaper: settings.shaper, maxTokens, signal },
      idOf: (block, piece) => `${given.id}#${(places[piece]?.[block] ?? 0) + 1}`,
      mayStay: (block, piece) => places[piece]?.[block] !== undefined,
    });
    const reserve = fits ? 0 : await this.#listRoom();
    return this.#fitted({ maxTokens, reserve }, async (budget) => {
      const packed = await pack(structures, {
        ...{ countTokens: settings.countTokens, scoreOf: asked.scoreOf, first: asked.first },
        mayStay: (block, piece) => asked.mayStay(block, piece) && (fits || !asked.isCopy(block, piece)),
        maxTokens: budget.maxTokens - budget.reserve,
      });
      const outcome = packedOutcome(read, { packed, asked }, settings);
      const isWhole = outcome.kept.length === read.shown.length && outcome.kept.every(({ whole }) => !whole);
      outcome.leftOut.push(...lostFrames(read, outcome.kept));
      return { outcome, report: asked.report, isWhole, isSanitised: false };
    });
  }

  /** Tries with more room for the note, until the result fits: a joined text can have more tokens than its parts together. */
  async #fitted(
    { maxTokens, reserve }: { maxTokens: number; reserve: number },
    attempt: (budget: { maxTokens: number; reserve: number }) => Promise<Attempt>,
  ): Promise<Shaping> {
    const { read, fits, settings } = this;
    const { most } = this.call;
    const tried = await attempt({ maxTokens, reserve: Math.min(reserve, maxTokens - 1) });
    const { outcome, report, isWhole, isSanitised } = tried;
    const shaped = await this.#written(rebuild(read, outcome.kept, settings), outcome);
    const isOver = shaped.tokens > most;
    if (isOver && !(fits && isWhole) && reserve < most - 1)
      return this.#fitted({ maxTokens: most, reserve: reserve + shaped.tokens - most }, attempt);
    if (fits && isWhole && !isSanitised) return defined({ report });
    if (!isOver || fits) return { shaped, ...defined({ report }) };
    // Not even the frame fits: only the note.
    const nothing = rebuild(read, [], settings, { frames: false });
    const note = await this.#written(nothing, { kept: [], leftOut: wholePassages(read) });
    return { shaped: note, ...defined({ report }) };
  }

  /** Tokens that are reserved for the note and its list. */
  async #listRoom(): Promise<number> {
    const { total, pieces } = this.read;
    const { most, handle } = this.call;
    const [note = 0] = await this.settings.countTokens([noteOf({ total, leftOut: total, handle })]);
    const isListed = pieces.some(({ structure }) => structure === undefined || !hasPriorities(structure));
    if (isListed) return Math.max(note, Math.floor(most * LIST_SHARE));
    return note + Math.min(MOST_DROPPED, Math.floor(most * DROPPED_SHARE));
  }

  async #written(rebuilt: Rebuilt, { kept, leftOut: out }: Outcome): Promise<ShapedPassages> {
    const { read, call } = this;
    const { countTokens } = this.settings;
    const all = [...out, ...kept.flatMap(({ whole }) => whole ?? [])];
    const isLine = (each: Passage) => linesOf(each) !== undefined;
    // Lines say little on their own: the list has the other passages, and what lines have in common.
    const rest = [...all.filter((each) => !isLine(each)), ...all.filter(isLine)];
    const [used = 0] = await contentTokens([withNote(rebuilt, '')], countTokens);
    const note = await this.#listOf(rest, rebuilt, call.most - used);
    const result = resultWith(call.given, read, rebuilt, kept, note);
    const [tokens = 0] = await contentTokens([result.content], countTokens);
    return { result, shown: kept.map(({ passage }) => passage), rest, tokens };
  }

  /**
   * A list of left-out lines and of left-out passages, the most relevant first, as far as there is room. The handle
   * in its head reads all passages.
   */
  async #listOf(rest: readonly Passage[], { dropped }: Rebuilt, room: number): Promise<string> {
    const { handle, nameOf } = this.call;
    const { countTokens, clean } = this.settings;
    const { total, leftOut: before } = this.read;
    if (rest.length === 0) return '';
    const leftOut = before === 0 ? rest.length : Math.min(total, rest.length + before);
    const head = noteOf({ total, leftOut, handle });
    const passages = rest.flatMap((each, place) =>
      nameOf === undefined || linesOf(each) !== undefined ? [] : [lineOf(nameOf(each, place), each)],
    );
    const lines = [...dropped, ...passages].map((line) => `\n${clean(line)}`);
    const [used = 0, ...tokens] = await countTokens([head, ...lines]);
    let left = room - used;
    const listed = lines.filter((_, at) => {
      left -= tokens[at] as number;
      return left >= 0;
    });
    return head + listed.join('');
  }
}
