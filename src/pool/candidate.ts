import type { TokenCounter } from '../ports.js';
import { defined } from '../runtime/defined.js';
import { toOriginal } from '../text/edits.js';
import type { Candidate, Eviction, EvictionReason, Excerpt, Signals, Source } from '../types.js';

/** Returns a new, frozen candidate with signals added or replaced. */
export function withSignals(candidate: Candidate, signals: Partial<Signals>): Candidate {
  return Object.freeze({ ...candidate, signals: Object.freeze({ ...candidate.signals, ...signals }) });
}

/**
 * Returns a copy of the candidate with another relevance, for your own stages.
 *
 * @param relevance a probability, 0..1. The report has the difference in log-odds under the name of the stage.
 */
export const withRelevance = (candidate: Candidate, relevance: number): Candidate =>
  withSignals(candidate, { relevance });

/** Returns the candidate that stays, with the sources of its evicted copies after its own. */
export function inheritSources(candidate: Candidate, copies: readonly Candidate[]): Candidate {
  if (copies.length === 0) return candidate;
  const known = new Map<string, Source>();
  for (const source of [candidate, ...copies].flatMap((each) => each.sources)) {
    const key = JSON.stringify([source.id, source.source, source.position]);
    if (!known.has(key)) known.set(key, source);
  }
  const claims = [candidate, ...copies].flatMap((each) => each.claims ?? []);
  return Object.freeze({
    ...candidate,
    ...(claims.length === 0 ? {} : { claims: Object.freeze(claims) }),
    sources: Object.freeze([...known.values()]) as unknown as Candidate['sources'],
  });
}

export function evict(candidate: Candidate, stage: string, why: EvictionReason): Eviction {
  const { id, index, signals, sources, preview } = candidate;
  const [{ source, position }] = sources;
  return {
    id,
    index,
    stage,
    tokens: signals.tokens,
    ...defined({
      source,
      position,
      relevance: signals.relevance,
      features: signals.features,
      utility: signals.utility,
      preview,
    }),
    ...why,
  };
}

/** Whether the text is empty or white space. Such a candidate needs no room and answers nothing. */
export function isBlank({ text }: Candidate): boolean {
  return text.trim() === '';
}

/** The source document of a candidate, as a key. Absent if metadata does not name it. */
export function documentOf({
  namespace,
  sources,
}: Pick<Candidate, 'namespace' | 'sources'>): string | undefined {
  const [{ source }] = sources;
  return source === undefined ? undefined : `${namespace}\u0000${source}`;
}

/** The parts of the rendered text before and after the text, which may be trimmed. Absent if the text is not found. */
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

const asItIs = (text: string): string => text;

/** Renders the candidate with a piece in place of its text, sanitised if the text is. */
export function renderedWith(candidate: Candidate, piece: string): string {
  // Destructured here, because the declaration of a parameter must not name the internal field `render`.
  const { text, rendered, render, superseded, clean = asItIs } = candidate;
  if (render !== undefined) return render(clean(piece), superseded);
  const around = aroundText(rendered, text);
  if (around === undefined) return clean(piece);
  return clean(around.before + (piece === text ? around.whole : clean(piece)) + around.after);
}

/** Returns the candidate without the headers and marks of a frame, which do not help to answer. */
export function unframed(candidate: Candidate): Candidate {
  const { render, ...rest } = candidate;
  return render === undefined ? candidate : { ...rest, rendered: rest.text };
}

/** Whether the text is found in the rendered text. Otherwise a part cannot replace it. */
export function isCuttable(candidate: Candidate): boolean {
  return renderedWith(candidate, candidate.text) === candidate.rendered;
}

/** Returns the candidate cut to a part of its text, sanitised if the text is, with new excerpts and token count. */
export function cutTo(
  candidate: Candidate,
  { text, excerpts }: { text: string; excerpts: readonly Excerpt[] },
  countTokens: TokenCounter,
): Candidate {
  const rendered = renderedWith(candidate, text);
  const { clean = asItIs, original = candidate.text } = candidate;
  const cleaned = clean(text);
  return Object.freeze({
    ...candidate,
    text: cleaned,
    rendered,
    ...(cleaned === text ? {} : { original }),
    excerpts: Object.freeze(toOriginal(excerpts, candidate.edits ?? [])),
    signals: Object.freeze({ ...candidate.signals, tokens: countTokens(rendered) }),
  });
}

/** After the embed stage, all candidates have vectors or none has. */
export function haveVectors(candidates: readonly Candidate[]): boolean {
  return candidates.length > 0 && candidates.every((candidate) => candidate.vector !== undefined);
}
