/**
 * How llama.cpp's server continues a prompt, with the numbers of a real small model: the tokens that it generates, those
 * that it reports, and those that it leaves out.
 */
import type { Llama } from '../../../gguf/llama.js';
import { logprobsAfter } from './remembered.js';

export interface SlotQuirks {
  /** The number of tokens that a slot holds. */
  contextLength?: number;
  /** A draft model is used: every second token is reported as certain. */
  drafts?: boolean;
  /** The server's default penalty for repeated tokens. */
  penalty?: number;
  /** The largest number of most probable tokens that the server reports. */
  listsAtMost?: number;
}

export interface Wanted {
  n_predict: number;
  n_probs?: number;
  logit_bias?: [id: number, bias: number][];
  samplers?: string[];
  stop?: string[];
  return_tokens?: boolean;
}

/** The value that the server sends for a probability that is too small for 32 bits. */
const LOWEST = -3.4028234663852886e38;

/** A text as bytes, one letter each. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

export function goOn(llama: Llama, prompt: readonly number[], wanted: Wanted, quirks: SlotQuirks) {
  const { tokenizer } = llama;
  const { contextLength = llama.contextLength } = quirks;
  const stops = (wanted.stop ?? []).filter((stop) => stop !== '').map(bytesOf);
  const piece = (id: number) => Buffer.from(tokenizer.pieces[id] as Uint8Array).toString('latin1');
  const ids: number[] = [];
  const told: object[] = [];
  let text = '';
  let sent = 0;
  let stopType = 'none';
  let stoppingWord = '';
  let truncated = false;

  function tokenAt(logprobs: Float64Array): number {
    const logits = Float64Array.from(logprobs);
    for (const [id, bias] of wanted.logit_bias ?? []) logits[id] = (logits[id] as number) + bias;
    if (wanted.samplers?.includes('penalties') ?? true) {
      for (const id of new Set([...prompt, ...ids]))
        logits[id] = (logits[id] as number) - (quirks.penalty ?? 0);
    }
    return logits.indexOf(Math.max(...logits));
  }

  /** The new text, unless it may be the beginning of a stop text. */
  function toSend(id: number): string {
    const test = text.slice(sent);
    const ends = stops.filter((stop) => test.includes(stop));
    if (ends.length > 0) {
      stoppingWord = ends.toSorted((a, b) => test.indexOf(a) - test.indexOf(b))[0] as string;
      stopType = 'word';
      text = text.slice(0, sent + test.indexOf(stoppingWord));
    } else if (id !== tokenizer.eos && stops.some((stop) => mayBegin(test, stop))) return '';
    const part = text.slice(sent);
    sent = text.length;
    return part;
  }

  function entry(id: number, part: string, logprobs: Float64Array) {
    if (quirks.drafts && ids.length % 2 === 0) return { ...token(id, part, 0), top_logprobs: [] };
    const best = Array.from(logprobs.keys()).sort(
      (a, b) => (logprobs[b] as number) - (logprobs[a] as number),
    );
    return {
      ...token(id, part, logprobs[id] as number),
      top_logprobs: best
        .slice(0, Math.min(wanted.n_probs ?? 0, quirks.listsAtMost ?? Number.POSITIVE_INFINITY))
        .map((each) => token(each, piece(each), logprobs[each] as number)),
    };
  }

  while (stopType === 'none') {
    const logprobs = logprobsAfter(llama, [...prompt, ...ids]);
    const id = tokenAt(logprobs);
    ids.push(id);
    text += piece(id);
    if (!isCutOff(text)) told.push(entry(id, toSend(id), logprobs));
    if (prompt.length + ids.length >= contextLength) [truncated, stopType] = [true, 'limit'];
    if (stopType === 'none' && ids.length >= wanted.n_predict) stopType = 'limit';
    if (id === tokenizer.eos) stopType = 'eos';
  }
  // The server leaves out as many tokens as the stop text has by itself.
  if (stopType === 'word') {
    const ending = Buffer.from(stoppingWord, 'latin1').toString();
    told.splice(Math.max(0, told.length - tokenizer.encode(ending).length));
  }
  return {
    content: Buffer.from(text, 'latin1').toString(),
    tokens: wanted.return_tokens ? ids : [],
    stop_type: stopType,
    stopping_word: stoppingWord,
    truncated,
    tokens_predicted: ids.length,
    tokens_evaluated: prompt.length,
    ...(wanted.n_probs && told.length > 0 ? { completion_probabilities: told } : {}),
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

const mayBegin = (text: string, stop: string) =>
  Array.from(stop, (_, length) => stop.slice(0, length)).some(
    (begin) => begin !== '' && text.endsWith(begin),
  );
