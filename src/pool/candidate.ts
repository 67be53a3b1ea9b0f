import type { TokenCounter } from '../ports.js';
import { toOriginal } from '../text/edits.js';
import type { Candidate, Eviction, EvictionReason, Excerpt, Signals, Source } from '../types.js';

/** The candidate with something added or replaced: always a new, frozen object. */
export function withSignals(candidate: Candidate, signals: Partial<Signals>): Candidate {
  return Object.freeze({ ...candidate, signals: Object.freeze({ ...candidate.signals, ...signals }) });
}

/**
 * The candidate with another relevance, for stages of your own: it may change nothing else.
 *
 * @param relevance 0..1; what it is beyond the former value is the stage's part of it in `features` of the report.
 */
export const withRelevance = (candidate: Candidate, relevance: number): Candidate =>
  withSignals(candidate, { relevance });

/** The candidate that stays, with the sources of the copies that go; its own come first. */
export function inheritSources(candidate: Candidate, copies: readonly Candidate[]): Candidate {
  if (copies.length === 0) return candidate;
  const known = new Map<string, Source>();
  for (const source of [candidate, ...copies].flatMap((each) => each.sources)) {
    const key = JSON.stringify([source.id, source.source, source.position]);
    if (!known.has(key)) known.set(key, source);
  }
  return Object.freeze({
    ...candidate,
    sources: Object.freeze([...known.values()]) as unknown as Candidate['sources'],
  });
}

export function evict(candidate: Candidate, stage: string, why: EvictionReason): Eviction {
  const { id, index, signals, sources } = candidate;
  const [{ source, position }] = sources;
  return {
    id,
    index,
    stage,
    tokens: signals.tokens,
    ...(source === undefined ? {} : { source }),
    ...(position === undefined ? {} : { position }),
    ...(signals.relevance === undefined ? {} : { relevance: signals.relevance }),
    ...(signals.features === undefined ? {} : { features: signals.features }),
    ...(signals.utility === undefined ? {} : { utility: signals.utility }),
    ...why,
  };
}

/** White space alone, or nothing: it takes no room and answers nothing. */
export function isBlank({ text }: Candidate): boolean {
  return text.trim() === '';
}

/** The document a candidate is from, as a key; absent where metadata does not tell. */
export function documentOf({ namespace, sources }: Candidate): string | undefined {
  const [{ source }] = sources;
  return source === undefined ? undefined : `${namespace}\u0000${source}`;
}

/** What the model sees before and after the text; white space around the text may be gone. Absent where it is not found. */
export function aroundText(
  rendered: string,
  text: string,
): { before: string; whole: string; after: string } | undefined {
  const whole = rendered.includes(text) ? text : text.trim();
  const at = rendered.lastIndexOf(whole);
  return at < 0
    ? undefined
    : { before: rendered.slice(0, at), whole, after: rendered.slice(at + whole.length) };
}

/** What the model would see with a piece in the place of the text. */
export function renderedWith(candidate: Candidate, piece: string): string {
  const { text, rendered, render } = candidate;
  if (render !== undefined) return render(piece);
  const around = aroundText(rendered, text);
  if (around === undefined) return piece;
  return around.before + (piece === text ? around.whole : piece) + around.after;
}

/** The candidate without the headers and marks of a frame, which say nothing about the answer. */
export function unframed(candidate: Candidate): Candidate {
  const { render, ...rest } = candidate;
  return render === undefined ? candidate : { ...rest, rendered: rest.text };
}

/** Can the text be found in what the model sees? Only then can a part of it take its place. */
export function isCuttable(candidate: Candidate): boolean {
  return renderedWith(candidate, candidate.text) === candidate.rendered;
}

/** The candidate with a part of its text, and what that costs. */
export function cutTo(
  candidate: Candidate,
  { text, excerpts }: { text: string; excerpts: readonly Excerpt[] },
  countTokens: TokenCounter,
): Candidate {
  const rendered = renderedWith(candidate, text);
  return Object.freeze({
    ...candidate,
    text,
    rendered,
    excerpts: Object.freeze(toOriginal(excerpts, candidate.edits ?? [])),
    signals: Object.freeze({ ...candidate.signals, tokens: countTokens(rendered) }),
  });
}
