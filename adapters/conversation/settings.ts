import * as z from 'zod';
import {
  ContextShapingError,
  createShaper,
  type FlagKind,
  type Shaper,
  type ShapingOptions,
} from '../../src/index.js';
import {
  checkNames,
  FLAG_KINDS,
  isObject,
  optionsSchema,
  parseOptions,
  pinTest,
} from '../../src/internal.js';
import { type Cleaning, cleaningOf } from './clean.js';
import { type Handles, makeHandles } from './handles.js';
import { RECALL_TOOL } from './note.js';
import type { ConversationShapingOptions, Prices } from './options.js';
import { PRICES } from './relief/prices.js';
import { memoryPassageStore, type PassageStore } from './store.js';
import { type CountTokens, tokenCounter } from './tokens.js';

/** Resolved options that the parts of the engine share. */
export interface Settings extends Cleaning {
  maxTokens: number | undefined;
  maxToolTokens: number;
  /** In tokens; infinite without `maxTokens`. */
  high: number;
  low: number;
  prices: Prices;
  expectedRequests: number | undefined;
  handles: Handles;
  /** The agent can recall: notes have handles, and left-out passages are stored. */
  recall: boolean;
  store: PassageStore;
  observers: Pick<ShapingOptions, 'onEvict' | 'onReport' | 'deadlineMs'>;
  onRequest: ConversationShapingOptions['onRequest'];
  citeSources: string | undefined;
  countTokens: CountTokens;
  withhold: readonly FlagKind[];
  /** The shaper with these overrides. It calls no observers, because a trial is not a result. */
  shaperWith(options: ShapingOptions): Shaper;
  isShaped(tool: string): boolean;
}

const price = z.number().min(0);
const mark = z.number().positive();

const ownSchema = z.strictObject({
  maxTokens: z.int().min(1).optional(),
  maxToolTokens: z.int().min(1).optional(),
  tools: z.array(z.string().min(1)).optional(),
  withhold: z.array(z.enum(FLAG_KINDS)).default([]),
  handleKey: z
    .union([z.string().min(16), z.custom<Uint8Array>(isKey)], {
      error: 'must be a secret of at least 16 characters or bytes',
    })
    .optional(),
  store: z.custom<PassageStore>(isStore, { error: 'must have the methods get and set' }).optional(),
  recall: z.boolean().default(true),
  strategy: z
    .custom((value) => value === 'cache-stable', {
      error: 'is no strategy any more; the only one is cache-stable',
    })
    .optional(),
  waterMarks: z.strictObject({ high: mark.default(1), low: mark.default(0.4) }).prefault({}),
  prices: z
    .union([
      z.enum(['anthropic', 'openai', 'google']),
      z.strictObject({ read: price, write: price, input: price.default(1) }),
    ])
    .default('anthropic'),
  expectedRequests: z.number().min(0).optional(),
  citeSources: z.string().min(1).optional(),
  onRequest: z
    .custom<NonNullable<ConversationShapingOptions['onRequest']>>((value) => typeof value === 'function', {
      error: 'must be a function',
    })
    .optional(),
});

function isKey(value: unknown): boolean {
  return value instanceof Uint8Array && value.length >= 16;
}

function isStore(value: unknown): boolean {
  const { get, set } = (value ?? {}) as Partial<PassageStore>;
  return typeof get === 'function' && typeof set === 'function';
}

/** Default maximum tokens of one result. */
export const MOST_TOOL_TOKENS = 4000;

/** The names of the options that are not those of a shaper. */
const OWN = Object.keys(ownSchema.shape);

/** @throws ContextShapingError `invalid-options`, with the first wrong option as its field. */
export function resolveSettings(given: ConversationShapingOptions): Settings {
  checkNames(given, { ...optionsSchema().shape, ...ownSchema.shape, shaper: undefined });
  const isGiven = ([, value]: [string, unknown]) => value !== undefined;
  const entries = Object.entries(given).filter(isGiven);
  const own = parseOptions(ownSchema, Object.fromEntries(entries.filter(([name]) => OWN.includes(name))));
  const shaper = shaperOf(Object.fromEntries(entries.filter(([name]) => !OWN.includes(name))));
  const { options } = shaper;
  if (options.onStage !== undefined) throw isOnTrial(options.onStage);
  if (options.frame !== false) throw isNotFramed(options.frame);
  // Only the options pin passages, because the author of a found document also writes its metadata.
  const isPinned = pinTest(options.pin);
  const { maxTokens, maxToolTokens, tools, handleKey, store, waterMarks, prices } = own;
  const most = maxTokens ?? Number.POSITIVE_INFINITY;
  return {
    ...cleaningOf(options.sanitise),
    maxTokens,
    maxToolTokens:
      maxToolTokens ??
      options.budget.maxTokens ??
      Math.max(1, Math.min(MOST_TOOL_TOKENS, Math.floor(most / 2))),
    ...marksOf(waterMarks, most),
    prices: typeof prices === 'string' ? PRICES[prices] : prices,
    expectedRequests: own.expectedRequests,
    handles: makeHandles(handleKey),
    recall: own.recall,
    store: store ?? memoryPassageStore(),
    observers: { onEvict: options.onEvict, onReport: options.onReport, deadlineMs: options.deadlineMs },
    onRequest: own.onRequest,
    citeSources: own.citeSources,
    withhold: own.withhold,
    countTokens: tokenCounter(options.tokenizer),
    shaperWith: ({ pin, ...over }) =>
      shaper.with({
        onEvict: null,
        onReport: null,
        ...over,
        pin: (chunk) => isPinned(chunk) || (typeof pin === 'function' && pin(chunk)),
      }),
    isShaped: (tool) => tool !== RECALL_TOOL && (tools === undefined || tools.includes(tool)),
  };
}

/** Water marks in tokens. Up to 1, a mark is a share of the budget. */
function marksOf({ high, low }: { high: number; low: number }, most: number): Pick<Settings, 'high' | 'low'> {
  const tokensOf = (mark: number) => Math.min(most, mark <= 1 ? most * mark : mark);
  const marks = { high: tokensOf(high), low: tokensOf(low) };
  if (marks.low <= marks.high) return marks;
  throw new ContextShapingError('invalid-options', {
    field: 'waterMarks.low',
    value: low,
    is: `must be at most waterMarks.high, ${high}`,
    remedy: 'Give a lower mark: a batch relieves results until the request has at most so many tokens.',
  });
}

function shaperOf({ shaper, ...options }: Record<string, unknown>): Shaper {
  if (shaper === undefined) return createShaper({ sanitise: 'strip', ...options });
  const [besides] = Object.keys(options);
  if (isObject(shaper) && typeof shaper.shape === 'function' && besides === undefined)
    return shaper as unknown as Shaper;
  throw new ContextShapingError('invalid-options', {
    field: besides ?? 'shaper',
    value: besides === undefined ? shaper : options[besides],
    is: besides === undefined ? 'must be a shaper' : 'has no effect with a ready shaper',
    remedy:
      besides === undefined
        ? 'Give the result of createShaper, or give its options themselves in place of shaper.'
        : 'Give it to createShaper instead.',
  });
}

/** The stages of a trial are not final: the next trial may keep chunks that this one evicted. */
const isOnTrial = (onStage: unknown) =>
  new ContextShapingError('invalid-options', {
    field: 'onStage',
    value: onStage,
    is: 'has no effect in an agent, because results are shaped repeatedly',
    remedy: 'Leave it out. Use onEvict and onReport, which get the final result.',
  });

const isNotFramed = (frame: unknown) =>
  new ContextShapingError('invalid-options', {
    field: 'frame',
    value: frame,
    is: 'has no effect in an agent, because render formats the results',
    remedy: 'Leave it out, and put the text around a document into render.',
  });
