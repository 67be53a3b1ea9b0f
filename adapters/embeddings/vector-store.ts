/** Vectors in a byte store, so that nothing a store does or holds can fail a call. */
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** The part of LangChain's `BaseStore<string, Uint8Array>` that is used. */
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

/** Reads and writes vectors. A store that fails or hangs is an empty one; `onError` hears of it. */
export class VectorStore {
  constructor(readonly options: VectorStoreOptions) {}

  /** One vector per key, in order; undefined where there is none, or none that can be read. */
  async get(keys: readonly string[]): Promise<(Float32Array | undefined)[]> {
    const values: unknown = await this.#attempt('get', () => this.options.store.mget([...keys]));
    return keys.map((_, place) => (Array.isArray(values) ? decodeVector(values[place]) : undefined));
  }

  async set(entries: readonly (readonly [key: string, vector: Float32Array])[]): Promise<void> {
    const pairs = entries.map(([key, vector]): [string, Uint8Array] => [key, encodeVector(vector)]);
    if (pairs.length > 0) await this.#attempt('set', () => this.options.store.mset(pairs));
  }

  async #attempt<T>(operation: StoreOperation, work: () => Promise<T>): Promise<T | undefined> {
    const { timeoutMs, onError } = this.options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`The store did not answer within ${timeoutMs} ms.`)),
        timeoutMs,
      );
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      try {
        onError?.(error, operation);
      } catch {
        // An observer of failures must not become one.
      }
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

const SAFE = /^[\w.:-]+$/;

/**
 * `namespace:role:hash of the text`. Stores on files take only letters, digits and `_-:.` in a key, so
 * another namespace (`BAAI/bge-m3`) has its other characters replaced and a hash of itself added.
 */
export function keyFor(namespace: string, role: 'query' | 'document', text: string): string {
  const hash = (of: string) => bytesToHex(sha256(utf8ToBytes(of)));
  const name = SAFE.test(namespace)
    ? namespace
    : `${namespace.replace(/[^\w.:-]+/g, '_')}-${hash(namespace).slice(0, 16)}`;
  return `${name}:${role}:${hash(text)}`;
}

/**
 * `f32:dimension:` and the numbers as base64 of 32-bit floats, little-endian. Not the bare bytes, because
 * LangChain's RedisByteStore decodes what it is given as UTF-8 and so destroys every other byte.
 */
export function encodeVector(vector: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * vector.length));
  for (const [place, value] of vector.entries()) view.setFloat32(4 * place, value, true);
  let binary = '';
  for (let at = 0; at < view.byteLength; at += 1) binary += String.fromCharCode(view.getUint8(at));
  return utf8ToBytes(`f32:${vector.length}:${btoa(binary)}`);
}

/** The vector, or undefined for anything that `encodeVector` did not write whole. */
export function decodeVector(value: unknown): Float32Array | undefined {
  if (!ArrayBuffer.isView(value)) return undefined;
  const [, dimension, base64] =
    /^f32:([1-9]\d{0,8}):([A-Za-z0-9+/]+={0,2})$/.exec(new TextDecoder().decode(value)) ?? [];
  if (dimension === undefined || base64 === undefined || base64.length % 4 !== 0) return undefined;
  const binary = atob(base64);
  const vector = new Float32Array(Number(dimension) * 4 === binary.length ? Number(dimension) : 0);
  const view = new DataView(new ArrayBuffer(4 * vector.length));
  for (let at = 0; at < view.byteLength; at += 1) view.setUint8(at, binary.charCodeAt(at));
  for (const place of vector.keys()) vector[place] = view.getFloat32(4 * place, true);
  return vector.length > 0 && vector.every(Number.isFinite) ? vector : undefined;
}
