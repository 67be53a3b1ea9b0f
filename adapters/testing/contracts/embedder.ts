import type { Embedder } from '../../../src/index.js';
import { type ContractCheck, checkIdentity, hold, nearEach, obeysAborts, same, suite } from './checks.js';

export interface EmbedderContractOptions {
  /** How far a number of a vector may be from itself when it is asked for again. Default 1e-6. */
  tolerance?: number | undefined;
  /** Texts of which at least two have different vectors. */
  texts?: readonly string[] | undefined;
}

const TEXTS = [
  'The bridge was opened in 1932.',
  'Cats sleep all day.',
  'Ferries leave at seven.',
  'x',
  '大桥 🙂',
];

/**
 * The requirements for every embedder.
 *
 * @param make makes the embedder; called for each check.
 */
export function embedderContract(
  make: () => Embedder | Promise<Embedder>,
  { tolerance = 1e-6, texts = TEXTS }: EmbedderContractOptions = {},
): ContractCheck[] {
  return suite(make, {
    'says of itself what a port may say': checkIdentity,
    'gives one vector of finite numbers per text, all of one length': async (embedder) => {
      for (const options of [{}, { queryIndex: 0 }, { queryIndex: texts.length - 1 }]) {
        const vectors = await embedder.embed(Object.freeze([...texts]), options);
        same(vectors.length, texts.length, 'number of vectors');
        const length = vectors[0]?.length ?? 0;
        hold(length >= 1, 'a vector must not be empty');
        for (const vector of vectors) {
          same(vector.length, length, 'length of a vector');
          hold(Array.from(vector).every(Number.isFinite), 'a vector must be of finite numbers');
        }
      }
    },
    'gives different texts different vectors': async (embedder) => {
      const vectors = await embedder.embed(texts, {});
      const distinct = new Set(vectors.map((vector) => Array.from(vector).join()));
      hold(distinct.size > 1, 'all texts have one vector');
    },
    'gives vectors in the order of the texts': async (embedder) => {
      const forwards = await embedder.embed(texts, {});
      const backwards = await embedder.embed([...texts].reverse(), {});
      nearEach([...backwards].reverse(), forwards, tolerance, 'in reverse');
    },
    'gives the same vector for the same text': async (embedder) => {
      const once = await embedder.embed(texts, { queryIndex: 1 });
      nearEach(await embedder.embed(texts, { queryIndex: 1 }), once, tolerance, 'asked again');
    },
    'gives nothing for nothing': async (embedder) => {
      same((await embedder.embed([], {})).length, 0, 'number of vectors');
    },
    'does not mix calls at the same time': async (embedder) => {
      const alone = await Promise.all(texts.map(async (text) => (await embedder.embed([text], {}))[0]));
      const together = await embedder.embed(texts, {});
      nearEach(alone as ArrayLike<number>[], together, tolerance, 'one by one');
    },
    ...obeysAborts<Embedder>({ embed: (embedder, call) => embedder.embed(texts, call) }),
  });
}
