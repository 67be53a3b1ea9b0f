import type { DocumentInterface } from '@langchain/core/documents';
import * as z from 'zod';
import {
  ContextShapingError,
  type FlagKind,
  type Shaper,
  type ShapingOptions,
  sanitise,
} from '../../src/index.js';
import { checkNames, FLAG_KINDS, parseOptions, pinTest } from '../../src/internal.js';
import {
  type DocumentOptions,
  type DocumentShaperFields,
  documentShaper,
  formatDocument,
  shaperFields,
} from '../documents/index.js';
import { type CountTokens, tokenCounter } from './count-tokens.js';
import { type Handles, makeHandles } from './handles.js';
import { RECALL_TOOL } from './note.js';

/**
 * Options of a shaper, or a shaper, and options about documents. `render` formats a document of a shaped result for the
 * model; default `formatDocument`: a line with its id and source before its text. There is no `onStage`, because results
 * are shaped repeatedly until they fit. `sanitise` defaults to `strip`, because strangers write the results of tools.
 */
export interface AgentShapingOptions extends Omit<DocumentShaperFields, 'onStage'> {
  /**
   * Secret key of the handles of `recall_passage`, at least 16 characters or bytes. Persisted messages contain handles, so
   * give the key if several processes serve a thread, or if a thread continues after a restart.
   */
  handleKey?: string | Uint8Array | undefined;
  /** Names of the tools whose results are shaped. Default: all. */
  tools?: readonly string[] | undefined;
  /**
   * Passages of a tool result with one of these flags are not shown unless they are pinned. The note under the result has
   * their handles and beginnings, so the model can recall them. With `mode: 'model'` this applies only to messages that are
   * shaped because they do not fit. Default: none.
   */
  withhold?: readonly FlagKind[] | undefined;
}

/** {@link AgentShapingOptions}, and the limit of a tool result. */
export interface ToolResultOptions extends AgentShapingOptions {
  /**
   * Maximum tokens of one tool result, including its note about left-out passages. Default `budget.maxTokens`, else 4000,
   * or half of `maxTokens` if that is less.
   */
  maxToolTokens?: number | undefined;
}

/** {@link AgentShapingOptions}, and the limit of the list of messages. */
export interface MessageListOptions extends AgentShapingOptions {
  /**
   * Maximum tokens of all messages of one request: their texts, tool calls as JSON, and 4 for each message. Schemas of
   * tools, images and other content without text are not counted: leave room for them.
   */
  maxTokens: number;
}

/** Resolved options that the parts of this adapter share. */
export interface Settings {
  documentOptions: DocumentOptions & { render: (document: DocumentInterface) => string };
  observers: Pick<ShapingOptions, 'onEvict' | 'onReport' | 'deadlineMs'>;
  maxTokens?: number;
  maxToolTokens: number;
  /** Absent: left-out passages cannot be recalled. */
  handles?: Handles;
  countTokens: CountTokens;
  /** Sanitises a text as the option `sanitise` says. */
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

/** Default maximum tokens of one result. */
export const MOST_TOOL_TOKENS = 4000;

type Own = keyof z.output<typeof ownSchema>;

/**
 * @param names the allowed options beside those of a shaper and of documents.
 * @throws ContextShapingError `invalid-options`, with the first wrong option as its field.
 */
export function resolveSettings(
  given: AgentShapingOptions,
  names: readonly Own[],
): Settings & Pick<z.output<typeof ownSchema>, 'mode'> {
  checkNames(given, shaperFields(names));
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
  // Only the options pin passages, because the author of a found document also writes its metadata.
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
