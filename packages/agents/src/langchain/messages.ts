/** LangChain's messages as those of a conversation, and back. An `artifact` of documents has those that are shown. */
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { defined } from 'context-shaping/kit';
import { type DocumentOptions, formatDocument, toChunks } from 'context-shaping/langchain';
import type {
  CallPart,
  Content,
  Message,
  OtherPart,
  Passage,
  ResultPart,
  TextPart,
} from '../conversation/index.js';

type Block = Readonly<Record<string, unknown>>;

/** The messages of one request or of one thread, and how to write them back. */
export class Translation {
  readonly messages: readonly Message[];
  readonly #given: readonly BaseMessage[];
  readonly #passages: Passages;
  /** The blocks of contents that are arrays. */
  readonly #blocks = new WeakMap<object, Block>();

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
          : [...this.#contentOf(message), ...callsOf(message).map(callPart)],
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
      content: this.#blocksOf(given, content),
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
      content: this.#contentOf(message),
      ...(status === 'error' ? { failed: true } : {}),
      ...(passages === undefined ? {} : { passages }),
    };
  }

  #contentOf({ content }: BaseMessage): (TextPart | OtherPart)[] {
    if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
    return (content as readonly (Block | string)[]).flatMap((block) => {
      if (typeof block === 'string') return block === '' ? [] : [{ type: 'text' as const, text: block }];
      const part = partOf(block);
      if (part !== undefined) this.#blocks.set(part, block);
      return part ?? [];
    });
  }

  /** A text stays a text. */
  #blocksOf(given: ToolMessage, content: readonly Content[]): ToolMessage['content'] {
    const texts = content.flatMap((each) => (each.type === 'text' ? [each.text] : []));
    if (typeof given.content === 'string') return texts.join('\n\n');
    return content.map((each) => this.#blocks.get(each) ?? each) as ToolMessage['content'];
  }
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

/** Blocks that repeat the calls of a message, in the form of a provider. */
const CALLS = new Set(['tool_use', 'tool_call', 'tool_call_chunk', 'function_call', 'functionCall']);

const KINDS: Readonly<Record<string, string>> = {
  image_url: 'image',
  input_image: 'image',
  input_audio: 'audio',
  input_file: 'file',
  document: 'file',
  'text-plain': 'file',
  thinking: 'reasoning',
  redacted_thinking: 'reasoning',
};

function partOf(block: Block): TextPart | OtherPart | undefined {
  const { type, text } = block;
  if (typeof text === 'string' && (type === 'text' || type === undefined))
    return text === '' ? undefined : { type: 'text', text };
  const kind = String(type);
  return CALLS.has(kind) ? undefined : { type: 'other', kind: KINDS[kind] ?? kind };
}

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
