/** The answers of services, by hashes of the questions. */
import { digestOf } from 'context-shaping/kit';
import { byKey } from './values.js';

/**
 * The key of a question in a lockfile: that of the recording, with the hash in place of texts. `document TEXT` becomes
 * `document HASH`, `score 0 {"prompt":…}` becomes `score 0 HASH`, and `identify model` stays.
 */
export function keyOf(key: string): string {
  const [, start, text] =
    /^((?:query|document|judge|sentences|(?:score|generate) \d+) )(.*)$/s.exec(key) ?? [];
  return text === undefined ? key : `${start}${digestOf(text)}`;
}

/** A map for a recording: recorded answers are found by their hashed keys, new answers are added under their own. */
export class RecordedAnswers<T> extends Map<string, T> {
  readonly #recorded: ReadonlyMap<string, T>;

  constructor(recorded: ReadonlyMap<string, T>) {
    super();
    this.#recorded = recorded;
  }

  override has(key: string): boolean {
    return super.has(key) || this.#recorded.has(keyOf(key));
  }

  override get(key: string): T | undefined {
    return super.get(key) ?? this.#recorded.get(keyOf(key));
  }

  /** All answers by hashed keys. */
  hashed(): Map<string, T> {
    return new Map([...this.#recorded, ...withHashedKeys(this)]);
  }
}

const withHashedKeys = <T>(answers: ReadonlyMap<string, T>) =>
  Array.from(answers, ([key, value]) => [keyOf(key), value] as const);

/** All answers of a recording as JSON by hashed keys, in the order of the keys. */
export function hashedAnswers<T>(
  answers: ReadonlyMap<string, T>,
  json: (answer: T) => unknown,
): Record<string, unknown> {
  const all = answers instanceof RecordedAnswers ? answers.hashed() : withHashedKeys(answers);
  return Object.fromEntries(
    Array.from(all, ([key, answer]) => [key, json(answer) ?? null] as const).sort(byKey),
  );
}
