/** Runs users' stages: gives them the public input, and checks their output. Loaded only if there is one. */
import { ContextShapingError, messageOf, rethrowControlFlow } from '../../errors.js';
import {
  checkConservation,
  type PipelineInput,
  type PipelineOutput,
  type PipelineStage,
} from '../../pipeline.js';
import { evict, withSignals } from '../../pool/candidate.js';
import { changedParts } from '../../relevance/model.js';
import { orAborted, pause, tooLate } from '../../runtime/abort.js';
import type { Stage, StageEviction, StageInput, StageOutput } from '../../stage.js';
import type { Candidate } from '../../types.js';

const LONGEST_EVIDENCE = 2000;

/**
 * Makes a pipeline stage of a user's stage.
 *
 * @param deadlineMs time for services. After that, the stage has the same time again to return a fallback.
 */
export function custom(stage: Stage, deadlineMs: number | null | undefined): PipelineStage {
  const { name } = stage;
  return {
    name,
    async run(input) {
      let output: unknown;
      try {
        output = await inTime(async () => stage.run(viewOf(input)), input, deadlineMs);
      } catch (error) {
        rethrowControlFlow(error, input.signal);
        const remedy = 'Correct the stage, or let it catch the error and return a fallback.';
        throw broken(`stage ${name}`, messageOf(error), 'failed', remedy, error);
      }
      return checked(name, input.candidates, output);
    },
  };
}

const viewOf = ({ query, candidates, evicted, pacer, signal, serviceSignal }: PipelineInput): StageInput =>
  Object.freeze({
    query: Object.freeze({ ...query }),
    candidates: Object.freeze([...candidates]),
    evicted: Object.freeze(evicted.map((each) => Object.freeze({ ...each }))),
    pacer: Object.freeze({ due: () => pacer.due(), pause: () => pacer.pause() }),
    ...(signal === undefined ? {} : { signal }),
    ...(serviceSignal === undefined ? {} : { serviceSignal }),
  });

/** Waits for a stage, until the caller aborts, or until the extra time after the deadline is over. */
async function inTime<T>(
  ask: () => Promise<T>,
  { signal, serviceSignal }: PipelineInput,
  deadlineMs: number | null | undefined,
): Promise<T> {
  if (deadlineMs == null || serviceSignal === undefined) return orAborted(ask(), signal);
  const over = new AbortController();
  const grace = () =>
    pause(deadlineMs, over.signal).then(
      () => over.abort(tooLate(2 * deadlineMs)),
      () => {},
    );
  serviceSignal.addEventListener('abort', grace, { once: true });
  if (serviceSignal.aborted) void grace();
  try {
    return await orAborted(orAborted(ask(), signal), over.signal);
  } finally {
    serviceSignal.removeEventListener('abort', grace);
    over.abort();
  }
}

const OUTPUT = ['kept', 'evicted', 'degradations'] as const satisfies readonly (keyof StageOutput)[];

/** @throws ContextShapingError `stage` or `conservation`, naming what the stage must not return. */
function checked(name: string, before: readonly Candidate[], output: unknown): PipelineOutput {
  const field = `stage ${name}`;
  const unknown = Object.keys(output ?? {}).find((key) => !OUTPUT.some((known) => known === key));
  if (typeof output !== 'object' || output === null || unknown !== undefined) {
    const is =
      unknown === undefined
        ? 'returned no object'
        : `returned ${JSON.stringify(unknown)}, which is not known`;
    throw broken(field, output, is, `Return { ${OUTPUT.join(', ')} }.`);
  }
  const { kept, evicted = [], degradations = [] } = output as Partial<StageOutput>;
  const lists = { kept, evicted, degradations };
  for (const [key, list] of Object.entries(lists)) {
    if (!Array.isArray(list)) throw broken(`${field}, ${key}`, list, 'must be an array', 'Return an array.');
  }
  const gone = Array.from(evicted, (each: StageEviction | undefined) => each?.candidate);
  const stays = Array.from(kept as readonly Candidate[]);
  for (const [key, list] of Object.entries({ kept: stays, evicted: gone })) {
    const at = list.findIndex((each) => typeof each !== 'object' || each === null);
    if (at === -1) continue;
    const remedy = 'Return candidates in kept, and { candidate, evidence } in evicted.';
    throw broken(`${field}, ${key}[${at}]`, list[at], 'has no candidate', remedy);
  }
  checkConservation(name, before, { kept: stays, evicted: gone as Candidate[] });
  const byIndex = new Map(before.map((candidate) => [candidate.index, candidate]));
  const incoming = ({ index }: Candidate) => byIndex.get(index) as Candidate;
  return {
    kept: stays.map((candidate) => admitted(name, incoming(candidate), candidate)),
    evicted: Array.from(evicted, ({ candidate, evidence, margin }, place) => {
      const at = `${field}, evicted[${place}]`;
      if (margin !== undefined && !(Number.isFinite(margin) && margin >= 0)) {
        const is = 'must be a number of at least 0';
        throw broken(`${at}.margin`, margin, is, 'Correct it, or leave it out.');
      }
      return evict(incoming(candidate), name, {
        reason: 'custom',
        evidence: plainJson(evidence, `${at}.evidence`),
        ...(margin === undefined ? {} : { margin }),
      });
    }),
    degradations: Array.from(degradations, (message: unknown, place) => {
      if (typeof message === 'string' && message.trim() !== '') {
        return { stage: name, code: 'stage-degraded', message };
      }
      const remedy = 'Describe the fallback in one sentence.';
      throw broken(`${field}, degradations[${place}]`, message, 'must be a sentence', remedy);
    }),
  };
}

/** Returns the candidate that came in, with the relevance of the returned one. Nothing else may have changed. */
function admitted(stage: string, given: Candidate, returned: Candidate): Candidate {
  if (given === returned) return given;
  const was = given.signals;
  const is: Partial<Candidate['signals']> = returned.signals ?? {};
  const changed =
    differing({ ...given, signals: 0 }, { ...returned, signals: 0 }) ??
    differing({ ...was, relevance: 0 }, { ...is, relevance: 0 });
  const field = `stage ${stage}, candidate ${JSON.stringify(given.id)}`;
  if (changed !== undefined) {
    const remedy =
      'Return the candidate as it came, or with another relevance: withRelevance(candidate, 0.5).';
    throw broken(field, returned, `was changed in ${changed}`, remedy);
  }
  const { relevance } = is;
  if (relevance === was.relevance) return given;
  if (typeof relevance !== 'number' || !(relevance >= 0 && relevance <= 1))
    throw broken(`${field}, relevance`, relevance, 'must be a number from 0 to 1', 'Scale it to 0..1.');
  // The difference in log-odds is the share of the stage.
  return withSignals(given, { relevance, features: changedParts(was, stage, relevance) });
}

/** Name of the first field in which two objects differ. */
function differing<T extends object>(one: T, other: T): string | undefined {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof T & string>;
  return [...keys].find((key) => !Object.is(one[key], other[key]));
}

/** Copies a plain object of JSON. Entries that are `undefined` are left out. */
function plainJson(value: unknown, field: string): Record<string, unknown> {
  const remedy = 'Give an object of strings, finite numbers, booleans, null, arrays and plain objects.';
  if (!isPlainObject(value)) throw broken(field, value, 'must be a plain object', remedy);
  const plain = function (this: Record<string, unknown>, key: string): unknown {
    const each = this[key];
    if (each == null || /^(?:string|boolean)$/.test(typeof each) || Number.isFinite(each)) return each;
    if (Array.isArray(each) || isPlainObject(each)) return each;
    throw broken(`${field}.${key}`, each, 'is not plain JSON', remedy);
  };
  let json: string;
  try {
    json = JSON.stringify(value, plain);
  } catch (error) {
    throw error instanceof ContextShapingError ? error : broken(field, value, 'is circular', remedy, error);
  }
  if (json.length > LONGEST_EVIDENCE)
    throw broken(field, value, `has more than ${LONGEST_EVIDENCE} characters`, 'Give ids and numbers.');
  return JSON.parse(json) as Record<string, unknown>;
}

/** An object of another realm has another Object.prototype. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function broken(
  field: string,
  value: unknown,
  is: string,
  remedy: string,
  cause?: unknown,
): ContextShapingError {
  return new ContextShapingError('stage', { field, value, is, remedy, cause });
}
