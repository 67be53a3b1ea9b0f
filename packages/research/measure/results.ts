/**
 * Measures how much long results of tools keep, at the level of the function that the hosts call:
 * `npm run research -- measure/results DIR`. DIR has the data set `tatqa`; READMEs are those in `node_modules`. Results are shaped
 * into 25,000 tokens.
 */
import { createShaper } from 'context-shaping';
import { shapeToolResult } from 'context-shaping-agents';
import { measureReadmes, measureTables, type ShapeResult } from './long-results.js';

const MOST_TOKENS = 25_000;

const [dir = 'data', perHalf = '50'] = process.argv.slice(2);
const shaper = createShaper({ tokenizer: 'o200k_base' });

const shape: ShapeResult = async ({ text, json }, query) => {
  const options = { query, shaper, maxTokens: MOST_TOKENS };
  if (json === undefined) return (await shapeToolResult({ ...options, content: text })).content;
  const { content } = await shapeToolResult({ ...options, content: json.value });
  return JSON.stringify(content);
};

if (process.env.ONLY !== 'readmes') await measureTables(dir, shape, Number(perHalf));
if (process.env.ONLY !== 'tables') await measureReadmes(shape);
