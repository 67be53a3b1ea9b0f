/**
 * Tells from the words of a text, which are known, that no sentence of it can be an instruction. Each alternative of the
 * hints in `instructions.ts` needs one of these words, so nine of ten texts are not searched for hints at all.
 */
import type { Lexicon } from '../../text/lexicon.js';
import { MOVES, signsOf } from '../../text/signs.js';
import type { Vocabulary } from '../../text/vocabulary.js';
import { LONGEST_PART } from '../../text/words.js';

const HINT_WORD =
  /ignor|disregard|forget|overrid|bypass|overlook|neglect|discard|dismiss|henceforth|prompt|instruction|(?<![a-z0-9_])ai(?![a-z0-9_])|llm|chatbot|jailbreak|pretend|attention|respond|answer|reply|your|assistant|summar|translat|analy|evaluat|processing|describing|reviewing|indexing|parsing|quoting|^now$|^https?$|^(?:bots?|agents?)$|^(?:follow|tell|mention|trust|model)|(?:starting|you|developer|anything|note|notice|message|call)$/;

/** By word of a vocabulary: 1 if the word is one of the hints, 2 if not, 0 if not known yet. */
const known = new WeakMap<Vocabulary, Uint8Array>();

/** Returns whether the text may have a hint. In texts beyond those of European languages it does not look. */
export function mayHaveHint(text: string, lexicon: Lexicon): boolean {
  if ((signsOf(text) & MOVES) !== 0) return true;
  const { vocabulary } = lexicon;
  const runs = lexicon.runs(text);
  const hints = knownOf(vocabulary);
  for (let at = 0; at < runs.length; at++) {
    const run = runs[at] as number;
    if (hints[run] === 0) hints[run] = isHint(vocabulary.wordOf(run)) ? 1 : 2;
    if (hints[run] === 1) return true;
  }
  return false;
}

/** A run of the greatest length may end within a word. */
const isHint = (word: string) => word.length >= LONGEST_PART || HINT_WORD.test(word);

function knownOf(vocabulary: Vocabulary): Uint8Array {
  const before = known.get(vocabulary);
  if (before !== undefined && before.length >= vocabulary.size) return before;
  const more = new Uint8Array(2 * vocabulary.size);
  if (before !== undefined) more.set(before);
  known.set(vocabulary, more);
  return more;
}
