/** Values of metadata and answers as JSON, and back; vectors to the bit of their unit vectors. */
import { isObject, packVector } from 'context-shaping/kit';
import type { RecordedVector } from './types.js';

/** Metadata paths have at most 16 steps, so nothing reads deeper values. */
const MOST_LEVELS = 17;

/**
 * A JSON copy. Dates, big integers, NaN and infinite numbers become objects with one key that begins with `$`, and an
 * object with one such key of its own becomes the value of `$object`. Functions, symbols, and values below 17 levels are
 * left out.
 */
export function toJson(value: unknown, levels = MOST_LEVELS): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) };
  if (value instanceof Date) return { $date: value.getTime() };
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return undefined;
  if (Array.isArray(value)) return Array.from(value, (each) => toJson(each, levels - 1));
  const copy = fieldsToJson(value, levels);
  const keys = Object.keys(copy);
  return keys.length === 1 && keys[0]?.startsWith('$') ? { $object: copy } : copy;
}

export const fieldsToJson = (value: object, levels = MOST_LEVELS) =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toJson(each, levels - 1)]));

/** The value that {@link toJson} was given, as far as shaping can read it. */
export function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson);
  if (!isObject(value)) return value;
  const [[key, inner] = [''], ...more] = Object.entries(value);
  if (more.length > 0 || !key.startsWith('$')) return fieldsFromJson(value);
  if (key === '$number') return Number(inner);
  if (key === '$bigint') return BigInt(inner as string);
  if (key === '$date') return new Date((inner as number | null) ?? Number.NaN);
  return fieldsFromJson(inner as object);
}

export const fieldsFromJson = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fromJson(each)]));

/** The vector as text. */
export function vectorToJson(vector: ArrayLike<number>): RecordedVector {
  const single = Float32Array.from(vector);
  const unit = packVector(vector, 'vector');
  const isEnough =
    single.every(Number.isFinite) && packVector(single, 'vector').every((value, at) => value === unit[at]);
  const exact = isEnough ? single : Float64Array.from(vector);
  const bytes = Array.from(new Uint8Array(exact.buffer), (byte) => String.fromCharCode(byte));
  return `${isEnough ? 'f32' : 'f64'}:${btoa(bytes.join(''))}`;
}

/** The vector that {@link vectorToJson} was given, or one with the same direction to the bit. */
export function vectorFromJson(recorded: RecordedVector): ArrayLike<number> {
  const bytes = Uint8Array.from(atob(recorded.slice('f32:'.length)), (character) => character.charCodeAt(0));
  return recorded.startsWith('f32') ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
}
