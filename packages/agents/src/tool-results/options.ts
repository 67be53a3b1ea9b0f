import { createShaper, type Query, type Shaper, type TokenCounter } from 'context-shaping';
import { readyShaper } from 'context-shaping/internal';
import { CHOICES, loadTokenCounter, parseOptions } from 'context-shaping/kit';
import * as z from 'zod';
import { KEPT_NAMES, type Kept } from './keep.js';
import { KIND_NAMES, type KindName } from './kinds/index.js';

export interface ToolResultOptions<Content = unknown> {
  /** A text, a list of content items of MCP, or any other value that can be written as JSON. */
  content: Content;
  /** Most tokens of the shaped content and its note together. */
  maxTokens: number;
  /** The question that the result is to answer. Absent: each kind has its own, such as the failures of a log. */
  query?: string | Query | undefined;
  /** The name of the tool. */
  tool?: string | undefined;
  /** The arguments of its call: the name of a file tells its language. */
  arguments?: unknown;
  /** The kind of the result. Default: recognised. */
  kind?: KindName | undefined;
  /**
   * Blocks with one of these stay before all others, as far as they fit: `identifiers` (UUIDs, hashes, `ABC-123`,
   * `req_8fj2k3`), `urls`, `paths`, `dates`, or what an expression matches.
   */
  keep?: readonly Kept[] | undefined;
  /**
   * Makes texts safe to show, as the option of a shaper does, before anything else. `strip` also removes terminal codes.
   * `false`: off. Default `strip`, because strangers write into logs.
   */
  sanitise?: false | 'strip' | 'escape' | undefined;
  /** The token counter, as in the options of a shaper. Default: that of the shaper. */
  tokenizer?: (typeof CHOICES.tokenizer)[number] | TokenCounter | undefined;
  /** A shaper that finds the passages that answer the query. Default: one with the default options. */
  shaper?: Shaper | undefined;
  signal?: AbortSignal | undefined;
}

const schema = z.strictObject({
  content: z.unknown(),
  maxTokens: z.int().min(1),
  query: z.unknown().optional(),
  tool: z.string().optional(),
  arguments: z.unknown().optional(),
  kind: z.enum(KIND_NAMES).optional(),
  keep: z.array(z.union([z.enum(KEPT_NAMES), z.instanceof(RegExp)])).default([]),
  sanitise: z.union([z.literal(false), z.enum(CHOICES.sanitise)]).default('strip'),
  tokenizer: z
    .union([
      z.enum(CHOICES.tokenizer),
      z.custom<TokenCounter>((value) => typeof value === 'function', { error: 'must be a function' }),
    ])
    .optional(),
  shaper: z.unknown().optional(),
  signal: z.instanceof(AbortSignal).optional(),
});

/** @throws ContextShapingError `invalid-options`, with the first wrong option as its field. */
export async function resolveOptions(given: ToolResultOptions) {
  const { shaper: ready, tokenizer, ...options } = parseOptions(schema, given);
  const shaper = ready === undefined ? createShaper() : readyShaper(ready, {});
  const count = await loadTokenCounter(tokenizer ?? shaper.options.tokenizer);
  return {
    ...options,
    query: given.query,
    shaper,
    countTokens: async (texts: readonly string[]) => texts.map(count),
  };
}

export type Settings = Awaited<ReturnType<typeof resolveOptions>>;
