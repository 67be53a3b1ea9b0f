/**
 * Finds runs of text in the letters of most European languages. It scans character by character and creates no strings.
 */

import type { Vocabulary } from './vocabulary.js';
import { LONGEST_PART, MOST_JOINTS } from './words.js';

const LETTER = 1;
const DIGIT = 2;
const APOSTROPHE = "'".charCodeAt(0);

/** Classes of the characters below U+0180, in lower case. */
const classes = Uint8Array.from({ length: 0x180 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-zà-öø-ž]/.test(character)) return LETTER;
  return /[0-9_]/.test(character) ? DIGIT : 0;
});

/**
 * Returns the runs of a text as numbers, and the offset at which each begins. The result is that of the regular
 * expression for runs, in a third of the time.
 *
 * @param text a text in lower case. Each of its characters is below U+0180, or is not a letter, mark or digit.
 */
export function plainRuns(text: string, vocabulary: Vocabulary): { runs: Int32Array; starts: Int32Array } {
  const runs: number[] = [];
  const starts: number[] = [];
  for (let at = 0; at < text.length; ) {
    if (classAt(text, at) === 0) {
      at++;
      continue;
    }
    const end = endOfRun(text, at);
    runs.push(vocabulary.idWithin(text, at, end));
    starts.push(at);
    at = end;
  }
  return { runs: new Int32Array(runs), starts: new Int32Array(starts) };
}

function endOfRun(text: string, start: number): number {
  let end = start + 1;
  while (end - start < LONGEST_PART && classAt(text, end) !== 0) end++;
  for (let joints = 0; joints < MOST_JOINTS; joints++) {
    const part = end + 1;
    if (end >= text.length || text.charCodeAt(end) !== APOSTROPHE || classAt(text, part) !== LETTER) break;
    end = part + 1;
    while (end - part < LONGEST_PART && classAt(text, end) === LETTER) end++;
  }
  return end;
}

function classAt(text: string, at: number): number {
  // Reading a code beyond the end would make the whole scan three times as slow.
  if (at >= text.length) return 0;
  const code = text.charCodeAt(at);
  return code < 0x180 ? (classes[code] as number) : 0;
}
