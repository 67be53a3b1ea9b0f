/** A case from a recorded context. */
import { type Inside, insideOf, invalidInput, isObject } from '../../src/internal.js';
import { type ContextLockfile, openLockfile } from '../lockfile/index.js';
import { parseEvaluationCase } from './case.js';
import type { EvaluationCase, Evidence } from './types.js';

/**
 * The question and the chunks of a context lockfile, as a case. Its options and the recorded answers of services are not
 * taken over.
 *
 * @param more the evidence, and optionally `id` and `group` of the case.
 * @throws ContextShapingError `invalid-input`, if the lockfile has hashed texts, or the evidence is malformed.
 */
export function lockfileCase(
  lockfile: ContextLockfile,
  more: { evidence: Evidence; id?: string | undefined; group?: string | undefined },
): EvaluationCase {
  if (!isObject(lockfile) || lockfile.texts !== 'full') {
    throw invalidInput(
      'lockfile.texts',
      isObject(lockfile) ? lockfile.texts : lockfile,
      'must be "full"',
      'Record the context with its texts.',
    );
  }
  const { query, chunks, ranked } = (insideOf(openLockfile(lockfile)) as Inside).input;
  // The known answer is for models.
  const { answer: _, ...asked } = typeof query === 'string' ? { text: query } : query;
  return parseEvaluationCase({
    ...more,
    query: withPlainVector(asked),
    chunks: chunks.map(withPlainVector),
    ranked,
  });
}

/** The vectors of a lockfile are typed arrays. */
const withPlainVector = <T extends { embedding?: ArrayLike<number> | null | undefined }>({
  embedding,
  ...rest
}: T) => (embedding == null ? rest : { ...rest, embedding: Array.from(embedding) });
