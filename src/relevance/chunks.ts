/** Chunks, and the units within them, as passages. */
import { documentOf } from '../pool/candidate.js';
import type { Lexicon } from '../text/lexicon.js';
import { joined } from '../text/reading.js';
import type { Unit } from '../text/units.js';
import type { Candidate } from '../types.js';
import { isRole } from './named-speakers.js';
import { type Passage, titleTerms } from './passage.js';

/** A first line that ends like no sentence, with more behind it; no row of a table, fence or tag. */
const HEADING =
  /^(?!```|~~~|<)(?:#{1,6}[ \t]+)?([^\n|\t]{1,120}?[^\n.!?:;,。！？：；，、\s])[ \t]*#*\r?\n\s*\S/u;

/** Characters in which it is looked for: a text may begin with megabytes of anything. */
const LOOKED_AT = 1000;

/** Metadata's title, or the heading that the text begins with. */
function titleOf({ text, sources: [{ title }] }: Candidate): string | undefined {
  if (title !== undefined) return title;
  const beginning = text.trimStart().slice(0, LOOKED_AT);
  return beginning.includes('\n') ? HEADING.exec(beginning)?.[1] : undefined;
}

export function chunkPassage(candidate: Candidate, lexicon: Lexicon, profile: ChunkProfile): Passage {
  const { text, sources } = candidate;
  const [{ title: given, speaker, position, date }] = sources;
  const title = titleTerms(titleOf(candidate), lexicon);
  const terms = lexicon.searchTerms(text);
  return {
    text,
    heading: given,
    title,
    terms: given === undefined || text.trimStart().startsWith(given) ? terms : joined([title, terms]),
    runs: lexicon.runs(text),
    speaker: profile === 'passages' ? undefined : speaker?.toLowerCase(),
    source: documentOf(candidate),
    position,
    date,
    namespace: candidate.namespace,
    isTrusted: candidate.tier === 0,
  };
}

/**
 * A unit of a chunk: read under the title of the chunk, in its source, and with what it needs, such as the header of its
 * table.
 */
export function unitPassage(
  { text, index }: Candidate,
  chunk: Passage,
  units: readonly Unit[],
  place: number,
  position: number,
  lexicon: Lexicon,
): Passage {
  const unit = units[place] as Unit;
  const terms: Int32Array[] = [];
  for (let at: number | undefined = place; at !== undefined; at = units[at]?.needs.at(-1)) {
    const { start, end } = units[at] as Unit;
    terms.unshift(lexicon.searchTermsWithin(text, start, end));
  }
  return {
    text: text.slice(unit.start, unit.end),
    title: chunk.title,
    terms: joined([chunk.title, ...terms]),
    runs: lexicon.runsWithin(text, unit.start, unit.end),
    speaker: chunk.speaker,
    source: String(index),
    position,
    date: chunk.date,
    namespace: chunk.namespace,
    isTrusted: chunk.isTrusted === true,
  };
}

/** Which weights a pool is for. */
export type ChunkProfile = 'passages' | 'talk' | 'chat';

/** Of the turns of a chat, this share at least is by roles: people may be named in it, and a few turns retrieved. */
const SHARE_OF_ROLES = 1 / 4;

/**
 * Documents, a talk of people, or a chat with an assistant.
 *
 * It is one of the latter two if at least half of the chunks have a speaker, and some source has more than one. It is
 * a chat if at least a quarter of those who speak are named by a role: `user`, `assistant`, `system` and the like.
 */
export function profileOf(candidates: readonly Candidate[]): ChunkProfile {
  const speakers = new Map<string | undefined, string>();
  let speaking = 0;
  let roles = 0;
  let isShared = false;
  for (const candidate of candidates) {
    const [{ speaker }] = candidate.sources;
    if (speaker === undefined) continue;
    speaking++;
    if (isRole(speaker.toLowerCase())) roles++;
    const document = documentOf(candidate);
    const other = speakers.get(document);
    if (other === undefined) speakers.set(document, speaker);
    else isShared ||= other !== speaker;
  }
  if (!isShared || 2 * speaking < candidates.length) return 'passages';
  return roles >= SHARE_OF_ROLES * speaking ? 'chat' : 'talk';
}
