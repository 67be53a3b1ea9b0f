/** Documents as the chunks of a shaper, blocks as it packed them, and what a result shows of both. */
import type { Chunk, Eviction, ShapedChunk } from 'context-shaping';
import type { Cleaning } from '../sanitising.js';
import type { Asked, Packed } from '../structures/index.js';
import type { Passage } from './messages.js';
import type { Settings } from './options.js';
import type { ReadResult, Shown } from './result.js';
import { aroundOf } from './stored.js';
import { SEPARATOR } from './tokens.js';

/**
 * One chunk per passage, in order. Its tokens include the separator. A passage without an id is named by its call and its
 * place.
 */
export function chunksOf({ shown }: ReadResult, callId: string, distinctId: DistinctId): Chunk[] {
  return shown.map(({ passage, rendered }, place) => {
    const { id, text } = passage;
    return {
      ...passage,
      id: distinctId(id === '' ? `${callId}#${place + 1}` : id, text),
      rendered: rendered + SEPARATOR,
    };
  });
}
type DistinctId = (id: string, text: string) => string;

/** A passage that stays, by its index among the shown ones, and as it is shown now. */
export interface Kept {
  index: number;
  passage: Passage;
  /** The complete passage, if it is cut. */
  whole?: Passage | undefined;
  /** A shorter text stands in its place. */
  isFolded?: boolean;
}

export interface Outcome {
  kept: Kept[];
  /** Complete passages that the result does not show: those with flags first, then the most relevant. */
  leftOut: Passage[];
}

/** The documents of one result after shaping; `index` counts its shown passages. Copies of kept ones are not left out. */
export function outcomeOf(
  { shown }: ReadResult,
  kept: readonly ShapedChunk[],
  evicted: readonly Eviction[],
  settings: Cleaning & Pick<Settings, 'citeSources'>,
): Outcome {
  const passageAt = (place: number) => (shown[place] as Shown).passage;
  const rankOf = ({ reason, relevance = 0 }: Eviction) => (reason === 'flagged' ? 2 : relevance);
  const out = evicted
    .filter(({ reason }) => !/^(exact|semantic)-duplicate$/.test(reason))
    .toSorted((a, b) => rankOf(b) - rankOf(a) || a.index - b.index);
  return {
    kept: kept.map((chunk): Kept => {
      const passage = passageAt(chunk.index);
      const whole = chunk.excerpts === undefined ? {} : { whole: passage };
      return { index: chunk.index, passage: shownPassage(passage, chunk, settings), ...whole };
    }),
    leftOut: out.map(({ index }) => passageAt(index)),
  };
}

/** The passage as the chunk shows it; the same passage if nothing changed. */
function shownPassage(
  passage: Passage,
  { text, excerpts, sanitised, sources }: ShapedChunk,
  { clean, citeSources }: Cleaning & Pick<Settings, 'citeSources'>,
): Passage {
  const cite = citeSources !== undefined && sources.length > 1;
  if (excerpts === undefined && !sanitised && !cite) return passage;
  return {
    ...cutPassage(passage, excerpts === undefined ? clean(passage.text) : text, clean),
    ...(cite ? { metadata: { ...passage.metadata, [citeSources]: sources } } : {}),
  };
}

/** The passage with another text. */
function cutPassage(passage: Passage, text: string, clean: Cleaning['clean']): Passage {
  if (passage.rendered == null) return { ...passage, text };
  const around = aroundOf(passage);
  const rendered = clean(around === undefined ? passage.rendered : around[0] + text + around[1]);
  return { ...passage, text, rendered };
}

/** Blocks as they were packed into the room of a result. */
interface PackedBlocks {
  packed: Packed;
  asked: Pick<Asked, 'scoreOf' | 'isWithheld' | 'isCopy'>;
}

/**
 * The blocks of one result after packing. Blocks may be data or code, so only literal copies of kept blocks are not left
 * out.
 */
export function packedOutcome(
  { pieces, shown }: ReadResult,
  { packed, asked }: PackedBlocks,
  { clean }: Pick<Cleaning, 'clean'>,
): Outcome {
  const chosen = packed.kept.map((blocks) => new Map(blocks.map((block) => [block.index, block])));
  const gone = packed.rebuilt.map(({ missing }) => new Set(missing.leftOut));
  const kept = shown.flatMap(({ piece, place, passage }, index): Kept[] => {
    const block = chosen[piece]?.get(place);
    const folded = block?.isFolded ? pieces[piece]?.structure?.blocks[place]?.folded?.text : undefined;
    const text = folded ?? block?.text;
    if (folded === undefined && gone[piece]?.has(place)) return [];
    if (text === undefined) return [{ index, passage }];
    const now = cutPassage(passage, text, clean);
    return [{ index, passage: now, isFolded: folded !== undefined, whole: passage }];
  });
  const said = new Set(kept.flatMap(({ passage, whole }) => (whole ? [] : [passage.text])));
  const isShown = new Set(kept.map(({ index }) => index));
  const out = [...shown.entries()].flatMap(([index, { piece, place, passage }]) => {
    if (isShown.has(index) || (asked.isCopy(place, piece) && said.has(passage.text))) return [];
    return [
      { index, passage, rank: Number(asked.isWithheld(place, piece)) * 2 + asked.scoreOf(place, piece) },
    ];
  });
  out.sort((a, b) => b.rank - a.rank || a.index - b.index);
  return { kept, leftOut: out.map(({ passage }) => passage) };
}
