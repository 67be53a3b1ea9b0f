/** Runs the library beside the page, so that thousands of chunks do not make it stop. */
import { ContextShapingError, createShaper } from 'context-shaping';
import { said } from '../../../../adapters/report/index.js';
import { byContext } from '../../../../packages/devtools/page/model/conflicts.js';
import { reasonsOf, stepsOf } from '../../../../packages/devtools/page/model/flow.js';
import { framedPrompt, plainPrompt } from '../../../../packages/devtools/page/model/prompt.js';
import { rowsOf } from '../../../../packages/devtools/page/model/rows.js';
import { defaultStage } from '../../../../src/default-stages.js';
import { exactCounter } from '../../../../src/tokens/tokenizers.js';
import type { Answer, Request, Shaped } from './protocol';
import { readChunks } from './read-chunks';

/** By literal names, which the bundler finds; each vocabulary is a file of its own. */
const VOCABULARIES = {
  o200k_base: async () => ({
    ...(await import('gpt-tokenizer/encoding/o200k_base')),
    constants: await import('gpt-tokenizer/encodingParams/constants'),
    ranks: (await import('gpt-tokenizer/bpeRanks/o200k_base')).default,
  }),
  cl100k_base: async () => ({
    ...(await import('gpt-tokenizer/encoding/cl100k_base')),
    constants: await import('gpt-tokenizer/encodingParams/constants'),
    ranks: (await import('gpt-tokenizer/bpeRanks/cl100k_base')).default,
  }),
};

/** Only the newest run counts. */
let current = new AbortController();

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  current.abort();
  current = new AbortController();
  void answer(data, current.signal);
});

async function answer(request: Request, signal: AbortSignal): Promise<void> {
  const reply = await outcome(request, signal).catch((error: unknown): Answer | undefined => {
    if (signal.aborted) return undefined;
    const { run } = request;
    if (!ContextShapingError.isInstance(error)) return { run, failure: String(error) };
    const { field, problem, remedy } = error;
    return { run, problem: { field, problem, remedy } };
  });
  if (reply !== undefined) self.postMessage(reply);
}

async function outcome({ run, text, query, options }: Request, signal: AbortSignal): Promise<Answer> {
  const pasted = readChunks(text);
  const { tokenizer } = options;
  if (tokenizer === 'o200k_base' || tokenizer === 'cl100k_base') {
    // From now on, the shaper finds the counter by its name.
    exactCounter(tokenizer, await VOCABULARIES[tokenizer]());
  }
  const shaper = createShaper(options);
  const asked = query.trim() === '' ? (pasted.query ?? '') : query;
  const start = performance.now();
  const { chunks, report } = await shaper.shape({ query: asked, chunks: pasted.chunks, signal });
  const milliseconds = performance.now() - start;
  const { format, chunks: input } = pasted;
  const texts = input.map((chunk) => chunk.text);
  const rows = rowsOf(report, texts, {
    passages: new Map(chunks.map((chunk) => [chunk.index, chunk.text])),
  });
  const shaped: Shaped = {
    ...{ query: asked, format, input, report, rows, milliseconds },
    prompt: { plain: plainPrompt(chunks), framed: framedPrompt(chunks, report.options) },
    conflicts: byContext(report),
    notes: [
      ...rows.flatMap(({ id, flags, outcome }) =>
        flags.map((flag) => `${id}${outcome === 'gone' ? ', left out,' : ''} ${said(flag)}`),
      ),
      ...report.degradations.map(({ stage, message }) => `${stage}: ${message}`),
    ],
    reasons: reasonsOf(report.evicted),
    steps: stepsOf(report).map((step) => ({ ...step, task: defaultStage(step.name)?.task ?? '' })),
  };
  return { run, shaped };
}
