import type { Chunk, Query, ShapedChunk, ShapingReport } from '../../src/index.js';
import { distinctIds, tellInTime } from '../../src/internal.js';
import { blocksForFacets, FACET_SHARE, optionsFor } from '../structures/index.js';
import { type Rebuilt, rebuild, resultWith, withNote } from './content.js';
import type { Passage, ResultPart } from './messages.js';
import { factsOf, lineOf, noteOf } from './note.js';
import type { Settings } from './options.js';
import { chunksOf, type Outcome, outcomeOf, withheldBy } from './pool.js';
import { lostFrames, type ReadResult, wholePassages } from './result.js';
import { contentText, sum } from './tokens.js';

/** Share of a result's tokens that is reserved for the list of left-out passages. */
const LIST_SHARE = 1 / 8;

export interface ShapingCall {
  /** The result that the passages are from. */
  given: ResultPart;
  query: Query | string;
  thread: string;
  /** Handle of the left-out passages; absent if they cannot be recalled. */
  handle: string | undefined;
  /** Maximum tokens of the content, its note included. */
  most: number;
  /** Whether the passages are a ranking for the query, best first. */
  ranked: boolean;
  signal?: AbortSignal | undefined;
}

export interface ShapedPassages {
  result: ResultPart;
  note: string;
  /** As they are shown. */
  shown: readonly Passage[];
  /** Complete passages that are not shown in full. The first ones are listed in the note. */
  rest: readonly Passage[];
  listed: number;
}

/** Shapes passages of one result into `most` tokens. Nothing is `shaped` if they fit and there is nothing to change. */
export async function shapePassages(
  read: ReadResult,
  call: ShapingCall,
  settings: Settings,
): Promise<{ shaped?: ShapedPassages; report?: ShapingReport }> {
  const { given, most, handle, signal, query, ranked } = call;
  const { countTokens } = settings;
  const { are, shown, total } = read;
  const head = noteOf({ total, leftOut: total, handle });
  const [size = 0, note = 0] = await countTokens([contentText(read.content), head]);
  const fits = size <= most;
  if (fits && are === 'blocks' && settings.withhold.length === 0) return {};
  const chunks = chunksOf(read, given.id, distinctIds());
  const all = sum(await countTokens(chunks.map(({ rendered }) => rendered ?? '')));
  // A result that fits as the tool wrote it is not cut, even if its documents are longer when rendered here.
  let maxTokens = fits ? Math.max(most, all) : most;
  let reserve = all > maxTokens ? Math.max(note, Math.floor(most * LIST_SHARE)) : 0;
  for (;;) {
    const shaper = settings.shaper.with({
      budget: { maxTokens, reserve: Math.min(reserve, maxTokens - 1) },
      ...(are === 'blocks' ? optionsFor(shown) : {}),
      ...(shown.some(({ cuttable }) => cuttable) ? {} : { extract: false }),
    });
    const { chunks: stay, report } = await shaper.shape({ query, chunks, ranked, signal });
    const withheld = withheldBy(report, settings);
    const chosen = stay.filter(({ index }) => !withheld.has(index));
    const kept = withFacets(read, chunks, chosen, { report, most });
    const isShown = new Set(kept.map(({ index }) => index));
    const evicted = report.evicted.filter(({ index }) => !isShown.has(index));
    const isWhole = kept.length === chunks.length && kept.every(({ excerpts }) => excerpts === undefined);
    const outcome = outcomeOf(read, { kept, withheld, evicted }, settings);
    const places = outcome.kept.map(({ index }) => index);
    outcome.leftOut.push(...lostFrames(read, places, false));
    const shaped = await written(read, rebuild(read, outcome.kept, settings), outcome, call, settings);
    const isLast = reserve >= most - 1;
    if ((fits && isWhole) || shaped.tokens <= most || isLast) {
      const observed = await tellInTime(report, settings.observers, signal);
      if (fits && isWhole && !kept.some(({ sanitised }) => sanitised)) return { report: observed };
      const isOver = shaped.tokens > most && !fits;
      return { shaped: isOver ? await onlyNote(read, call, settings) : shaped, report: observed };
    }
    // The frames of data have tokens too, and a joined text can have more tokens than its parts together.
    maxTokens = most;
    reserve += shaped.tokens - most;
  }
}

/**
 * The kept chunks, and for each value of a column without one its most relevant passage as far as there is room, in the
 * order of the input.
 *
 * @param most maximum tokens of the result.
 */
function withFacets(
  { pieces, shown }: ReadResult,
  chunks: readonly Chunk[],
  kept: readonly ShapedChunk[],
  { report: { evicted }, most }: { report: ShapingReport; most: number },
): ShapedChunk[] {
  const isKept = new Set(kept.map(({ index }) => index));
  const gone = new Map(evicted.map((eviction) => [eviction.index, eviction]));
  const more = pieces.flatMap(({ structure }, piece): ShapedChunk[] => {
    if (structure === undefined || structure.facets.length === 0) return [];
    const places = [...shown.keys()].filter((index) => shown[index]?.piece === piece);
    const evictionOf = (block: number) => gone.get(places[block] as number);
    const blocks = blocksForFacets(structure.facets, {
      isShown: (block) => isKept.has(places[block] as number),
      mayStay: (block) => evictionOf(block) !== undefined,
      relevanceOf: (block) => evictionOf(block)?.relevance ?? 0,
      tokensOf: (block) => evictionOf(block)?.tokens ?? 0,
      room: most * FACET_SHARE,
    });
    return blocks.map((block) => {
      const index = places[block] as number;
      return { ...(chunks[index] as Chunk), index, tokens: evictionOf(block)?.tokens ?? 0, sources: [] };
    });
  });
  return more.length === 0 ? [...kept] : [...kept, ...more].sort((a, b) => a.index - b.index);
}

/** A result of which even the frame does not fit. */
async function onlyNote(read: ReadResult, call: ShapingCall, settings: Settings) {
  const outcome = { kept: [], leftOut: wholePassages(read) };
  return written(read, rebuild(read, [], settings, { frames: false }), outcome, call, settings);
}

async function written(
  read: ReadResult,
  rebuilt: Rebuilt,
  outcome: Outcome,
  call: ShapingCall,
  settings: Settings,
): Promise<ShapedPassages & { tokens: number }> {
  const { kept, leftOut } = outcome;
  const { countTokens } = settings;
  const rest = [...leftOut, ...kept.flatMap(({ whole }) => whole ?? [])];
  const [used = 0] = await countTokens([contentText(withNote(rebuilt, ''))]);
  const { note, listed } = await listOf(rest, rebuilt.facets, read.total, call, call.most - used, settings);
  const result = resultWith(call.given, read, rebuilt, outcome, note);
  const [tokens = 0] = await countTokens([contentText(result.content)]);
  return { result, note, shown: kept.map(({ passage }) => passage), rest, listed, tokens };
}

/**
 * A list of left-out values of columns and of left-out passages, the most relevant first, as far as there is room. The handle
 * in its head reads all passages.
 */
async function listOf(
  rest: readonly Passage[],
  facets: Rebuilt['facets'],
  total: number,
  { thread, handle }: ShapingCall,
  room: number,
  { handles, countTokens, clean }: Settings,
): Promise<{ note: string; listed: number }> {
  if (rest.length === 0) return { note: '', listed: 0 };
  const head = noteOf({ total, leftOut: rest.length, handle });
  const values = factsOf(facets);
  const passages =
    handle === undefined ? [] : rest.map((each) => lineOf(handles.ofPassage(thread, each), each));
  const lines = [...values, ...passages].map((line) => `\n${clean(line)}`);
  const [used = 0, ...tokens] = await countTokens([head, ...lines]);
  let left = room - used;
  const listed = lines.map((_, at) => {
    left -= tokens[at] as number;
    return left >= 0;
  });
  return {
    note: head + lines.filter((_, at) => listed[at]).join(''),
    listed: listed.slice(values.length).filter(Boolean).length,
  };
}
