import { ContextShapingError } from 'context-shaping';
import { checkNames } from 'context-shaping/internal';
import { parseOptions } from 'context-shaping/kit';
import { type DocumentShaperFields, documentShaper, shaperFields } from 'context-shaping/langchain';
import * as z from 'zod';
import {
  type ConversationShaper,
  type ConversationShapingOptions,
  createConversationShaper,
} from '../conversation/index.js';
import { graphStore } from './graph-store.js';
import { Passages } from './messages.js';

/** The options that all places have which shape the list of messages. */
export const OF_CONVERSATIONS = [
  'maxTokens',
  'maxToolTokens',
  'images',
  'tools',
  'except',
  'withhold',
  'handleKey',
  'store',
  'waterMarks',
  'prices',
  'expectedRequests',
  'onRequest',
] as const satisfies readonly (keyof ConversationShapingOptions)[];

type OfConversations = Pick<
  ConversationShapingOptions,
  Exclude<(typeof OF_CONVERSATIONS)[number], 'maxTokens'>
>;

/**
 * Options of a shaper, or a shaper, and options about documents and conversations. `render` formats a document of a shaped
 * result for the model; default `formatDocument`: a line with its id and source before its text. There is no `onStage`,
 * because results are shaped repeatedly until they fit. `sanitise` defaults to `strip`, because strangers write the results
 * of tools.
 */
export interface AgentShapingOptions extends Omit<DocumentShaperFields, 'onStage'>, OfConversations {}

/** {@link AgentShapingOptions}, and the limit of the list of messages. */
export interface MessageListOptions extends AgentShapingOptions {
  /**
   * Maximum tokens of one request: the texts, results and calls (as JSON) of all messages, the system prompt among them,
   * and 4 for each of these; the schemas of its tools, as JSON; and `images`. Content of unknown size, such as a file, is
   * counted in the report of `onRequest` (`unknown`), not here: leave room for it.
   */
  maxTokens: number;
}

const ownSchema = z.strictObject({
  mode: z.enum(['tool', 'model', 'both']).default('both'),
  cacheControl: z.boolean().default(false),
});

type Own = (typeof OF_CONVERSATIONS)[number] | keyof z.output<typeof ownSchema>;

/** The options and services that the parts of this adapter share. */
export interface AgentShaping extends z.output<typeof ownSchema> {
  conversation: ConversationShaper;
  /** Documents as passages, for the messages of one call. */
  passages(): Passages;
}

/**
 * @param names the allowed options beside those of a shaper and of documents.
 * @param recall whether the agent has the tool `recall_passage`.
 * @throws ContextShapingError `invalid-options`, with the first wrong option as its field.
 */
export function resolveOptions(
  given: AgentShapingOptions,
  names: readonly Own[],
  { recall }: { recall: boolean },
): AgentShaping {
  checkNames(given, shaperFields(names));
  const pick = (from: readonly string[], is: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => from.includes(name) === is));
  const own = Object.keys(ownSchema.shape);
  const { mode, cacheControl } = parseOptions(ownSchema, pick(own, true));
  const rest = pick([...OF_CONVERSATIONS, ...own], false) as DocumentShaperFields;
  const { shaper, documentOptions } = documentShaper(
    given.shaper === undefined ? { ...rest, sanitise: given.sanitise ?? 'strip' } : rest,
  );
  const conversation = createConversationShaper({
    store: graphStore(),
    ...pick(OF_CONVERSATIONS, true),
    shaper,
    recall,
    citeSources: documentOptions.citeSources,
  });
  return { mode, cacheControl, conversation, passages: () => new Passages(documentOptions) };
}

/** @throws ContextShapingError `invalid-options`. */
export function requireMaxTokens(maxTokens: unknown, when = ''): void {
  if (maxTokens !== undefined) return;
  throw new ContextShapingError('invalid-options', {
    field: 'maxTokens',
    value: maxTokens,
    is: `is required${when}`,
    remedy: 'Give the maximum tokens of all messages of one request.',
  });
}
