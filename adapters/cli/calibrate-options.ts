/** The options with which `context-shaping calibrate` measures: from flags, and from files that flags name. */
import type { ShapingOptions } from '../../src/index.js';
import { isObject, type JsonObject } from '../../src/internal.js';
import type { CalibrateOptions } from '../logprobs/index.js';
import { UsageError } from './errors.js';
import { readJson, readText } from './files.js';

export interface MeasuredOptions {
  ecs: CalibrateOptions['ecs'];
  shaping: NonNullable<CalibrateOptions['shaping']>;
}

interface OptionSources {
  share?: number;
  maxCandidates?: number;
  embedder?: string;
  prompt?: string;
  options?: string;
}

/** The options of a shaper that a file may have: the others do not change the measurement. */
const MEASURED = ['ecs', 'ranked', 'relevance', 'tokenizer'];

/** @throws UsageError, if a file cannot be read, or is malformed. */
export async function readMeasuredOptions(
  { share, maxCandidates, embedder: folder, prompt: template, options: file }: OptionSources,
  signal: AbortSignal,
): Promise<MeasuredOptions> {
  const { ecs = {}, ...shaping } = file === undefined ? {} : await readOptions(file, signal);
  const prompt = template === undefined ? undefined : await readPrompt(template, signal);
  const given = Object.entries({ share, maxCandidates, prompt }).filter(([, value]) => value !== undefined);
  return {
    ecs: { ...(ecs as CalibrateOptions['ecs']), ...Object.fromEntries(given) },
    shaping: {
      ...(shaping as ShapingOptions),
      ...(folder === undefined ? {} : { embedder: await loadEmbedder(folder) }),
    },
  };
}

async function loadEmbedder(folder: string): Promise<NonNullable<ShapingOptions['embedder']>> {
  const { loadStaticEmbedder } = await import('../embeddings/index.js');
  return loadStaticEmbedder(folder);
}

async function readOptions(file: string, signal: AbortSignal): Promise<JsonObject> {
  const options = await readJson(file, 'Name a JSON file of options.', signal);
  if (!isObject(options) || (options.ecs !== undefined && !isObject(options.ecs)))
    throw new UsageError(
      `${file} must hold an object of options, such as { "relevance": { "weights": { "score": 2 } } }.`,
    );
  const unknown = Object.keys(options).find((name) => !MEASURED.includes(name));
  if (unknown === undefined) return options;
  throw new UsageError(
    `${file} has the option ${JSON.stringify(unknown)}, which a calibration does not use. Leave it out: only ${MEASURED.join(', ')} count.`,
  );
}

const PLACES = /\{(context|question)\}/g;

/** A prompt of a template: each passage is on one line of the context. */
async function readPrompt(file: string, signal: AbortSignal) {
  const template = (await readText(file, 'Name a text file with {context} and {question}.', signal)).replace(
    /\r?\n$/,
    '',
  );
  for (const place of ['{context}', '{question}']) {
    if (!template.includes(place))
      throw new UsageError(`${file} must have the places {context} and {question}; ${place} is missing.`);
  }
  return ({ context, question }: { readonly context: readonly string[]; readonly question: string }) =>
    template.replace(PLACES, (_, name) => (name === 'context' ? context.join('\n') : question));
}
