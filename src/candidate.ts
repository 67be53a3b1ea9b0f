import type { Candidate, Eviction, EvictionReason, Signals, Source } from './types.js';

/** The candidate with something added or replaced: always a new, frozen object. */
export function withSignals(candidate: Candidate, signals: Partial<Signals>): Candidate {
  return Object.freeze({ ...candidate, signals: Object.freeze({ ...candidate.signals, ...signals }) });
}

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
