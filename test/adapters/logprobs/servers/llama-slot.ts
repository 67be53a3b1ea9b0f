/**
 * How llama.cpp's server continues a prompt by one token, with the numbers of a real small model: the token that it
 * generates, and those that it lists, or leaves out.
 */
import type { Llama } from '../../../gguf/llama.js';
import { logprobsAfter } from './remembered.js';

export interface SlotQuirks {
  /** The number of tokens that a slot holds. */
  contextLength?: number;
  /** The server's default penalty for repeated tokens. */
  penalty?: number;
  /** The largest number of most probable tokens that the server reports. */
  listsAtMost?: number;
}

export interface Wanted {
  n_probs?: number;
  logit_bias?: [id: number, bias: number][];
}

/** The value that the server sends for a probability that is too small for 32 bits. */
const LOWEST = -3.4028234663852886e38;

export function goOn(llama: Llama, prompt: readonly number[], wanted: Wanted, quirks: SlotQuirks) {
  const { tokenizer } = llama;
  const piece = (id: number) => Buffer.from(tokenizer.pieces[id] as Uint8Array).toString('latin1');
  const logprobs = logprobsAfter(llama, prompt);
  const logits = Float64Array.from(logprobs);
  for (const [id, bias] of wanted.logit_bias ?? []) logits[id] = (logits[id] as number) + bias;
  for (const id of new Set(prompt)) logits[id] = (logits[id] as number) - (quirks.penalty ?? 0);
  const id = logits.indexOf(Math.max(...logits));
  const best = Array.from(logprobs.keys()).sort((a, b) => (logprobs[b] as number) - (logprobs[a] as number));
  const most = Math.min(wanted.n_probs ?? 0, quirks.listsAtMost ?? Number.POSITIVE_INFINITY);
  const entry = {
    ...token(id, piece(id), logprobs[id] as number),
    top_logprobs: best.slice(0, most).map((each) => token(each, piece(each), logprobs[each] as number)),
  };
  return {
    content: Buffer.from(piece(id), 'latin1').toString(),
    stop_type: id === tokenizer.eos ? 'eos' : 'limit',
    truncated: false,
    tokens_predicted: 1,
    tokens_evaluated: prompt.length,
    ...(wanted.n_probs && !isCutOff(piece(id)) ? { completion_probabilities: [entry] } : {}),
  };
}

function token(id: number, part: string, logprob: number) {
  const whole = isCutOff(part) ? part.slice(0, part.search(/[\xC0-\xFF][\x80-\xBF]*$/)) : part;
  const probability = Math.fround(Math.exp(logprob));
  return {
    id,
    token: Buffer.from(whole, 'latin1').toString(),
    bytes: [...Buffer.from(part, 'latin1')],
    logprob: probability === 0 ? LOWEST : Math.fround(Math.log(probability)),
  };
}

/** Whether the last character has fewer bytes than its first byte announces. */
function isCutOff(text: string): boolean {
  const [last = ''] = /[\xC0-\xFF][\x80-\xBF]*$/.exec(text) ?? [];
  const first = last.charCodeAt(0);
  return last !== '' && last.length < (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2);
}
