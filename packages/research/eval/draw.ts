/**
 * A whole number that looks random and is the same for a text on every machine: FNV-1a of its UTF-16 code
 * units, mixed so that each bit of the result depends on all.
 *
 * Sources: G. Fowler, L. Noll, P. Vo, "The FNV non-cryptographic hash algorithm"; the finaliser of
 * A. Appleby's MurmurHash3.
 */
export function drawOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
