/** Stores vectors in a byte store. No failure of the store and no malformed entry fails a call. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { connectionProblem, silence, within } from '../../../src/internal.js';
import { unreachable } from '../../model-calls/index.js';

/** The methods that this package uses of LangChain's `BaseStore<string, Uint8Array>`. */
export interface ByteStore {
  mget(keys: string[]): Promise<(Uint8Array | undefined)[]>;
  mset(keyValuePairs: [string, Uint8Array][]): Promise<void>;
}

export type StoreOperation = 'get' | 'set';

interface VectorStoreOptions {
  store: ByteStore;
  /** Longest wait for one operation, in milliseconds. */
  timeoutMs: number;
  onError?: ((error: unknown, operation: StoreOperation) => void) | undefined;
}

/** Reads and writes vectors. A store that fails or hangs counts as empty, and `onError` is called. */
export class VectorStore {
  readonly #client: Client | undefined;
  /** The last message of the client about its lost connection. It is noted during operations only. */
  #problem: string | undefined;

  constructor(readonly options: VectorStoreOptions) {
    this.#client = Object.values(options.store).find(isClient);
  }

  /** One vector per key, in order; undefined, if it is missing or malformed. Without result, if the store fails. */
  async get(keys: readonly string[]): Promise<(Float32Array | undefined)[] | undefined> {
    const values: unknown = await this.#attempt(
      'get',
      async () => (await this.options.store.mget([...keys])) ?? [],
    );
    return values === undefined
      ? undefined
      : keys.map((_, index) => (Array.isArray(values) ? decodeVector(values[index]) : undefined));
  }

  async set(entries: readonly (readonly [key: string, vector: Float32Array])[]): Promise<void> {
    const pairs = entries.map(([key, vector]): [string, Uint8Array] => [key, encodeVector(vector)]);
    if (pairs.length > 0) await this.#attempt('set', () => this.options.store.mset(pairs));
  }

  async #attempt<T>(operation: StoreOperation, work: () => Promise<T>): Promise<T | undefined> {
    const { timeoutMs, onError } = this.options;
    const client = this.#client;
    const lost = new AbortController();
    // The client of Redis keeps its commands, and connects again for ten seconds.
    const onLost = (error: unknown) => {
      const problem = connectionProblem(error);
      if (problem === undefined) return;
      this.#problem = problem;
      lost.abort(unreachable('store', problem, error));
    };
    client?.on('error', onLost);
    try {
      // Without a known problem, the client's next attempt tells: its error ends the wait, or the work succeeds.
      if (this.#problem !== undefined && LOST.has(client?.status))
        throw unreachable('store', this.#problem, undefined);
      const late = () => new Error(`The store did not answer within ${timeoutMs} ms.`);
      return await within(timeoutMs, lost.signal, work, late);
    } catch (error) {
      try {
        silence(onError?.(error, operation));
      } catch {
        // A throwing observer must not fail the call.
      }
      return undefined;
    } finally {
      client?.off('error', onLost);
    }
  }
}

/** The client inside a store, if it tells of lost connections, such as that of `ioredis`. */
interface Client {
  status?: unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  off(event: 'error', listener: (error: unknown) => void): unknown;
}

const isClient = (value: unknown): value is Client =>
  typeof (value as Partial<Client> | null | undefined)?.on === 'function' &&
  typeof (value as Partial<Client> | null | undefined)?.off === 'function';

/** The words of `ioredis` for a client whose last connection failed or ended. */
const LOST: ReadonlySet<unknown> = new Set(['reconnecting', 'close', 'end']);

const SAFE = /^[\w.:-]+$/;

/**
 * `namespace:role:hash of the text`. File stores take only letters, digits and `_-:.` in a key. So other characters of a
 * namespace (`BAAI/bge-m3`) are replaced, and a hash of the namespace is added.
 */
export function keyFor(namespace: string, role: 'query' | 'document', text: string): string {
  const hash = (of: string) => bytesToHex(sha256(utf8ToBytes(of)));
  const name = SAFE.test(namespace)
    ? namespace
    : `${namespace.replace(/[^\w.:-]+/g, '_')}-${hash(namespace).slice(0, 16)}`;
  return `${name}:${role}:${hash(text)}`;
}

/**
 * `f32:dimension:` and base64 of the 32-bit numbers, little-endian. Not the bare bytes: LangChain's RedisByteStore
 * decodes values as UTF-8, which destroys all bytes that are not UTF-8.
 */
export function encodeVector(vector: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * vector.length));
  for (const [index, value] of vector.entries()) view.setFloat32(4 * index, value, true);
  let binary = '';
  for (let at = 0; at < view.byteLength; at += 1) binary += String.fromCharCode(view.getUint8(at));
  return utf8ToBytes(`f32:${vector.length}:${btoa(binary)}`);
}

/** The vector; undefined for anything but a complete value of `encodeVector`. */
export function decodeVector(value: unknown): Float32Array | undefined {
  if (!ArrayBuffer.isView(value)) return undefined;
  const [, dimension, base64] =
    /^f32:([1-9]\d{0,8}):([A-Za-z0-9+/]+={0,2})$/.exec(new TextDecoder().decode(value)) ?? [];
  if (dimension === undefined || base64 === undefined || base64.length % 4 !== 0) return undefined;
  const binary = atob(base64);
  const vector = new Float32Array(Number(dimension) * 4 === binary.length ? Number(dimension) : 0);
  const view = new DataView(new ArrayBuffer(4 * vector.length));
  for (let at = 0; at < view.byteLength; at += 1) view.setUint8(at, binary.charCodeAt(at));
  for (const index of vector.keys()) vector[index] = view.getFloat32(4 * index, true);
  return vector.length > 0 && vector.every(Number.isFinite) ? vector : undefined;
}
