/** Returns a copy with more room: at least twice as much. */
export function enlarged<T extends Int32Array | Uint16Array>(array: T, least = 0): T {
  const Kind = array.constructor as new (length: number) => T;
  const larger = new Kind(Math.max(2 * array.length, least));
  larger.set(array);
  return larger;
}
