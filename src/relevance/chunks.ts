/** Chunks, and the units within them, as passages. */
import { documentOf } from '../candidate.js';
import type { Lexicon } from '../text/lexicon.js';
import { joined } from '../text/reading.js';
import type { Unit } from '../text/units.js';
import type { Candidate } from '../types.js';
import { type Passage, titleTerms } from './passage.js';

/** A first line that ends like no sentence, with more behind it. */
const HEADING = /^(?:#{1,6}[ \t]+)?([^\n]{1,120}?[^\n.!?:;,。！？：；，、\s])[ \t]*#*\r?\n\s*\S/u;

/** Characters in which it is looked for: a text may begin with megabytes of anything. */
const LOOKED_AT = 1000;

/** Metadata's title, or the heading that the text begins with. */
function titleOf({ text, sources: [{ title }] }: Candidate): string | undefined {
  if (title !== undefined) return title;
  const beginning = text.trimStart().slice(0, LOOKED_AT);
  return beginning.includes('\n') ? HEADING.exec(beginning)?.[1] : undefined;
}

/** @param isTalk do speakers count? */
export function chunkPassage(candidate: Candidate, lexicon: Lexicon, isTalk: boolean): Passage {
  const { text, sources } = candidate;
  const [{ title: given, speaker, position }] = sources;
  const title = titleTerms(titleOf(candidate), lexicon);
  const terms = lexicon.searchTerms(text);
  return {
    text,
    title,
    terms: given === undefined || text.trimStart().startsWith(given) ? terms : joined([title, terms]),
    runs: lexicon.runs(text),
    speaker: isTalk ? speaker?.toLowerCase() : undefined,
    source: documentOf(candidate),
    position,
    namespace: candidate.namespace,
  };
}

/** A unit of a chunk: read under the title of the chunk, in its source. */
export function unitPassage(
  { text, index }: Candidate,
  chunk: Passage,
  unit: Unit,
  position: number,
  lexicon: Lexicon,
): Passage {
  return {
    text: text.slice(unit.start, unit.end),
    title: chunk.title,
    terms: joined([chunk.title, lexicon.searchTermsWithin(text, unit.start, unit.end)]),
    runs: lexicon.runsWithin(text, unit.start, unit.end),
    speaker: chunk.speaker,
    source: String(index),
    position,
    namespace: chunk.namespace,
  };
}

/** Is it a talk? At least half of the chunks have a speaker, and some source has more than one. */
export function isTalk(candidates: readonly Candidate[]): boolean {
  const speakers = new Map<string | undefined, string>();
  let speaking = 0;
  let isShared = false;
  for (const candidate of candidates) {
    const [{ speaker }] = candidate.sources;
    if (speaker === undefined) continue;
    speaking++;
    const document = documentOf(candidate);
    const other = speakers.get(document);
    if (other === undefined) speakers.set(document, speaker);
    else isShared ||= other !== speaker;
  }
  return isShared && 2 * speaking >= candidates.length;
}
