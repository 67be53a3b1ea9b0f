import type { DocumentInterface } from '@langchain/core/documents';
import * as z from 'zod';
import {
  ContextShapingError,
  type FlagKind,
  type Shaper,
  type ShapingOptions,
  sanitise,
} from '../../src/index.js';
import { FLAG_KINDS, parseOptions, pinTest } from '../../src/internal.js';
import {
  type DocumentOptions,
  type DocumentShaperFields,
  documentShaper,
  formatDocument,
} from '../documents/index.js';
import { type CountTokens, tokenCounter } from './count-tokens.js';
import { type Handles, makeHandles } from './handles.js';
import { RECALL_TOOL } from './note.js';

/**
 * Options of a shaper, or a ready one, and where to find things in documents. `render`: how the model reads a
 * document of a shaped result; default `formatDocument`, a line with its id and source before its text. Without
 * `onStage`: results are shaped on trial, until all of a result fits. `sanitise` is `strip`, if nothing else is said: what
 * tools bring is written by strangers.
 */
export interface AgentShapingOptions extends Omit<DocumentShaperFields, 'onStage'> {
  /**
   * Secret from which the handles of `recall_passage` are made, at least 16 characters or bytes. Handles stay in
   * messages that are persisted: give it where several processes, or one after a restart, serve a thread.
   */
  handleKey?: string | Uint8Array | undefined;
  /** Names of the tools whose results are shaped. Default: all. */
  tools?: readonly string[] | undefined;
  /**
   * Passages of a tool's result with one of these flags are not shown, unless they are pinned: the note under the result
   * has their handle and how they begin, and the model may ask for them. With `mode: 'model'` that is so only of
   * messages that are shaped, for want of room. Default: none.
   */
  withhold?: readonly FlagKind[] | undefined;
}

/** Of {@link AgentShapingOptions}, and what bounds a result of a tool. */
export interface ToolResultOptions extends AgentShapingOptions {
  /**
   * The most tokens of one tool result, its note of what is left out included. Default `budget.maxTokens`, else 4000,
   * or half of `maxTokens` if that is less.
   */
  maxToolTokens?: number | undefined;
}

/** Of {@link AgentShapingOptions}, and what bounds the list of messages. */
export interface MessageListOptions extends AgentShapingOptions {
  /**
   * The most tokens of all messages of one request: their texts, tool calls as JSON, and 4 for each message.
   * Schemas of tools, images and other content that is no text are not counted: leave room for them.
   */
  maxTokens: number;
}

/** What the parts of this adapter share. */
export interface Settings {
  documentOptions: DocumentOptions & { render: (document: DocumentInterface) => string };
  observers: Pick<ShapingOptions, 'onEvict' | 'onReport' | 'deadlineMs'>;
  maxTokens?: number;
  maxToolTokens: number;
  /** Absent: what is left out cannot be asked for. */
  handles?: Handles;
  countTokens: CountTokens;
  /** A text as the model may read it, by the option `sanitise`. */
  clean(text: string): string;
  withhold: readonly FlagKind[];
  /** The shaper with these overrides. It calls no observers, because a trial is not a result. */
  shaperWith(options: ShapingOptions): Shaper;
  isShaped(toolName: string): boolean;
}

const ownSchema = z.strictObject({
  mode: z.enum(['tool', 'model', 'both']).default('both'),
  maxTokens: z.int().min(1).optional(),
  maxToolTokens: z.int().min(1).optional(),
  tools: z.array(z.string().min(1)).optional(),
  withhold: z.array(z.enum(FLAG_KINDS)).default([]),
  handleKey: z
    .union([z.string().min(16), z.custom<Uint8Array>(isKey)], {
      error: 'must be a secret of at least 16 characters or bytes',
    })
    .optional(),
});

function isKey(value: unknown): boolean {
  return value instanceof Uint8Array && value.length >= 16;
}

/** Of one result, if nothing else is said. */
export const MOST_TOOL_TOKENS = 4000;

type Own = keyof z.output<typeof ownSchema>;

/**
 * @param names which options, besides those of a shaper and of documents, there are here.
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function resolveSettings(
  given: AgentShapingOptions,
  names: readonly Own[],
): Settings & Pick<z.output<typeof ownSchema>, 'mode'> {
  const own = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name as Own)));
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name as Own)));
  const { mode, maxTokens, maxToolTokens, tools, withhold, handleKey } = parseOptions(ownSchema, own);
  const { shaper, documentOptions } = documentShaper(
    given.shaper === undefined ? { ...rest, sanitise: given.sanitise ?? 'strip' } : rest,
  );
  const { options } = shaper;
  const { sanitise: sanitiseMode } = options;
  if (options.onStage !== undefined) throw isOnTrial(options.onStage);
  if (options.frame !== false) throw isNotFramed(options.frame);
  const { render = formatDocument } = documentOptions;
  // The options alone decide: the metadata of what a tool finds are its author's.
  const isPinned = pinTest(options.pin);
  return {
    mode,
    documentOptions: { ...documentOptions, render },
    observers: {
      onEvict: options.onEvict,
      onReport: options.onReport,
      deadlineMs: options.deadlineMs,
    },
    ...(maxTokens === undefined ? {} : { maxTokens }),
    maxToolTokens:
      maxToolTokens ??
      options.budget.maxTokens ??
      Math.max(1, Math.min(MOST_TOOL_TOKENS, Math.floor((maxTokens ?? Number.POSITIVE_INFINITY) / 2))),
    ...(handleKey === undefined ? {} : { handles: makeHandles(handleKey) }),
    withhold,
    countTokens: tokenCounter(options.tokenizer),
    clean: (text) => (sanitiseMode === false ? text : sanitise(text, sanitiseMode).text),
    shaperWith: ({ pin, ...over }) =>
      shaper.with({
        onEvict: null,
        onReport: null,
        ...over,
        pin: (chunk) => isPinned(chunk) || (typeof pin === 'function' && pin(chunk)),
      }),
    isShaped: (toolName) => toolName !== RECALL_TOOL && (tools === undefined || tools.includes(toolName)),
  };
}

/** Stages of a trial are no progress: the next one may keep what this one evicted. */
const isOnTrial = (onStage: unknown) =>
  new ContextShapingError('invalid-options', {
    field: 'onStage',
    value: onStage,
    is: 'has no effect in an agent, where results are shaped on trial',
    remedy: 'Leave it out; onEvict and onReport are told of what came of it.',
  });

const isNotFramed = (frame: unknown) =>
  new ContextShapingError('invalid-options', {
    field: 'frame',
    value: frame,
    is: 'has no effect in an agent, where results are put together by render',
    remedy: 'Leave it out; what the model is to read around a document is for render.',
  });
