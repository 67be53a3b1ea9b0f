/** `POST /v1/shape`: reads the input of `context-shaping shape` and returns the shaped context. */
import {
  ContextShapingError,
  createShaper,
  type Degradation,
  type ShapingOptions,
  type ShapingReport,
  type Telemetry,
} from 'context-shaping';
import { mergeOptions, resolveOptions, sealReport } from 'context-shaping/internal';
import { defined, fieldsAsWritten, invalidInput, readShapeRequest } from 'context-shaping/kit';
import { countReasons, type Done, type Facts, type Job, type Setup } from './jobs.js';
import { decodeUtf8, isTooDeep } from './json-body.js';
import { refuseOperatorsOptions } from './json-options.js';
import { splitId } from './line-id.js';
import { inputProblem, isCallersFault, type Problem, problem } from './problems.js';

/** @throws ContextShapingError `invalid-options` if the operator's options are wrong. */
export function createShape(
  { embedder, options }: Setup,
  maxChunks: number,
): (job: Pick<Job, 'body' | 'trace' | 'batch'>, signal?: AbortSignal) => Promise<Done> {
  const operators = defined({ embedder, ...options });
  resolveOptions(operators);
  return async ({ body, trace, batch }, signal) => {
    const parsed = parse(body, batch ? 'line' : 'body');
    if ('status' in parsed) return refused(parsed);
    try {
      const { id, request } = batch ? splitId(parsed.value) : { request: parsed.value };
      const { query, chunks, options: written, paths } = readShapeRequest(request);
      try {
        if (chunks.length > maxChunks) {
          const is = `has ${chunks.length} entries, but at most ${maxChunks} are allowed`;
          const remedy = 'Retrieve fewer chunks, or send several requests.';
          throw invalidInput('chunks', chunks.length, is, remedy);
        }
        const deep = chunks.findIndex((chunk) => isTooDeep({ ...chunk, embedding: undefined }));
        if (deep >= 0) {
          const is = 'is nested more than 1,000 levels deep';
          throw invalidInput(`chunks[${deep}]`, 'too many levels', is, 'Send less nested metadata.');
        }
        refuseOperatorsOptions(written);
        const defaults = batch ? mergeOptions(operators, { ...batch.options }) : operators;
        const merged = mergeOptions(defaults, written);
        merged.deadlineMs = sooner(merged.deadlineMs, options?.deadlineMs);
        const given = {
          ...merged,
          ...defined({ telemetry: inTrace(options?.telemetry, trace) }),
        } as ShapingOptions;
        const { chunks: kept, report } = await createShaper(given).shape({ query, chunks, signal });
        const told = batch ? report : forCaller(report);
        return {
          status: 200,
          body: JSON.stringify({ id, chunks: kept, report: batch?.report === false ? undefined : told }),
          facts: factsOf(report),
        };
      } catch (error) {
        // The operator chose the token counter, so the client cannot correct its error.
        if (!batch && isOfCounter(error) && written.tokenizer === undefined)
          throw new Error('tokenizer', { cause: error });
        throw fieldsAsWritten(error, paths);
      }
    } catch (error) {
      if (isCallersFault(error)) return refused(inputProblem(error));
      throw error;
    }
  };
}

const isOfCounter = (error: unknown) => ContextShapingError.isInstance(error) && error.field === 'tokenizer';

function parse(body: Uint8Array, name: 'body' | 'line'): { value: unknown } | Problem {
  const remedy = 'Write it with JSON.stringify or json.dumps, as UTF-8.';
  const text = decodeUtf8(body);
  if (text === undefined) return problem(400, `The ${name} is not UTF-8 text.`, { remedy });
  try {
    return { value: JSON.parse(text) };
  } catch {
    return problem(400, `The ${name} is not JSON.`, { remedy });
  }
}

const refused = (found: Problem): Done => ({ status: found.status, problem: found });

function factsOf({ input, kept, evicted, tokens, degradations, flags }: ShapingReport): Facts {
  return {
    chunksIn: input.length,
    chunksOut: kept.length,
    tokensIn: tokens.input,
    tokensOut: tokens.output,
    evictions: countReasons(evicted),
    degradations: degradations.map(({ code }) => code),
    flags: flags.flatMap((flagged) => flagged.flags.map(({ kind }) => kind)),
  };
}

/** The messages of these degradations may contain addresses, keys or texts of other clients. */
const REASON_IS_THE_OPERATORS = [
  'embedder-failed',
  'query-not-embedded',
  'ecs-failed',
  'ecs-incomplete',
  'scorer-failed',
  'scorer-incomplete',
  'observer-failed',
];

/** Seals a changed report again, because the digest must match the report that the client gets. */
function forCaller(report: ShapingReport): ShapingReport {
  const isSecret = ({ code }: Degradation) => REASON_IS_THE_OPERATORS.includes(code);
  const { digest: _, ...told } = report;
  if (!told.degradations.some(isSecret)) return report;
  const message = 'The operator’s reports have the reason.';
  const degradations = told.degradations.map((each) => (isSecret(each) ? { ...each, message } : each));
  return sealReport({ ...told, degradations });
}

/** The same telemetry, with spans in the trace of a request. */
function inTrace(telemetry: Telemetry | undefined, headers: Job['trace']): Telemetry | undefined {
  if (telemetry === undefined || headers === undefined) return telemetry;
  const { provider, modelId } = telemetry;
  return { provider, modelId, begin: (work) => telemetry.begin(work, headers) };
}

/** A request may shorten the operator's deadline, but not extend it, because a worker waits as well. */
function sooner(callers: unknown, operators: number | null | undefined): unknown {
  const isLater = operators != null && (callers == null || Number(callers) > operators);
  return isLater ? operators : callers;
}
