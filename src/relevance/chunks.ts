/** Converts chunks, and the units within them, to passages. */
import { documentOf } from '../pool/candidate.js';
import type { Lexicon } from '../text/lexicon.js';
import type { Unit } from '../text/units/page.js';
import type { Candidate } from '../types.js';
import { isRole } from './named-speakers.js';
import { joined, type Passage, titledTerms, titleTerms } from './passage.js';

/** A heading: a first line without a sentence's end, followed by more text. Table rows, fences and tags do not match. */
const HEADING =
  /^(?!```|~~~|<)(?:#{1,6}[ \t]+)?([^\n|\t]{1,120}?[^\n.!?:;,。！？：；，、\s])[ \t]*#*\r?\n\s*\S/u;

/** The heading is searched in this number of characters, because a text may be megabytes long. */
const LOOKED_AT = 1000;

/** Returns the title from metadata, or else the heading at the beginning of the text. */
function titleOf({ text, sources: [{ title }] }: Candidate): string | undefined {
  if (title !== undefined) return title;
  const beginning = text.trimStart().slice(0, LOOKED_AT);
  return beginning.includes('\n') ? HEADING.exec(beginning)?.[1] : undefined;
}

/**
 * Converts a chunk to a passage. Only talks and chats have speakers: the profile `passages` leaves them out.
 *
 */
export function chunkPassage(candidate: Candidate, lexicon: Lexicon, profile: ChunkProfile): Passage {
  const { text, sources } = candidate;
  const [{ title: heading, speaker, position, date }] = sources;
  const title = titleTerms(titleOf(candidate), lexicon);
  return {
    text,
    heading,
    title,
    terms: titledTerms({ text, heading, title }, lexicon),
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
 * Converts a unit of a chunk to a passage. Its terms are those of the chunk's title, of the units that it needs (such as
 * the header of its table), and its own.
 *
 * @param chunk the whole chunk as a passage.
 * @param place index of the unit in `units`.
 * @param position its position among the units of the chunk that may answer. The chunk is its source.
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
  const needed: Unit[] = [];
  for (let at: number | undefined = place; at !== undefined; at = units[at]?.needs.at(-1))
    needed.push(units[at] as Unit);
  const terms = needed.reverse().flatMap(({ start, end }) => lexicon.searchTermsWithin(text, start, end));
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

/** The set of learned weights that fits a pool. */
export type ChunkProfile = 'passages' | 'talk' | 'chat';

/**
 * In a chat, at least this share of the turns has a role as speaker. It is low because a chat may also have named people,
 * and a pool may hold only a few of its turns.
 */
const SHARE_OF_ROLES = 1 / 4;

/**
 * Decides whether a pool holds documents (`passages`), a talk of people, or a chat with an assistant.
 *
 * It is a talk or a chat if at least half of the chunks have a speaker, and at least one source has more than one
 * speaker. It is a chat if at least a quarter of the chunks with a speaker have a role as speaker: `user`, `assistant`,
 * `system` and the like.
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
