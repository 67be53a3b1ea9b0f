import type { Embedder } from 'context-shaping';
import type { Dataset } from '../data/case.js';
import type { Method } from '../methods/method.js';
import type { SuiteResult } from '../results.js';

export interface SuiteInput {
  dataDir: string;
  /** Of static vectors; absent without a model. */
  embedder?: Embedder | undefined;
  /** Folders of embedding models, and where their vectors are kept (real-lists). */
  models?: readonly string[] | undefined;
  vectors?: string | undefined;
  /** The most cases to run. */
  limit?: number | undefined;
  /** Only sets and lists whose names hold one of these, in suites that have several; absent: all. */
  sets?: readonly string[] | undefined;
  lists?: readonly string[] | undefined;
  /** Measures each set with the model that is learned from the families of the others. */
  leftOut?: boolean | undefined;
  /** Is given what is kept of each question in full, by suites that are to be read; absent unless that is asked for. */
  print?: ((text: string) => void) | undefined;
  /** Called before each case. */
  onProgress(done: number, total: number): void;
}

export interface Suite {
  name: string;
  /** The option without which it does not run. */
  needs?: 'models';
  /** @returns nothing if the data is not there. */
  run(input: SuiteInput): Promise<SuiteResult | undefined>;
}

/** Does a name hold one of the texts? Any does if there are none. */
export const isAskedFor = (name: string, texts?: readonly string[]): boolean =>
  texts === undefined || texts.some((text) => name.toLowerCase().includes(text.toLowerCase()));

/** So many of them, evenly spread. */
export function spread<T>(all: readonly T[], limit = all.length): T[] {
  const size = Math.min(limit, all.length);
  return Array.from({ length: size }, (_, at) => all[Math.floor((at * all.length) / size)] as T);
}

/** So many cases, evenly spread over the set. */
export function limited({ cases, counts }: Dataset, limit?: number): Dataset {
  const some = spread(cases, limit);
  return {
    cases: some,
    counts: some.length < cases.length ? { ...counts, 'cases run': some.length } : counts,
  };
}

export function runnable(methods: readonly Method[], embedder: Embedder | undefined): Method[] {
  return methods.filter(({ needsVectors }) => embedder !== undefined || !needsVectors);
}

/** What stands where the rows of methods with vectors would. */
export function skippedNote(methods: readonly Method[], embedder: Embedder | undefined): string[] {
  const skipped = methods.filter(({ needsVectors }) => needsVectors && embedder === undefined);
  return skipped.length === 0
    ? []
    : [`Skipped without --model: ${skipped.map(({ name }) => name).join('; ')}.`];
}
