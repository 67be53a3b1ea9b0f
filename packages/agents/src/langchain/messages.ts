/** LangChain's messages as those of a conversation, and back. An `artifact` of documents has those that are shown. */
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { defined } from 'context-shaping/kit';
import { type DocumentOptions, formatDocument, toChunks } from 'context-shaping/langchain';
import { contentLike, contentOf } from '../blocks.js';
import type { CallPart, Content, Message, Part, Passage, ResultPart } from '../conversation/index.js';

/** The messages of one request or of one thread, in their order. Documents of artifacts are passages. */
export function messagesOf(given: readonly BaseMessage[], options: DocumentOptions): Message[] {
  const callers = new Map<string, string>();
  return given.map((message): Message => {
    const { pinned, lc_source: source } = message.additional_kwargs ?? {};
    for (const { id, name } of callsOf(message)) if (id !== undefined) callers.set(id, name);
    return {
      role: roleOf(message),
      parts: ToolMessage.isInstance(message)
        ? [resultOf(message, message.name ?? callers.get(message.tool_call_id) ?? '', options)]
        : [...partsOf(message), ...callsOf(message).map(callPart)],
      ...(pinned === true ? { pinned } : {}),
      ...(source === 'summarization' ? { standing: true } : {}),
    };
  });
}

function resultOf(message: ToolMessage, tool: string, options: DocumentOptions): ResultPart {
  const { tool_call_id: id, status, artifact } = message;
  const passages = passagesOf(artifact, options);
  const failed = status === 'error' || undefined;
  return { type: 'result', id, tool, content: piecesOf(message), ...defined({ failed, passages }) };
}

/** A copy of the message with another content, and with the documents that it shows. */
export function withResult(given: ToolMessage, { content, passages }: ResultPart): ToolMessage {
  const { artifact, tool_call_id, name, status, id, metadata, additional_kwargs, response_metadata } = given;
  return new ToolMessage({
    content: contentLike(given.content, content) as ToolMessage['content'],
    artifact: passages === undefined ? artifact : documentsOf(passages, artifact),
    tool_call_id,
    ...defined({ name, status, id, metadata }),
    additional_kwargs,
    response_metadata,
  });
}

const piecesOf = ({ content }: BaseMessage): Content[] =>
  contentOf(typeof content === 'string' ? [content] : (content as unknown[]));

/** Blocks that repeat the calls of a message, in the form of a provider. */
const CALLS = new Set(['tool_use', 'tool_call', 'tool_call_chunk', 'function_call', 'functionCall']);

const partsOf = (message: BaseMessage): Part[] =>
  piecesOf(message).filter(
    (each) => each.type === 'text' || (each.type === 'other' && !CALLS.has(each.kind)),
  ) as Part[];

const ROLES: Readonly<Record<string, Message['role']>> = {
  system: 'system',
  developer: 'system',
  human: 'user',
  user: 'user',
  tool: 'tool',
  function: 'tool',
};

/** A message of another kind counts as one of the model: it begins no turn. */
function roleOf(message: BaseMessage): Message['role'] {
  const type = message.getType();
  const role = type === 'generic' ? String((message as { role?: unknown }).role) : type;
  return ROLES[role] ?? 'assistant';
}

type Call = NonNullable<AIMessage['tool_calls']>[number];

const callsOf = (message: BaseMessage): readonly Call[] =>
  AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];

const callPart = ({ id = '', name, args }: Call): CallPart => ({ type: 'call', id, tool: name, input: args });

/** The passages of an artifact that is an array of documents. */
function passagesOf(
  artifact: unknown,
  { render = formatDocument, ...options }: DocumentOptions,
): readonly Passage[] | undefined {
  if (!areDocuments(artifact)) return undefined;
  const chunks = toChunks(artifact, { ...options, render });
  return chunks.map((chunk, at): Passage => ({ ...chunk, id: artifact[at]?.id ?? '' }));
}

/** The documents of passages: those of the artifact, or copies if something changed. */
function documentsOf(passages: readonly Passage[], artifact: unknown): DocumentInterface[] {
  const given = areDocuments(artifact) ? artifact : [];
  return passages.map(({ id, text, metadata }) => {
    const same = (each: DocumentInterface) =>
      (each.id ?? '') === id && each.pageContent === text && each.metadata === metadata;
    const copy = { pageContent: text, metadata: { ...metadata }, ...(id === '' ? {} : { id }) };
    return given.find(same) ?? new Document(copy);
  });
}

/** Checks the structure only, because documents are plain objects after a checkpoint. */
function areDocuments(value: unknown): value is DocumentInterface[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each: unknown) => typeof (each as Partial<DocumentInterface> | null)?.pageContent === 'string',
    )
  );
}
