/**
 * Measures how much long results of tools keep, at the level of the function that the hosts call:
 * `npm run research -- measure/results DIR`. DIR has the data set `tatqa`; READMEs are those in `node_modules`. Results are shaped
 * into 25,000 tokens.
 */
import { createShaper } from 'context-shaping';
import {
  type Structure,
  shapeStructure,
  structureOf,
  structureOfJson,
} from '../../../adapters/structures/index.js';
import { countTokensO200k } from '../eval/tokens.js';
import { type LongResult, measureReadmes, measureTables, type ShapeResult } from './long-results.js';

const MOST_TOKENS = 25_000;
/** Left for the note. */
const NOTE_TOKENS = 500;

const [dir = 'data', perHalf = '50'] = process.argv.slice(2);
const shaper = createShaper({ tokenizer: 'o200k_base' });
const structures = new WeakMap<LongResult, Structure>();

const shape: ShapeResult = async (result, query) => {
  const { text, json } = result;
  const structure =
    structures.get(result) ??
    (json === undefined ? structureOf(text) : structureOfJson(json.value, { schema: json.schema }));
  structures.set(result, structure);
  const { rebuilt } = await shapeStructure(structure, {
    query,
    shaper,
    maxTokens: MOST_TOKENS - NOTE_TOKENS,
    countTokens: async (texts) => texts.map(countTokensO200k),
  });
  return rebuilt.text;
};

if (process.env.ONLY !== 'readmes') await measureTables(dir, shape, Number(perHalf));
if (process.env.ONLY !== 'tables') await measureReadmes(shape);
