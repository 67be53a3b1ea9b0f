/** Converts the host's nodes to chunks and back. Never changes a node, because nodes belong to their index. */
import { type Chunk, ContextShapingError } from '../../src/index.js';
import { distinctIds, invalidInput } from '../../src/internal.js';
import type { NodeLike, QueryLike, ScoredNode } from './types.js';

const REMEDY = 'Give the result of the retriever: an array of { node, score? }.';

/** @throws ContextShapingError `invalid-input` if the argument is not an array of nodes with scores. */
export function checkNodes(nodes: readonly ScoredNode[]): void {
  if (!Array.isArray(nodes)) throw invalidInput('nodes', nodes, 'must be an array', REMEDY);
  for (const [place, each] of (nodes as readonly (Partial<ScoredNode> | null)[]).entries())
    if (typeof each?.node?.getContent !== 'function')
      throw invalidInput(`nodes[${place}]`, each, 'must be an object with a node', REMEDY);
}

const PARTS: Readonly<Record<string, string>> = { embedding: 'embedding', metadata: 'metadata', id: 'id_' };

/** The same error for a reader who gave nodes and no chunks. */
export function inTermsOfNodes(error: unknown): unknown {
  if (!ContextShapingError.isInstance(error)) return error;
  return error.renamed((field) =>
    field.replace(
      /^chunks\[(\d+)\](?:\.(\w+))?/,
      (_, place: string, part?: string) => `nodes[${place}].node${part ? `.${PARTS[part] ?? part}` : ''}`,
    ),
  );
}

/**
 * One chunk per node, in the same order. Ignores scores that are not finite, because some stores return `NaN`, and ids
 * that are not strings.
 *
 * @throws ContextShapingError `invalid-input` if a text is not a string.
 */
export function toChunks(nodes: readonly ScoredNode[]): Chunk[] {
  const distinctId = distinctIds();
  return nodes.map(({ node, score }, index): Chunk => {
    const text: unknown = node.getContent('NONE');
    if (typeof text !== 'string')
      throw invalidInput(`nodes[${index}].node.getContent('NONE')`, text, 'must be a string', REMEDY);
    const own: unknown = node.id_;
    const id = distinctId(typeof own === 'string' && own !== '' ? own : 'node', text);
    const { embedding } = node;
    return {
      id,
      text,
      rendered: node.getContent('LLM'),
      ...(Number.isFinite(score) ? { score: score as number } : {}),
      ...(embedding?.length ? { embedding } : {}),
      metadata: node.metadata,
    };
  });
}

/**
 * Whether nodes are a ranking, best first. Results of a retriever are. A summary index is not: it returns all its nodes in
 * document order, each with the score 1.
 */
export function isRanking(nodes: readonly ScoredNode[]): boolean {
  const scores = new Set(nodes.map(({ score }) => score));
  return scores.size > 1 || scores.has(undefined);
}

/** The text parts of a query, joined as the host does; empty if there are none. */
export function queryText(query: QueryLike | undefined): string {
  if (typeof query === 'string') return query;
  if (!Array.isArray(query)) return '';
  const parts = query as readonly { type: string; text?: unknown }[];
  return parts
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n\n');
}

/**
 * A copy of the node with the chunk's text, which is shortened or sanitised. Texts in the metadata are sanitised as well.
 * Id, relationships, exclusions and offsets stay those of the whole node, so citations stay valid. The embedding is
 * removed, because it belongs to the original text.
 */
export function cutNode(node: NodeLike, text: string, clean: (text: string) => string): NodeLike {
  const copy = copyOf(node);
  copy.metadata = Object.fromEntries(
    Object.entries(copy.metadata).map(([key, value]) => [
      key,
      typeof value === 'string' ? clean(value) : value,
    ]),
  );
  copy.embedding = undefined;
  // Called last, because it computes the hash over all fields.
  copy.setContent(text);
  return copy;
}

/**
 * A copy of the node with the id of the preferred node in its metadata. The model does not see it, because its tokens are
 * not counted.
 */
export function supersededNode(node: NodeLike, by: string): NodeLike {
  const copy = copyOf(node);
  copy.metadata = { ...copy.metadata, supersededBy: by };
  copy.excludedLlmMetadataKeys = [...copy.excludedLlmMetadataKeys, 'supersededBy'];
  return copy;
}

/**
 * A shallow copy of the same class. It has its own `hash`, because the inherited one uses a private field, which a copy
 * lacks. The host's own clone fails if metadata holds a function, and for classes that the host does not know.
 */
function copyOf(node: NodeLike): NodeLike {
  const copy = Object.create(Object.getPrototypeOf(node)) as NodeLike & { hash: string };
  Object.defineProperty(copy, 'hash', { value: '', writable: true, enumerable: false, configurable: true });
  return Object.assign(copy, node, { metadata: { ...node.metadata } });
}
