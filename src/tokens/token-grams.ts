/**
 * Counts how often a tokenizer must at least cut a word or a run of symbols. No token of o200k_base contains certain pairs
 * and triples of characters, so a token ends within each of them. Capitals count as small letters. This rule is needed
 * because weights cannot be learned for n-grams that are in no text, and crafted texts may repeat exactly those.
 *
 * Each triple of letters has its own bit; the space before a word counts as a letter. Pairs and triples of symbols, and
 * pairs with an accented letter of Latin-1, share bits by hash. So some of them count as known by mistake, which makes the
 * bound lower, never higher.
 */

/** Twenty-six letters and the space. */
const LETTERS = 27;
const TRIPLES = LETTERS ** 3;
/** Number of bits. It is a multiple of six, the bits of a packed character. */
const BITS = 32_766;
const SPACE = 32;

/**
 * Unpacks the table of known pairs and triples.
 *
 * @param packed six bits per character, most significant bit first.
 * @param alphabet the 64 characters, in the order of their values.
 * @returns 1 for each known pair or triple, by index.
 */
export function gramsOf(packed: string, alphabet: string): Uint8Array {
  const grams = new Uint8Array(BITS);
  let next = 0;
  for (const six of valuesOf(packed, alphabet))
    for (let shift = 5; shift >= 0; shift--) grams[next++] = (six >> shift) & 1;
  return grams;
}

/** The value of each character, its place in the alphabet. Unpacking is part of the first call of a process. */
export function valuesOf(packed: string, alphabet: string): Uint8Array {
  const byCode = new Uint8Array(128);
  for (let value = 0; value < alphabet.length; value++) byCode[alphabet.charCodeAt(value)] = value;
  const values = new Uint8Array(packed.length);
  for (let at = 0; at < packed.length; at++) values[at] = byCode[packed.charCodeAt(at)] as number;
  return values;
}

/** Builds the table of the pairs and triples that these tokens contain. */
export function knownGrams(tokens: Iterable<string>): Uint8Array {
  const grams = new Uint8Array(BITS);
  for (const token of tokens) {
    for (let at = 1; at < token.length; at++) {
      const [two, one, code] = [at - 2, at - 1, at].map((place) => folded(token.charCodeAt(place))) as Triple;
      for (const index of [pairOf(one, code), tripleOf(two, one, code)]) if (index >= 0) grams[index] = 1;
    }
  }
  return grams;
}
type Triple = [number, number, number];

/**
 * Returns the least number of tokens that end within a piece.
 *
 * @param hasLead whether the piece begins with a leading character before the word or the symbols.
 */
export function cutsOf(
  grams: Uint8Array,
  units: Uint16Array,
  start: number,
  end: number,
  hasLead: boolean,
): number {
  let cuts = 0;
  // The two characters before; -1 if there is a cut between, or the character is in no table.
  let two = -1;
  let one = -1;
  for (let at = hasLead && units[start] !== SPACE ? start + 1 : start; at < end; at++) {
    const code = folded(units[at] as number);
    const pair = pairOf(one, code);
    const triple = tripleOf(two, one, code);
    const isCut = (pair >= 0 && grams[pair] === 0) || (triple >= 0 && grams[triple] === 0);
    if (isCut) cuts++;
    two = isCut ? -1 : one;
    one = code;
  }
  return cuts;
}

/** Returns the lower-case character code, or -1 if the character is in no table. `NaN` is in none. */
function folded(code: number): number {
  if ((code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0xde && code !== 0xd7)) return code | 32;
  return (code >= SPACE && code < 0x7f && !(code >= 48 && code <= 57)) || (code >= 0xdf && code <= 0xff)
    ? code
    : -1;
}

const isLetter = (code: number) => code >= 97 && code <= 122;
const isPlain = (code: number) => code === SPACE || isLetter(code);
const isSymbol = (code: number) => code < 0x80 && !isPlain(code);
/** Returns the index of a character among the letters; the space is 0. */
const placeOf = (code: number) => (code === SPACE ? 0 : code - 96);

/**
 * Returns the table index of a pair. It is -1 for pairs of plain letters, because nearly all of them are in tokens, and for
 * pairs across the end of a word.
 */
function pairOf(one: number, code: number): number {
  if (one < 0 || code < 0) return -1;
  const areSymbols = (one === SPACE || isSymbol(one)) && isSymbol(code);
  const isAccented = (one > 0x7f || code > 0x7f) && !isSymbol(one) && !isSymbol(code);
  return areSymbols || isAccented ? hashed(0, one, code) : -1;
}

/** Returns the table index of a triple, or -1 if it has neither only plain letters nor only symbols. */
function tripleOf(two: number, one: number, code: number): number {
  if (two < 0 || one < 0 || code < 0) return -1;
  if (isPlain(two) && isLetter(one) && isLetter(code))
    return (placeOf(two) * LETTERS + placeOf(one)) * LETTERS + placeOf(code);
  const areSymbols = (two === SPACE || isSymbol(two)) && isSymbol(one) && isSymbol(code);
  return areSymbols ? hashed(two, one, code) : -1;
}

function hashed(two: number, one: number, code: number): number {
  const hash = Math.imul(Math.imul(two, 0x9e3779b1) ^ Math.imul(one, 0x85ebca6b) ^ code, 0xc2b2ae35);
  return TRIPLES + (((hash ^ (hash >>> 15)) >>> 0) % (BITS - TRIPLES));
}
