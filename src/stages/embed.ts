import { rethrowControlFlow } from '../errors.js';
import { checkAnswer } from '../input/embedder-answer.js';
import { packVector } from '../math/vectors.js';
import type { PipelineInput, PipelineOutput, PipelineStage } from '../pipeline.js';
import type { Embedder } from '../ports.js';
import { orAborted } from '../runtime/abort.js';
import type { ShapingQuery } from '../stage.js';
import type { Candidate, Degradation } from '../types.js';

const NAME = 'embed';

/**
 * Gives vectors to candidates and query. After this stage, either every candidate has a vector or none has one.
 *
 * | chunks have | embedder | result |
 * |---|---|---|
 * | all vectors | any | vectors are used as given; if the query has none, only the query is embedded |
 * | some or no vectors | yes | all texts and the query are embedded again, in one batch, each distinct text once |
 * | some vectors | no | vectors are dropped (`embeddings-incomplete`); stages compare words |
 * | no vectors | no | stages compare words |
 *
 * If the embedder fails, is too late or returns malformed vectors, stages compare words. If only the query was to be
 * embedded, the query has no vector.
 */
export function embed(embedder: Embedder | undefined): PipelineStage {
  return {
    name: NAME,
    async run(input) {
      const { candidates, query } = input;
      if (candidates.length === 0) return { kept: candidates, evicted: [] };
      if (candidates.every((candidate) => candidate.vector !== undefined)) {
        return query.vector === undefined && embedder !== undefined
          ? embedQuery(embedder, input)
          : { kept: candidates, evicted: [] };
      }
      if (embedder !== undefined) return embedAll(embedder, input);
      const without = candidates.filter((candidate) => candidate.vector === undefined).length;
      return without === candidates.length
        ? wordsAlone(input)
        : wordsAlone(input, {
            code: 'embeddings-incomplete',
            message: `${without} of ${candidates.length} chunks have no embedding, and there is no embedder; chunks were compared by words instead.`,
          });
    },
  };
}

async function embedAll(embedder: Embedder, input: PipelineInput): Promise<PipelineOutput> {
  const { candidates, query } = input;
  const texts = [...new Set(candidates.map((candidate) => candidate.text))];
  const places = new Map(texts.map((text, place) => [text, place]));
  const owners = new Map(candidates.map(({ text, index }) => [text, index]));
  const withQuery = query.text !== '';
  if (withQuery && !places.has(query.text)) places.set(query.text, texts.push(query.text) - 1);
  try {
    const vectors = await request(
      embedder,
      input,
      texts,
      withQuery ? places.get(query.text) : undefined,
      (place) => {
        const owner = owners.get(texts[place] as string);
        return owner === undefined ? 'query' : `chunks[${owner}]`;
      },
    );
    const vectorOf = (text: string) => vectors[places.get(text) as number] as Float32Array;
    return {
      kept: candidates.map((candidate) => Object.freeze({ ...candidate, vector: vectorOf(candidate.text) })),
      evicted: [],
      query: withQuery ? { ...wordsOf(query), vector: vectorOf(query.text) } : wordsOf(query),
    };
  } catch (error) {
    rethrowControlFlow(error, input.signal);
    return wordsAlone(input, {
      code: 'embedder-failed',
      message: `The embedder failed; chunks were compared by words instead. ${input.tellError(error)}`,
    });
  }
}

async function embedQuery(embedder: Embedder, input: PipelineInput): Promise<PipelineOutput> {
  const { candidates, query } = input;
  const kept = { kept: candidates, evicted: [] };
  if (query.text === '') return kept;
  const dimension = candidates[0]?.vector?.length as number;
  try {
    const [vector] = await request(embedder, input, [query.text], 0, () => 'query', {
      of: dimension,
      field: 'the chunks’ embedding',
    });
    return { ...kept, query: { ...query, vector: vector as Float32Array } };
  } catch (error) {
    rethrowControlFlow(error, input.signal);
    const message = `The query could not be embedded; chunks are compared with it by words. ${input.tellError(error)}`;
    return { ...kept, degradations: [{ stage: NAME, code: 'query-not-embedded', message }] };
  }
}

/** Calls the embedder, within abort and deadline, and checks its answer. */
async function request(
  embedder: Embedder,
  { serviceSignal }: PipelineInput,
  texts: readonly string[],
  queryIndex: number | undefined,
  ownerOf: (place: number) => string,
  expected?: { of: number; field: string },
): Promise<Float32Array[]> {
  serviceSignal?.throwIfAborted();
  const options = {
    ...(queryIndex === undefined ? {} : { queryIndex }),
    ...(serviceSignal ? { signal: serviceSignal } : {}),
  };
  const answer: unknown = await orAborted(embedder.embed(Object.freeze([...texts]), options), serviceSignal);
  checkAnswer(answer, texts.length);
  let dimension = expected;
  const units = answer.map((vector, place) => {
    const field = `embedding of ${ownerOf(place)}`;
    const unit = packVector(vector, field, dimension);
    dimension ??= { of: unit.length, field };
    return unit;
  });
  return units;
}

/** Returns the query without its vector. */
function wordsOf({ vector: _, ...query }: ShapingQuery): ShapingQuery {
  return query;
}

/** Drops all vectors, because vectors of only some candidates cannot be compared. */
function wordsAlone(
  { candidates, query }: PipelineInput,
  degradation?: Omit<Degradation, 'stage'>,
): PipelineOutput {
  const kept = candidates.map((candidate): Candidate => {
    if (candidate.vector === undefined) return candidate;
    const { vector: _, ...rest } = candidate;
    return Object.freeze(rest);
  });
  return {
    kept,
    evicted: [],
    query: wordsOf(query),
    ...(degradation === undefined ? {} : { degradations: [{ stage: NAME, ...degradation }] }),
  };
}
