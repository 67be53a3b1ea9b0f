import type { LlamaModelLike } from '../../../adapters/logprobs/node-llama-cpp.js';

interface Vocabulary {
  /** The form of the names: `gpt2` writes bytes as letters, others write `▁` for a space. */
  kind: string;
  /** Names of the tokens. */
  names: readonly string[];
  /** The texts of tokens. The engine splits a text into the first token that fits, and so on. */
  texts: readonly string[];
  bos?: number;
  /** A token that was added to the vocabulary. Its text is its name. */
  added?: number;
}

/** The logit of the token with the next number, minus that of every other token. */
export const AHEAD = 2;

/**
 * A fake engine that records its calls. After each token, the token with the next number is the most probable, and all
 * others are equally probable.
 */
export function fakeLlama({ kind, names, texts, bos, added }: Vocabulary) {
  let known: number[] = [];
  const asked: (number | [number, object])[][] = [];
  const engine = {
    asked,
    contexts: [] as object[],
    isDisposed: false,
    broken: undefined as Error | undefined,
  };
  const logitsAfter = (token: number) =>
    names.map((_, other): [number, number] => [other, other === (token + 1) % names.length ? AHEAD : 0]);
  const model: LlamaModelLike = {
    llama: { cpuMathCores: 4 },
    tokens: { bos: bos ?? null, shouldPrependBosToken: bos !== undefined },
    filename: 'model.gguf',
    size: 7,
    typeDescription: 'llama 1B Q8_0',
    fileInfo: { metadata: { tokenizer: { ggml: { model: kind, tokens: names } } } },
    getTokenAttributes: (token) => ({
      control: token === bos,
      unknown: false,
      userDefined: token === added,
    }),
    tokenize(text) {
      const tokens: number[] = [];
      for (let rest = text; rest !== ''; ) {
        const next = texts.findIndex((each) => each !== '' && rest.startsWith(each));
        tokens.push(next);
        rest = rest.slice(texts[next]?.length);
      }
      return tokens;
    },
    createContext: async (options) => {
      engine.contexts.push(options);
      return {
        dispose: async () => {
          engine.isDisposed = true;
        },
        getSequence: () => ({
          contextSize: 100,
          get nextTokenIndex() {
            return known.length;
          },
          compareContextTokens: (tokens) => {
            const different = known.findIndex((token, place) => token !== tokens[place]);
            return { firstDifferentIndex: different === -1 ? known.length : different };
          },
          eraseContextTokenRanges: async ([range]) => {
            known = known.slice(0, range?.start);
          },
          clearHistory: async () => {
            known = [];
          },
          controlledEvaluate: async (input) => {
            if (engine.broken !== undefined) throw engine.broken;
            asked.push(input);
            known.push(...input.map((each) => (typeof each === 'number' ? each : each[0])));
            return input.map((each) => {
              if (typeof each === 'number') return undefined;
              const { tokens, includeTop, includeSelected } = (each[1] as Question).generateNext.logits
                .filter;
              const sorted = logitsAfter(each[0]).sort(([, a], [, b]) => b - a);
              const top = sorted.slice(0, includeTop ?? (includeSelected ? 1 : 0));
              const wanted = sorted.filter(([token]) => tokens?.includes(token));
              const totalLogitWeight = 1 + (names.length - 1) * Math.exp(-AHEAD);
              return { next: { logits: new Map([...top, ...wanted]), totalLogitWeight } };
            });
          },
        }),
      };
    },
  };
  return { model, engine };
}

interface Question {
  generateNext: {
    logits: { filter: { tokens?: number[]; includeTop?: number; includeSelected?: boolean } };
  };
}
