import * as z from 'zod';
import type { Embedder } from '../../../src/index.js';
import { checkAnswer, hasMethods, orAborted, parseOptions } from '../../../src/internal.js';
import { invalidOption } from '../../model-calls/index.js';
import { SharedWork } from './shared-work.js';
import { type ByteStore, keyFor, type StoreOperation, VectorStore } from './vector-store.js';

const optionsSchema = z.strictObject({
  store: z.custom<ByteStore>((value) => hasMethods(value, 'mget', 'mset'), {
    error: 'must be a store with the methods mget and mset',
  }),
  namespace: z.string().min(1).optional(),
  dimension: z.int().min(1).optional(),
  storeTimeoutMs: z
    .number()
    .positive()
    .max(2 ** 31 - 1)
    .default(1000),
  onStoreError: z
    .custom<(error: unknown, operation: StoreOperation) => void>((value) => typeof value === 'function', {
      error: 'must be a function',
    })
    .optional(),
});

export interface CachedEmbedderOptions {
  /** A LangChain `BaseStore<string, Uint8Array>`, or anything with its `mget` and `mset`. */
  store: ByteStore;
  /**
   * Name of the model, with its version. It keeps the vectors of different models apart. Default: `provider` and
   * `modelId` of the embedder; required if the embedder does not have both.
   */
  namespace?: string | undefined;
  /** Length of the model's vectors. If given, all cached vectors of another length are ignored. */
  dimension?: number | undefined;
  /** Longest wait for the store, in milliseconds; a slower one counts as failed. Default 1000. */
  storeTimeoutMs?: number | undefined;
  /** Called when the store fails. The vectors then come from the embedder. */
  onStoreError?: ((error: unknown, operation: StoreOperation) => void) | undefined;
}

interface Wanted {
  key: string;
  text: string;
  isQuery: boolean;
}

type Vectors = ReadonlyMap<string, ArrayLike<number>>;

/**
 * An embedder with a cache. Passages and queries have separate entries, since models may embed them differently. A text
 * that several concurrent calls request is embedded once, also if one of these calls is aborted. Vectors have 32-bit
 * precision, in the first call as in later ones.
 *
 * A store that fails, hangs or has malformed entries costs time, but no call fails because of it.
 *
 * @throws ContextShapingError `invalid-options`, naming the first wrong option.
 */
export function cachedEmbedder(embedder: Embedder, options: CachedEmbedderOptions): Embedder {
  if (typeof embedder?.embed !== 'function') {
    throw invalidOption(
      'embedder',
      embedder,
      'must be an object with an embed(texts, options) method',
      'Wrap LangChain Embeddings with fromLangChainEmbeddings.',
    );
  }
  const parsed = parseOptions(optionsSchema, options);
  const { store, dimension, storeTimeoutMs, onStoreError } = parsed;
  const namespace = parsed.namespace ?? namespaceOf(embedder);
  const cache = new VectorStore({ store, timeoutMs: storeTimeoutMs, onError: onStoreError });
  const pending = new Map<string, SharedWork<Vectors>>();

  /** Starts work on texts that no other call is embedding. Later calls can join it. */
  function share(wanted: readonly Wanted[]): SharedWork<Vectors> {
    const work = new SharedWork<Vectors>(
      (signal) => load(wanted, signal),
      (over) => {
        for (const { key } of wanted) if (pending.get(key) === over) pending.delete(key);
      },
    );
    for (const { key } of wanted) pending.set(key, work);
    return work;
  }

  /** Reads vectors from the store, gets the missing ones from the embedder, and stores those. */
  async function load(wanted: readonly Wanted[], signal: AbortSignal): Promise<Vectors> {
    const cached = await cache.get(wanted.map(({ key }) => key));
    signal.throwIfAborted();
    const found = new Map(
      wanted.flatMap(({ key }, index) => (cached?.[index] ? [[key, cached[index]] as const] : [])),
    );
    const missing = wanted.filter(({ key }) => !found.has(key));
    const fresh = new Map(missing.length === 0 ? [] : await request(missing, signal));
    // Vectors of another length are from another model with the same namespace, and are replaced.
    const lengths = new Set([...found.values()].map((vector) => vector.length));
    const expected =
      dimension ?? [...fresh.values()][0]?.length ?? (lengths.size === 1 ? [...lengths][0] : undefined);
    const stale = wanted.filter(({ key }) => !fresh.has(key) && found.get(key)?.length !== expected);
    if (stale.length > 0) for (const [key, vector] of await request(stale, signal)) fresh.set(key, vector);
    // A store that could not be read is not waited for a second time.
    if (cached !== undefined)
      await cache.set(
        [...fresh].flatMap(([key, vector]) =>
          vector instanceof Float32Array ? [[key, vector] as const] : [],
        ),
      );
    return new Map<string, ArrayLike<number>>([...found, ...fresh]);
  }

  async function request(wanted: readonly Wanted[], signal: AbortSignal): Promise<Vectors> {
    const queryIndex = wanted.findIndex(({ isQuery }) => isQuery);
    const texts = wanted.map(({ text }) => text);
    const answer: unknown = await embedder.embed(texts, {
      signal,
      ...(queryIndex === -1 ? {} : { queryIndex }),
    });
    checkAnswer(answer, texts.length);
    return new Map(wanted.map(({ key }, index) => [key, rounded(answer[index] as ArrayLike<number>)]));
  }

  const { specificationVersion, provider, modelId } = embedder;
  return {
    specificationVersion,
    provider,
    modelId,
    async embed(texts, { queryIndex, signal }) {
      signal?.throwIfAborted();
      const wanted = texts.map((text, index): Wanted => {
        const isQuery = index === queryIndex;
        return { key: keyFor(namespace, isQuery ? 'query' : 'document', text), text, isQuery };
      });
      const parts = new Map<SharedWork<Vectors>, Wanted[]>();
      const unclaimed = new Map<string, Wanted>();
      for (const each of new Map(wanted.map((one) => [one.key, one])).values()) {
        const work = pending.get(each.key);
        if (work === undefined) unclaimed.set(each.key, each);
        else parts.set(work, [...(parts.get(work) ?? []), each]);
      }
      const own = unclaimed.size === 0 ? undefined : share([...unclaimed.values()]);
      if (own !== undefined) parts.set(own, [...unclaimed.values()]);

      const over = new AbortController();
      const stop = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
      const vectorsOf = async (work: SharedWork<Vectors>, part: readonly Wanted[]): Promise<Vectors> => {
        try {
          return await work.result;
        } catch (error) {
          if (work === own || stop.aborted) throw error;
          // The batch of another call failed, perhaps because of one of its own texts: this call tries again.
          return load(part, stop);
        }
      };
      for (const work of parts.keys()) work.join();
      try {
        const vectors = await orAborted(
          Promise.all([...parts].map(([work, part]) => vectorsOf(work, part))),
          stop,
        );
        const all = new Map(vectors.flatMap((each) => [...each]));
        // Each call gets a copy, since several calls may share a vector.
        return wanted.map(({ key }) => copy(all.get(key) as ArrayLike<number>));
      } finally {
        for (const work of parts.keys()) work.leave();
        over.abort();
      }
    },
  };
}

function namespaceOf({ provider, modelId }: Embedder): string {
  if (provider !== undefined && modelId !== undefined) return `${provider}:${modelId}`;
  throw invalidOption(
    'namespace',
    undefined,
    'is missing, and the embedder does not name its model',
    'Name the model with its version, such as "nomic-embed-text:v1.5".',
  );
}

/** The vector in 32 bits; unchanged, and not stored, if 32 bits cannot represent it. */
function rounded(vector: ArrayLike<number>): ArrayLike<number> {
  const single = Float32Array.from(vector);
  return single.length > 0 && single.every(Number.isFinite) ? single : vector;
}

const copy = (vector: ArrayLike<number>) =>
  vector instanceof Float32Array ? vector.slice() : Array.from(vector);
