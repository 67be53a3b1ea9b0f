/** Values of metadata and vectors as JSON, and back, to the bit. */
import { isObject, packVector } from 'context-shaping/kit';
import type { RecordedVector } from './types.js';

/** Metadata paths have at most 16 steps, so nothing reads deeper values. */
const MOST_LEVELS = 17;

/**
 * A JSON copy with sorted keys. Dates, big integers, NaN and infinite numbers become objects with one key that begins
 * with `$`. Functions, symbols, and values below 17 levels are left out.
 */
export function toJson(value: unknown, levels = MOST_LEVELS): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : { $number: String(value) };
    case 'bigint':
      return { $bigint: String(value) };
    case 'object':
      break;
    default:
      return undefined;
  }
  if (value === null) return null;
  if (value instanceof Date) return { $date: value.getTime() };
  if (levels === 0) return undefined;
  if (Array.isArray(value)) return Array.from(value, (each) => toJson(each, levels - 1) ?? null);
  const entries = Object.entries(value)
    .map(([key, each]) => [key, toJson(each, levels - 1)] as const)
    .filter(([, each]) => each !== undefined);
  const sorted = Object.fromEntries(entries.sort(byKey));
  const [key, ...more] = Object.keys(sorted);
  return key?.startsWith('$') && more.length === 0 ? { $object: sorted } : sorted;
}

/** The value that {@link toJson} was given, as far as shaping can read it. */
export function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson);
  if (!isObject(value)) return value;
  const [[key, inner] = [''], ...more] = Object.entries(value);
  if (more.length === 0) {
    if (key === '$number') return Number(inner);
    if (key === '$bigint') return BigInt(inner as string);
    if (key === '$date') return new Date((inner as number | null) ?? Number.NaN);
    if (key === '$object') return fieldsFromJson(inner as object);
  }
  return fieldsFromJson(value);
}

export const fieldsFromJson = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fromJson(each)]));

export const byKey = ([one]: readonly [string, ...unknown[]], [other]: readonly [string, ...unknown[]]) =>
  one < other ? -1 : one > other ? 1 : 0;

/** The vector as text if it can be packed, else as JSON: what an embedder returns may be malformed. */
export function vectorToJson(vector: ArrayLike<number>): RecordedVector | unknown {
  let unit: Float32Array;
  try {
    unit = packVector(vector, 'vector');
  } catch {
    return toJson(vector);
  }
  const single = Float32Array.from(vector);
  const isEnough = isAllFinite(single) && isEqual(packVector(single, 'vector'), unit);
  return isEnough ? `f32:${base64(single)}` : `f64:${base64(Float64Array.from(vector))}`;
}

const isAllFinite = (vector: Float32Array) => vector.every(Number.isFinite);
const isEqual = (one: Float32Array, other: Float32Array) => one.every((value, at) => value === other[at]);

/** The vector that {@link vectorToJson} was given, or one with the same direction to the bit. */
export function vectorFromJson(recorded: unknown): ArrayLike<number> {
  const found = typeof recorded === 'string' ? /^f(32|64):(.*)$/.exec(recorded) : null;
  if (found === null) return fromJson(recorded) as ArrayLike<number>;
  const bytes = Uint8Array.from(atob(found[2] as string), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return found[1] === '32'
    ? Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(4 * at, true))
    : Float64Array.from({ length: bytes.length / 8 }, (_, at) => view.getFloat64(8 * at, true));
}

function base64(vector: Float32Array | Float64Array): string {
  const view = new DataView(new ArrayBuffer(vector.byteLength));
  for (const [at, value] of vector.entries()) {
    if (vector instanceof Float32Array) view.setFloat32(4 * at, value, true);
    else view.setFloat64(8 * at, value, true);
  }
  let binary = '';
  for (const byte of new Uint8Array(view.buffer)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
