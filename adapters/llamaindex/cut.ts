import type { ShapedChunk } from '../../src/index.js';
import { spanOf } from './nodes.js';
import type { NodeLike } from './types.js';

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
