/** LangChain's messages as those of a conversation, and back. An `artifact` of documents has those that are shown. */
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { defined } from 'context-shaping/kit';
import { type DocumentOptions, formatDocument, toChunks } from 'context-shaping/langchain';
import { blocksOf, contentOf } from '../blocks.js';
import {
  type CallPart,
  type Content,
  contentText,
  type Message,
  type Part,
  type Passage,
  type ResultPart,
} from '../conversation/index.js';

/** The messages of one request or of one thread, and how to write them back. */
export class Translation {
  readonly messages: readonly Message[];
  readonly #given: readonly BaseMessage[];
  readonly #passages: Passages;

  constructor(given: readonly BaseMessage[], passages: Passages) {
    this.#given = given;
    this.#passages = passages;
    const callers = new Map<string, string>();
    this.messages = given.map((message): Message => {
      const { pinned, lc_source: source } = message.additional_kwargs ?? {};
      for (const { id, name } of callsOf(message)) if (id !== undefined) callers.set(id, name);
      return {
        role: roleOf(message),
        parts: ToolMessage.isInstance(message)
          ? [this.#resultOf(message, message.name ?? callers.get(message.tool_call_id) ?? '')]
          : [...partsOf(message), ...callsOf(message).map(callPart)],
        ...(pinned === true ? { pinned } : {}),
        ...(source === 'summarization' ? { standing: true } : {}),
      };
    });
  }

  /** The message at this place with a changed result; the given message if nothing changed. */
  written(at: number, message: Message): BaseMessage {
    const given = this.#given[at] as BaseMessage;
    const [result] = message.parts;
    if (message === this.messages[at] || result?.type !== 'result') return given;
    return this.withResult(given as ToolMessage, result);
  }

  withResult(given: ToolMessage, { content, passages }: ResultPart): ToolMessage {
    const { artifact } = given;
    return copied(given, {
      content: contentAfter(given.content, content),
      artifact: passages === undefined ? artifact : this.#passages.documentsOf(passages, artifact),
    });
  }

  #resultOf(message: ToolMessage, tool: string): ResultPart {
    const { tool_call_id, status, artifact } = message;
    const passages = this.#passages.of(artifact);
    return {
      type: 'result',
      id: tool_call_id,
      tool,
      content: piecesOf(message),
      ...(status === 'error' ? { failed: true } : {}),
      ...(passages === undefined ? {} : { passages }),
    };
  }
}

const piecesOf = ({ content }: BaseMessage): Content[] =>
  contentOf(typeof content === 'string' ? [content] : (content as unknown[]));

/** Blocks that repeat the calls of a message, in the form of a provider. */
const CALLS = new Set(['tool_use', 'tool_call', 'tool_call_chunk', 'function_call', 'functionCall']);

const partsOf = (message: BaseMessage): Part[] =>
  piecesOf(message).filter(
    (each) => each.type === 'text' || (each.type === 'other' && !CALLS.has(each.kind)),
  ) as Part[];

/** The content of a message with another one of the engine. A text stays a text. */
function contentAfter(given: ToolMessage['content'], content: readonly Content[]): ToolMessage['content'] {
  if (typeof given === 'string') return contentText(content);
  return blocksOf<unknown>(given, content, (text) => ({ type: 'text', text })) as ToolMessage['content'];
}

/** A copy of the message with other fields. */
function copied(
  message: ToolMessage,
  changed: Partial<Pick<ToolMessage, 'content' | 'artifact'>>,
): ToolMessage {
  const { artifact, tool_call_id, name, status, id, metadata, additional_kwargs, response_metadata } =
    message;
  return new ToolMessage({
    content: message.content,
    artifact,
    tool_call_id,
    ...defined({ name, status, id, metadata }),
    additional_kwargs,
    response_metadata,
    ...changed,
  });
}

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

/** Documents of an artifact as passages, and back. */
export class Passages {
  readonly #options: DocumentOptions;
  readonly #documents = new WeakMap<Passage, DocumentInterface>();

  constructor({ render = formatDocument, ...options }: DocumentOptions) {
    this.#options = { ...options, render };
  }

  /** The passages of an artifact that is an array of documents. */
  of(artifact: unknown): readonly Passage[] | undefined {
    if (!areDocuments(artifact)) return undefined;
    return toChunks(artifact, this.#options).map((chunk, at): Passage => {
      const document = artifact[at] as DocumentInterface;
      const passage = { ...chunk, id: document.id ?? '' };
      this.#documents.set(passage, document);
      return passage;
    });
  }

  /** The documents of passages: those of the artifact, or copies if something changed. */
  documentsOf(passages: readonly Passage[], artifact?: unknown): DocumentInterface[] {
    const given = areDocuments(artifact) ? artifact : [];
    return passages.map((passage) => {
      const { id, text, metadata } = passage;
      const same = ({ id: own = '', pageContent, metadata: its }: DocumentInterface) =>
        own === id && pageContent === text && its === metadata;
      return (
        this.#documents.get(passage) ??
        given.find(same) ??
        new Document({ pageContent: text, metadata: { ...metadata }, ...(id === '' ? {} : { id }) })
      );
    });
  }
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
