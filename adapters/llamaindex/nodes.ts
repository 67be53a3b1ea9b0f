/** From the host's nodes to chunks, and back. Nodes belong to the index they came from: nothing here writes to one. */
import { type Chunk, ContextShapingError, type ResolvedOptions, type ShapedChunk } from '../../src/index.js';
import { distinctIds } from '../../src/internal.js';
import type { NodeLike, QueryLike, ScoredNode } from './types.js';

export type GetEmbedding = (
  node: NodeLike,
) => ArrayLike<number> | null | undefined | Promise<ArrayLike<number> | null | undefined>;

/** What is nothing but an image has no text to shape. */
export function isImage({ node }: ScoredNode): boolean {
  return node.type === 'IMAGE' || node.type === 'IMAGE_DOCUMENT';
}

/** @throws ContextShapingError `invalid-input`, if they are no array of nodes with their scores. */
export function checkNodes(nodes: readonly ScoredNode[]): void {
  if (!Array.isArray(nodes)) throw malformed('nodes', nodes, 'an array');
  for (const [place, each] of (nodes as readonly (Partial<ScoredNode> | null)[]).entries()) {
    if (typeof each?.node?.getContent !== 'function')
      throw malformed(`nodes[${place}]`, each, 'an object with a node');
  }
}

function malformed(field: string, value: unknown, what: string): ContextShapingError {
  return new ContextShapingError('invalid-input', {
    field,
    value,
    is: `must be ${what}`,
    remedy: 'Give what the retriever returned: an array of { node, score? }.',
  });
}

/** The node's text; of a node that is all metadata, what the model sees of that. */
function textOf(node: NodeLike, place: number): string {
  const text: unknown = node.getContent('NONE');
  if (typeof text !== 'string') throw malformed(`nodes[${place}].node.getContent('NONE')`, text, 'a string');
  return text || node.getContent('LLM');
}

/**
 * One chunk per node, in the same order. Scores that are not finite are left out: some stores give `NaN`,
 * or none. So are ids that are not strings.
 *
 * @throws ContextShapingError `invalid-input`, if a text is no string.
 */
export async function toChunks(
  nodes: readonly ScoredNode[],
  fields: ResolvedOptions['fields'],
  getEmbedding: GetEmbedding | undefined,
): Promise<Chunk[]> {
  const embeddings = await Promise.all(nodes.map(({ node }) => ownEmbedding(node) ?? getEmbedding?.(node)));
  const distinctId = distinctIds();
  const ofSource = parsed(fields.source);
  const ofPosition = parsed(fields.position);
  return nodes.map(({ node, score }, index): Chunk => {
    const text = textOf(node, index);
    const own: unknown = node.id_;
    const id = distinctId(typeof own === 'string' && own !== '' ? own : 'node', text);
    const embedding = embeddings[index];
    return {
      id,
      text,
      rendered: node.getContent('LLM'),
      ...(Number.isFinite(score) ? { score: score as number } : {}),
      ...(embedding == null ? {} : { embedding }),
      metadata: describe(node, ofSource, ofPosition),
    };
  });
}

/**
 * Are nodes a ranking, best first? What a retriever found is. A summary index gives all its nodes in the order of the
 * documents, each with the score 1.
 */
export function isRanking(nodes: readonly ScoredNode[]): boolean {
  const scores = new Set(nodes.map(({ score }) => score));
  return scores.size > 1 || scores.has(undefined);
}

function ownEmbedding({ embedding }: NodeLike): number[] | undefined {
  return embedding?.length ? embedding : undefined;
}

/**
 * A copy of the metadata. Where it does not say which document the text is from, or where it lies in it, the
 * node's own bookkeeping does.
 */
function describe(
  node: NodeLike,
  ofSource: readonly Path[],
  ofPosition: readonly Path[],
): Record<string, unknown> {
  const metadata = { ...node.metadata };
  const related = node.relationships.SOURCE;
  const source = Array.isArray(related) ? related[0]?.nodeId : related?.nodeId;
  fillIn(metadata, ofSource, source);
  fillIn(metadata, ofPosition, spanOf(node)?.start);
  return metadata;
}

/** A metadata path, split once for all nodes. */
interface Path {
  name: string;
  steps: readonly string[];
}

const parsed = (paths: string | readonly string[]): Path[] =>
  (typeof paths === 'string' ? [paths] : paths).map((name) => ({ name, steps: name.split('.') }));

/** Sets the first of the paths, unless one of them leads somewhere already. */
function fillIn(metadata: Record<string, unknown>, paths: readonly Path[], value: unknown): void {
  const [first] = paths;
  if (value === undefined || first === undefined || paths.some((path) => isThere(metadata, path))) return;
  metadata[first.name] = value;
}

function isThere(metadata: Record<string, unknown>, { name, steps }: Path): boolean {
  const nested = steps.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | null | undefined)?.[key],
    metadata,
  );
  return [metadata[name], nested].some((value) => value !== undefined && value !== null && value !== '');
}

/** Where the text lies in its document. A start that is missing beside an end is a 0 that the host lost. */
export function spanOf({ startCharIdx, endCharIdx }: NodeLike): { start: number; end?: number } | undefined {
  if (typeof endCharIdx === 'number') return { start: startCharIdx ?? 0, end: endCharIdx };
  return typeof startCharIdx === 'number' ? { start: startCharIdx } : undefined;
}

/** The text parts of a query, joined as the host joins them; empty if there are none. */
export function queryText(query: QueryLike | undefined): string {
  if (typeof query === 'string') return query;
  if (!Array.isArray(query)) return '';
  const parts = query as readonly { type: string; text?: unknown }[];
  return parts
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n\n');
}

/**
 * A copy of the node with the text of the chunk, which is shorter, or sanitised, as texts in its metadata are then. Id,
 * relationships and exclusions stay, so that citations lead where they led; the embedding goes, for it is of the text that was; the offsets are those
 * of the excerpt, where they were exact to begin with.
 */
export function cutNode(
  node: NodeLike,
  { text, excerpts }: ShapedChunk,
  clean: (text: string) => string,
): NodeLike {
  const copy = copyOf(node);
  copy.metadata = Object.fromEntries(
    Object.entries(copy.metadata).map(([key, value]) => [
      key,
      typeof value === 'string' ? clean(value) : value,
    ]),
  );
  const whole = node.getContent('NONE');
  // All metadata: the excerpt is of the metadata as the model sees it, which would otherwise go out twice.
  if (whole === '') copy.excludedLlmMetadataKeys = Object.keys(copy.metadata);
  copy.embedding = undefined;
  const span = spanOf(node);
  const [first, last] = [excerpts?.[0], excerpts?.at(-1)];
  if (span !== undefined && first !== undefined && last !== undefined) {
    const exact = span.end === undefined || span.end - span.start === whole.length;
    copy.startCharIdx = exact ? span.start + first.start : span.start;
    copy.endCharIdx = exact ? span.start + last.end : span.end;
  }
  // Last, for it computes the hash, which covers the rest.
  copy.setContent(text);
  return copy;
}

/**
 * The host's own clone. It fails where metadata holds a function, and for classes that the host does not
 * know; then a shallow copy of the same class, with a `hash` of its own: the inherited one is kept in a
 * private slot, which a copy has not.
 */
function copyOf(node: NodeLike): NodeLike {
  try {
    return node.clone();
  } catch {
    const copy = Object.create(Object.getPrototypeOf(node)) as NodeLike & { hash: string };
    Object.defineProperty(copy, 'hash', { value: '', writable: true, enumerable: false, configurable: true });
    return Object.assign(copy, node, { metadata: { ...node.metadata } });
  }
}
