/**
 * A stand-in for the package node-llama-cpp: the functions that the adapter calls, on a model in plain TypeScript.
 * It exports names of the package, and is loaded in its place.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { LlamaModelLike } from 'context-shaping/logprobs';
import { Llama } from '../../../gguf/llama.js';

type Context = Awaited<ReturnType<LlamaModelLike['createContext']>>;

/** The tokens of a request to `controlledEvaluate`, and the logits that are wanted after a token. */
type Input = Parameters<ReturnType<Context['getSequence']>['controlledEvaluate']>[0][number];
interface Question {
  generateNext: { logits: { filter: { tokens: number[]; includeTop?: number; includeSelected?: boolean } } };
}

export const getLlama = async () => ({
  loadModel: async ({ modelPath }: { modelPath: string }) =>
    modelOf(Llama.parse(await readFile(modelPath)), modelPath),
});

function modelOf(llama: Llama, path: string): LlamaModelLike {
  const { tokenizer } = llama;
  return {
    llama: { cpuMathCores: 1 },
    tokens: { bos: tokenizer.bos, shouldPrependBosToken: true },
    filename: basename(path),
    size: 1,
    typeDescription: 'llama 1K F32',
    fileInfo: {
      metadata: { tokenizer: { ggml: { model: 'gpt2', tokens: tokenizer.names } } },
    },
    tokenize: (text) => tokenizer.encode(text),
    getTokenAttributes: (token) => ({
      control: tokenizer.pieces[token]?.length === 0,
      unknown: false,
      userDefined: false,
    }),
    createContext: async () => contextOf(llama),
  };
}

function contextOf(llama: Llama): Context {
  let known: number[] = [];
  const keep = async (count: number) => {
    known = known.slice(0, count);
  };
  const evaluate = (each: Input) => {
    const [token, question] = typeof each === 'number' ? [each] : each;
    known.push(token);
    return question && predictionAfter(llama, known, question as Question);
  };
  return {
    dispose: async () => {},
    getSequence: () => ({
      contextSize: llama.contextLength,
      get nextTokenIndex() {
        return known.length;
      },
      compareContextTokens(tokens) {
        const different = known.findIndex((token, place) => token !== tokens[place]);
        return { firstDifferentIndex: different === -1 ? known.length : different };
      },
      eraseContextTokenRanges: ([range]) => keep(range?.start ?? known.length),
      clearHistory: () => keep(0),
      controlledEvaluate: async (input) => input.map(evaluate),
    }),
  };
}

/** Log-probabilities are logits, too: those whose exponentials add up to 1. */
function predictionAfter(llama: Llama, tokens: readonly number[], { generateNext }: Question) {
  const { tokens: wanted, includeTop = 0, includeSelected } = generateNext.logits.filter;
  const logits = llama.logprobs(tokens);
  const sorted = Array.from(logits.keys()).sort((a, b) => (logits[b] as number) - (logits[a] as number));
  const top = sorted.slice(0, Math.max(includeTop, includeSelected ? 1 : 0));
  const largest = logits[sorted[0] as number] as number;
  return {
    next: {
      logits: new Map([...top, ...wanted].map((token) => [token, logits[token] as number])),
      totalLogitWeight: Math.exp(-largest),
    },
  };
}
