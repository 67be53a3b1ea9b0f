/** The options about conversations: what users give, and what the parts of the engine read. */

import { ContextShapingError, createShaper, type Shaper, type ShapingOptions } from 'context-shaping';
import { checkNames, hasMethods, optionsSchema, readyShaper } from 'context-shaping/internal';
import { parseOptions, pinTest } from 'context-shaping/kit';
import * as z from 'zod';
import { cleaningOf } from '../sanitising.js';
import { toolTest } from '../tool-calls.js';
import type { RequestReport } from './conversation-shaper.js';
import { makeHandles } from './handles.js';
import { RECALL_TOOL } from './note.js';
import { PRICES, type Prices } from './plan-relief.js';
import { memoryPassageStore, type PassageStore } from './store.js';
import { tokenCounter } from './tokens.js';

/**
 * Options of a shaper, or a shaper, and options about conversations. `sanitise` defaults to `strip`, because strangers
 * write the results of tools.
 */
export interface ConversationShapingOptions extends Omit<ShapingOptions, 'onStage' | 'frame'> {
  /** A ready shaper, instead of options for one. */
  shaper?: Shaper | undefined;
  /**
   * Maximum tokens of one request: the texts, results and calls (as JSON) of all messages, the system prompt among them,
   * and 4 for each of these; the schemas of its tools, as JSON; and `images`. Content of unknown size, such as a file, is
   * counted in the report (`unknown`), not here: leave room for it. Absent: only results are shaped.
   */
  maxTokens?: number | undefined;
  /**
   * Maximum tokens of one tool result, including its note about left-out passages. Default `budget.maxTokens`, else 4000,
   * or half of `maxTokens` if that is less.
   */
  maxToolTokens?: number | undefined;
  /**
   * How many tokens each image counts in `maxTokens`; 0 or more. Default 4784, the most that Claude reads of one, and more
   * than the most of GPT-4o (1445) and Gemini 3 (1120).
   */
  images?: number | undefined;
  /** Names of the tools whose results are shaped; `*` stands for any characters. Default: all. */
  tools?: readonly string[] | undefined;
  /** Names of the tools whose results stay as they are, also if `tools` has them. Default: none. */
  except?: readonly string[] | undefined;
  /**
   * Secret key of the handles of `recall_passage`, at least 16 characters or bytes. Stored messages contain handles, so
   * give the key if several processes serve a thread, or if a thread continues after a restart.
   */
  handleKey?: string | Uint8Array | undefined;
  /** Whether the agent has the tool `recall_passage`. If not, notes have no handles, and nothing is stored. Default true. */
  recall?: boolean | undefined;
  /** Metadata key under which a passage that replaces copies lists the sources of all. Absent: sources are only in reports. */
  citeSources?: string | undefined;
  /** Keeps left-out passages for recall. Each call of it ends after `deadlineMs`, else 5 seconds. Default: in the memory of this process. */
  store?: PassageStore | undefined;
  /**
   * A batch begins when a request exceeds `high`, and relieves older results until it has at most
   * `low`. Up to 1: a share of `maxTokens`; above: tokens. Default `{ high: 1, low: 0.4 }`.
   */
  waterMarks?: { high?: number | undefined; low?: number | undefined } | undefined;
  /** The prices of the provider, by its name or in prices of one input token. Default `anthropic`. */
  prices?: 'anthropic' | 'openai' | 'google' | Prices | undefined;
  /** Called with the report of each request. */
  onRequest?: ((report: RequestReport) => unknown) | undefined;
}

/** Default maximum tokens of one result. */
export const MOST_TOOL_TOKENS = 4000;

/**
 * Most tokens of an image: `ceil(w / 28) · ceil(h / 28)` after Claude reduced it ("Images and vision" of its documentation,
 * read in November 2026). Models before Claude Opus 4.7 read at most 1568.
 */
const MOST_IMAGE_TOKENS = 4784;

/** Longest wait for one call of a store without `deadlineMs`. */
const STORE_MS = 5000;

const price = z.number().min(0);
const mark = z.number().positive();

const ownSchema = z.strictObject({
  maxTokens: z.int().min(1).optional(),
  maxToolTokens: z.int().min(1).optional(),
  images: z.int().min(0).default(MOST_IMAGE_TOKENS),
  tools: z.array(z.string().min(1)).optional(),
  except: z.array(z.string().min(1)).optional(),
  handleKey: z
    .union(
      [
        z.string().min(16),
        z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length >= 16),
      ],
      { error: 'must be a secret of at least 16 characters or bytes' },
    )
    .optional(),
  store: z
    .custom<PassageStore>((value) => hasMethods(value, 'get', 'set'), {
      error: 'must have the methods get and set',
    })
    .optional(),
  recall: z.boolean().default(true),
  waterMarks: z.strictObject({ high: mark.default(1), low: mark.default(0.4) }).prefault({}),
  prices: z
    .union([z.enum(['anthropic', 'openai', 'google']), z.strictObject({ read: price, write: price })])
    .default('anthropic'),
  citeSources: z.string().min(1).optional(),
  onRequest: z
    .custom<NonNullable<ConversationShapingOptions['onRequest']>>((value) => typeof value === 'function', {
      error: 'must be a function',
    })
    .optional(),
});

/** The names of the options that a shaper of chunks does not have. */
export const CONVERSATION_OPTIONS: readonly string[] = Object.keys(ownSchema.shape);

/** The options of a shaper but for two: results are shaped repeatedly until they fit, and hosts format them. */
export const usedOf = ({ onStage: _, frame: __, ...names }: Readonly<Record<string, unknown>>) => names;

/** @throws ContextShapingError `invalid-options`, with the first wrong option as its field. */
export function resolveOptions(given: ConversationShapingOptions) {
  checkNames(given, { ...usedOf(optionsSchema().shape), ...ownSchema.shape, shaper: undefined });
  const [own, ofShaper]: Record<string, unknown>[] = [{}, {}];
  for (const [name, value] of Object.entries(given))
    if (value !== undefined)
      Object.assign((name in ownSchema.shape ? own : ofShaper) as object, { [name]: value });
  const { maxTokens, maxToolTokens, tools, except, handleKey, store, waterMarks, prices, ...rest } =
    parseOptions(ownSchema, own);
  const { shaper: ready, ...shaping } = ofShaper as Record<string, unknown>;
  const shaper =
    ready === undefined ? createShaper({ sanitise: 'strip', ...shaping }) : readyShaper(ready, shaping);
  const { budget, deadlineMs, errorMessages, onEvict, onReport, pin, sanitise, tokenizer } = shaper.options;
  const most = maxTokens ?? Number.POSITIVE_INFINITY;
  return {
    ...rest,
    ...cleaningOf(sanitise),
    maxToolTokens:
      maxToolTokens ?? budget.maxTokens ?? Math.max(1, Math.min(MOST_TOOL_TOKENS, Math.floor(most / 2))),
    ...marksOf(waterMarks, most),
    prices: typeof prices === 'string' ? PRICES[prices] : prices,
    handles: makeHandles(handleKey),
    store: store ?? memoryPassageStore(),
    storeMs: deadlineMs ?? STORE_MS,
    countTokens: tokenCounter(tokenizer),
    /** It calls no observers, because a trial is not a result. */
    shaper: shaper.with({
      onEvict: null,
      onReport: null,
      onStage: null,
      frame: null,
      // Only the options pin passages, because the author of a found document also writes its metadata.
      pin: pinTest(pin),
    }),
    observers: { onEvict, onReport, errorMessages, deadlineMs },
    isShaped: toolTest({ tools, except: [RECALL_TOOL, ...(except ?? [])] }),
  };
}

/** The resolved options, which the parts of the engine share. */
export type Settings = ReturnType<typeof resolveOptions>;

/** Water marks in tokens, infinite without `maxTokens`. Up to 1, a mark is a share of the budget. */
function marksOf({ high, low }: { high: number; low: number }, most: number) {
  const tokensOf = (mark: number) => Math.min(most, mark <= 1 ? most * mark : mark);
  const marks = { high: tokensOf(high), low: tokensOf(low) };
  if (marks.low <= marks.high) return marks;
  throw wrong(
    'waterMarks.low',
    low,
    `must be at most waterMarks.high, ${high}`,
    'Give a lower mark: a batch relieves results until the request has at most so many tokens.',
  );
}

const wrong = (field: string, value: unknown, is: string, remedy: string) =>
  new ContextShapingError('invalid-options', { field, value, is, remedy });
