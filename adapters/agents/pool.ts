import { Document, type DocumentInterface } from '@langchain/core/documents';
import type { Chunk, Eviction, ShapedChunk, ShapingReport } from '../../src/index.js';
import { toChunks, toDocuments } from '../documents/index.js';
import type { Settings } from './options.js';
import type { Passages } from './passages.js';

const SEPARATOR = '\n\n';

/** A passage on its way through the shaper. */
export interface Member {
  passage: DocumentInterface;
  are: Passages['are'];
  /** Is it to stay whole, or to go? */
  isWhole?: boolean;
  /** Of the tool call that found it, and its place there: the name of what has none of its own. */
  toolCallId: string;
  place: number;
}

/** One chunk for each, in order. What stands between passages is counted with each of them. */
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
  // As it stands in its array. Without the comma in what is counted, no part can take its place: it is not cut.
  return chunks.map((chunk, at) => (members[at]?.isWhole ? { ...chunk, text: `${chunk.text},` } : chunk));
}

/** What the model reads. */
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

/** Places of what stays and is not to be shown, for what is said of it in the report. */
export function withheldBy({ kept, flags }: ShapingReport, { withhold }: Settings): ReadonlySet<number> {
  const flagged = flags.filter((each) => each.flags.some(({ kind }) => withhold.includes(kind)));
  const places = new Set(flagged.map(({ index }) => index));
  return new Set(kept.filter(({ index, pinned }) => !pinned && places.has(index)).map(({ index }) => index));
}

/** What stays, what of it is not to be shown, and what went. */
interface Shaped {
  kept: readonly ShapedChunk[];
  withheld: ReadonlySet<number>;
  evicted: readonly Eviction[];
}

/**
 * What became of the passages of one result, `index` being the place among those that it shows. What is left out
 * comes in order of relevance, after what was withheld; copies of passages that stay are no loss, and are not among it. Blocks may be data or
 * code: of those, only literal copies are copies.
 *
 * @param said what all chunks that stay, of this result and others, show.
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
