/**
 * Bytes as letters, as byte-level tokenizers write their vocabularies: itself if it can be seen, else one of
 * those from U+0100 on.
 *
 * Source: A. Radford et al., "Language Models are Unsupervised Multitask Learners", 2019.
 */
export const LETTERS: readonly string[] = lettersOfBytes();
export const BYTES: ReadonlyMap<string, number> = new Map(LETTERS.map((letter, byte) => [letter, byte]));

function lettersOfBytes(): string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const canBeSeen = (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173);
    return String.fromCharCode(canBeSeen ? byte : next++);
  });
}
