/** The passages of results as the chunks of a shaper, and what the shaper did as what a result shows. */
import type { Chunk, Eviction, ShapedChunk, ShapingReport } from '../../src/index.js';
import type { Cleaning } from './clean.js';
import { aroundOf } from './held.js';
import type { Passage } from './messages.js';
import type { Settings } from './options.js';
import type { ReadResult, Shown } from './result.js';
import { SEPARATOR } from './tokens.js';

/**
 * One chunk per passage, in order. Its tokens include the separator. A passage without an id is named by its call and its
 * place.
 */
export function chunksOf({ shown, are }: ReadResult, callId: string, distinctId: DistinctId): Chunk[] {
  return shown.map(({ passage, rendered, cuttable }, place) => {
    const { id, text } = passage;
    return {
      ...passage,
      id: distinctId(id === '' ? `${callId}#${place + 1}` : id, text),
      // The counted text has no comma, so no part of the text can replace it: the chunk is not cut.
      text: cuttable || are === 'documents' ? text : `${text},`,
      rendered: rendered + SEPARATOR,
    };
  });
}
type DistinctId = (id: string, text: string) => string;

/** Indices of kept chunks that are not shown because of their flags. */
export function withheldBy({ kept, flags }: ShapingReport, { withhold }: Settings): ReadonlySet<number> {
  const flagged = flags.filter((each) => each.flags.some(({ kind }) => withhold.includes(kind)));
  const places = new Set(flagged.map(({ index }) => index));
  return new Set(kept.filter(({ index, pinned }) => !pinned && places.has(index)).map(({ index }) => index));
}

/** Kept chunks, indices of those that are not shown, and evicted chunks. */
interface Shaped {
  kept: readonly ShapedChunk[];
  withheld: ReadonlySet<number>;
  evicted: readonly Eviction[];
}

/** A passage that stays, by its index among the shown ones, and as it is shown now. */
export interface Kept {
  index: number;
  passage: Passage;
  /** The complete passage, if it is cut. */
  whole?: Passage | undefined;
  isCut: boolean;
}

export interface Outcome {
  kept: Kept[];
  /** Complete passages that the result does not show, the most relevant first after the withheld ones. */
  leftOut: Passage[];
}

/**
 * The passages of one result after shaping; `index` counts its shown passages. Copies of kept passages are not left out.
 * Blocks may be data or code, so only literal copies of blocks count as copies.
 */
export function outcomeOf(
  { are, shown, leftOut }: ReadResult,
  { kept, withheld, evicted }: Shaped,
  settings: Cleaning & Pick<Settings, 'citeSources'>,
): Outcome {
  const whole = (place: number) => {
    const { whole: complete, passage } = shown[place] as Shown;
    return complete ?? passage;
  };
  const said = new Set(kept.map(({ index }) => shown[index]?.passage.text));
  const isLoss = ({ reason, index }: Eviction) =>
    !/^(exact|semantic)-duplicate$/.test(reason) ||
    (are === 'blocks' && !said.has((shown[index] as Shown).passage.text));
  const out = evicted
    .filter(isLoss)
    .toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0) || a.index - b.index);
  return {
    kept: kept.map((chunk): Kept => {
      const { passage, whole: complete } = shown[chunk.index] as Shown;
      const isCut = chunk.excerpts !== undefined;
      const now = shownPassage(passage, chunk, are, settings);
      return {
        index: chunk.index,
        passage: now,
        isCut,
        ...(isCut || complete !== undefined ? { whole: complete ?? passage } : {}),
      };
    }),
    leftOut: [...[...withheld, ...out.map(({ index }) => index)].map(whole), ...leftOut],
  };
}

/** The passage as the chunk shows it; the same passage if nothing changed. */
function shownPassage(
  passage: Passage,
  { text, excerpts, sanitised, sources }: ShapedChunk,
  are: ReadResult['are'],
  { clean, citeSources }: Cleaning & Pick<Settings, 'citeSources'>,
): Passage {
  const cite = are === 'documents' && citeSources !== undefined && sources.length > 1;
  if (excerpts === undefined && !sanitised && !cite) return passage;
  const around = passage.rendered == null ? undefined : aroundOf(passage);
  const now = excerpts === undefined ? clean(passage.text) : text;
  return {
    ...passage,
    text: now,
    ...(passage.rendered == null
      ? {}
      : { rendered: clean(around === undefined ? passage.rendered : around[0] + now + around[1]) }),
    ...(cite ? { metadata: { ...passage.metadata, [citeSources]: sources } } : {}),
  };
}
