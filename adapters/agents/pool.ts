import { Document, type DocumentInterface } from '@langchain/core/documents';
import type { Chunk, Eviction, ShapedChunk, ShapingReport } from '../../src/index.js';
import { toChunks, toDocuments } from '../documents/index.js';
import type { Settings } from './options.js';
import type { Passages } from './passages.js';

const SEPARATOR = '\n\n';

/** A passage for the shaper. */
export interface Member {
  passage: DocumentInterface;
  are: Passages['are'];
  /** The passage must not be cut. */
  isWhole?: boolean;
  /** The tool call that found the passage, and its position in the result: its name if it has no id. */
  toolCallId: string;
  place: number;
}

/** One chunk per passage, in order. The tokens of each chunk include the separator. */
export function chunksOf(members: readonly Member[], { documentOptions }: Settings): Chunk[] {
  const blocks = new Set<DocumentInterface>();
  const documents = members.map(({ passage, are, toolCallId, place }) => {
    const named = new Document({ ...passage, id: passage.id ?? `${toolCallId}#${place + 1}` });
    if (are === 'blocks') blocks.add(named);
    return named;
  });
  const { getEmbedding, render, scoreField } = documentOptions;
  const chunks = toChunks(documents, {
    render: (document) => (blocks.has(document) ? document.pageContent : render(document)) + SEPARATOR,
    scoreField,
    ...(getEmbedding === undefined
      ? {}
      : { getEmbedding: (document) => (blocks.has(document) ? undefined : getEmbedding(document)) }),
  });
  // The text gets a comma, as in its array. The counted text has no comma, so no part of the text can replace it: the chunk is not cut.
  return chunks.map((chunk, at) => (members[at]?.isWhole ? { ...chunk, text: `${chunk.text},` } : chunk));
}

/** The text for the model. */
export function textOf(
  passages: readonly DocumentInterface[],
  are: Passages['are'],
  { documentOptions, clean }: Settings,
): string {
  const texts = passages.map((passage) =>
    clean(are === 'blocks' ? passage.pageContent : documentOptions.render(passage)),
  );
  return texts.join(SEPARATOR);
}

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

/**
 * The passages of one result after shaping; `index` counts its shown passages. The left-out passages are ordered by
 * relevance, after the withheld ones, and exclude copies of kept passages. Blocks may be data or code, so only literal
 * copies of blocks count as copies.
 *
 * @param said the texts of all kept chunks, of this result and others.
 */
export function outcomeOf(
  { are, cuttable, shown, cut, leftOut }: Passages,
  { kept, withheld, evicted }: Shaped,
  said: ReadonlySet<Chunk['rendered']>,
  { documentOptions }: Settings,
): Passages {
  const whole = (place: number) => cut[place] ?? (shown[place] as DocumentInterface);
  const isLoss = ({ reason, index }: Eviction) =>
    !/^(exact|semantic)-duplicate$/.test(reason) ||
    (are === 'blocks' && !said.has(shown[index]?.pageContent + SEPARATOR));
  const out = evicted
    .filter(isLoss)
    .toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0) || a.index - b.index);
  return {
    are,
    cuttable,
    shown: toDocuments(kept, shown, documentOptions),
    cut: Object.fromEntries(
      kept.flatMap(({ index, excerpts }, at) =>
        excerpts === undefined && cut[index] === undefined ? [] : [[at, whole(index)]],
      ),
    ),
    leftOut: [...[...withheld, ...out.map(({ index }) => index)].map(whole), ...leftOut],
  };
}
