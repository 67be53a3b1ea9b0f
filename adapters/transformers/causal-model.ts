import * as z from 'zod';
import type { LogprobModel } from '../../src/index.js';
import { orAborted, parseOptions } from '../../src/internal.js';
import { type InMemory, inProcess } from '../model-calls/index.js';
import { causalEngine } from './causal-engine.js';
import { CausalText } from './causal-text.js';
import { type OpenModel, openModel } from './open-model.js';
import { COMMON_OPTIONS, type TransformersOptions } from './options.js';

const optionsSchema = z.strictObject({
  ...COMMON_OPTIONS,
  chatTemplate: z.boolean().default(false),
  parseSpecial: z.boolean().default(false),
});

export interface CausalModelOptions extends TransformersOptions {
  /**
   * Whether each prompt becomes the message of a user in the model's own chat template, without thinking. The
   * continuation is then the beginning of the answer; if the template ends in white space, one leading space of the
   * continuation is dropped. Templates that write the date of today get a fixed one. Default `false`.
   */
  chatTemplate?: boolean | undefined;
  /**
   * Whether control tokens in prompts and continuations are read as such. By default they are text: a space after their
   * first character breaks them up. The control tokens of the chat template are always read as such. Default `false`.
   */
  parseSpecial?: boolean | undefined;
}

/** A language model in this process. */
export interface CausalModel extends LogprobModel, InMemory {}

/**
 * A language model in this process, through the optional package `@huggingface/transformers` (4.3 or later), in Node or a
 * browser. Prompts get the token that begins every text, if the tokenizer adds one.
 *
 * Concurrent calls run one at a time. Within a call, the common start of a prompt and the prompt before it is not
 * computed again, if the model has plain keys and values that are not on a graphics card. A new call starts with an empty
 * memory, so its answers do not depend on earlier calls. If the ONNX graph has the input `num_logits_to_keep`, it computes
 * only the rows of logits that are needed. In Node, each request blocks the thread while it runs.
 *
 * @throws ContextShapingError `missing-dependency`, with the package to install; `invalid-input`, if the model is not
 *   found, lacks a file, or is no causal language model; `invalid-options`; `service`, if it cannot be loaded otherwise.
 */
export async function causalModel(options: CausalModelOptions): Promise<CausalModel> {
  const parsed = parseOptions(optionsSchema, options);
  const open = await openModel(parsed, 'causalModel', 'AutoModelForCausalLM', ['logits']);
  const text = await textOf(open, parsed);
  return {
    ...open.common,
    async identify({ signal } = {}) {
      signal?.throwIfAborted();
      const name = await orAborted(open.identify(), signal);
      return text.template === undefined ? name : `${name}:template:${text.template}`;
    },
    ...inProcess(causalEngine(open, text), open.inTurn),
  };
}

async function textOf(
  { tokenizer, common }: OpenModel,
  options: { chatTemplate: boolean; parseSpecial: boolean },
): Promise<CausalText> {
  try {
    return new CausalText(tokenizer, options);
  } catch (error) {
    await common.dispose();
    throw error;
  }
}
