import type { Embedder } from '../../src/index.js';
import { connectionProblem, invalidInput, orAborted } from '../../src/internal.js';
import { checkMethods, unreachable, withFastFailures } from '../model-calls/index.js';

/** The methods that this package uses of LangChain `Embeddings`. */
export interface EmbeddingsLike {
  embedDocuments(texts: string[]): Promise<ArrayLike<number>[]>;
  embedQuery(text: string): Promise<ArrayLike<number>>;
}

/**
 * Any LangChain `Embeddings` as an embedder. The query goes through `embedQuery`, all other texts through one call of
 * `embedDocuments`, since some models embed them differently. How many texts a request has is up to the class.
 *
 * Blank texts are not sent, since some services refuse a whole batch because of one; their vectors are all zero. An abort
 * ends the wait; requests under way run to their end, since `Embeddings` take no signal. The class itself repeats failed
 * requests (its `maxRetries`), but no refused connection.
 *
 * @throws ContextShapingError `invalid-options`, if `embeddings` is malformed; when embedding `service`, if nothing
 *   listens at the address.
 */
export function fromLangChainEmbeddings(embeddings: EmbeddingsLike): Embedder {
  const methods = ['embedDocuments', 'embedQuery'];
  checkMethods('embeddings', embeddings, methods, 'Give an instance of a LangChain Embeddings class.');
  const calling = withFastFailures(embeddings);
  return {
    specificationVersion: 'v1',
    provider: 'langchain',
    ...modelOf(embeddings),
    async embed(texts, { queryIndex, signal }) {
      signal?.throwIfAborted();
      const someText = texts.some((text) => !isBlank(text));
      const places = [...texts.keys()].filter((place) => !someText || !isBlank(texts[place] as string));
      const documents = places.filter((place) => place !== queryIndex);
      const sent = documents.map((place) => texts[place] as string);
      const asking = calling(async (model) => {
        const [ofQuery, ofDocuments] = await Promise.all([
          queryIndex !== undefined && places.includes(queryIndex)
            ? model.embedQuery(texts[queryIndex] as string)
            : undefined,
          sent.length === 0 ? [] : model.embedDocuments(sent),
        ]);
        const vectors = new Map(
          checked(ofDocuments, sent.length).map((vector, nth) => [documents[nth], vector]),
        );
        return ofQuery === undefined ? vectors : vectors.set(queryIndex, ofQuery);
      });
      const vectors = await orAborted(asking, signal).catch((error: unknown) => {
        const problem = connectionProblem(error);
        if (problem === undefined) throw error;
        throw unreachable(embeddings.constructor?.name ?? 'embeddings', problem, error);
      });
      const blank = new Float32Array([...vectors.values()][0]?.length ?? 0);
      // Not `?? blank`: null from a service must fail the check, and not become a blank text.
      return texts.map((_, place) =>
        vectors.has(place) ? (vectors.get(place) as ArrayLike<number>) : blank,
      );
    },
  };
}

/** The class, its model, and the length of its vectors if the class has it; nothing, if it names no model. */
function modelOf(embeddings: EmbeddingsLike): { modelId?: string } {
  const { model, modelName = model, dimensions } = embeddings as unknown as Record<string, unknown>;
  if (typeof modelName !== 'string' || modelName === '') return {};
  const known = [embeddings.constructor?.name, modelName, dimensions];
  return {
    modelId: known
      .filter((part) => typeof part === 'number' || (typeof part === 'string' && part !== ''))
      .join('/'),
  };
}

const isBlank = (text: string) => text.trim() === '';

function checked(answer: ArrayLike<number>[], expected: number): ArrayLike<number>[] {
  if (Array.isArray(answer) && answer.length === expected) return answer;
  throw invalidInput(
    'embeddings.embedDocuments',
    Array.isArray(answer) ? answer.length : answer,
    `must return ${expected} vectors for ${expected} texts`,
    'Lower the batch size of the class if its service limits the number of texts per request.',
  );
}
