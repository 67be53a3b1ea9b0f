/**
 * The messages of a transcript as the question, the passages and the answer. The forms are those in which hosts store
 * messages as JSON: OpenAI (chat completions and responses), Anthropic, the AI SDK (model and UI messages) and LangChain.
 */
import { invalidInput, isObject, parseJson } from '../../src/internal.js';

type Fields = Readonly<Record<string, unknown>>;

/** A passage that a message shows. */
export interface Passage {
  id?: string;
  text: string;
  score?: number;
  metadata?: Record<string, unknown>;
}

export interface Turn {
  role: 'user' | 'assistant' | 'other';
  text: string;
  /** In the order of the message. */
  passages: readonly Passage[];
  /** Ids, numbers from 1, or objects of providers. */
  citations: readonly unknown[];
}

const ROLES: Readonly<Record<string, Turn['role']>> = {
  ...{ user: 'user', human: 'user' },
  ...{ assistant: 'assistant', ai: 'assistant', model: 'assistant' },
  ...{
    tool: 'other',
    function: 'other',
    system: 'other',
    developer: 'other',
    data: 'other',
    remove: 'other',
  },
};
const TEXT_PARTS = ['text', 'input_text', 'output_text'];
/** Parts that name a source of the answer: of the AI SDK. */
const SOURCE_PARTS = ['source', 'source-url', 'source-document'];
/** The fields with the text of a passage, and those with a list of passages. */
const TEXTS = ['text', 'pageContent', 'page_content', 'content', 'snippet'];
const LISTS = ['results', 'documents', 'chunks', 'passages', 'matches', 'sources', 'sourceNodes', 'nodes'];
const IDS = ['id', 'id_', 'chunk_id', 'file_id', 'source', 'url', 'title'];
/** Results of tools are no deeper. */
const MOST_LEVELS = 8;

/** @throws ContextShapingError `invalid-input`, for a message that is none. */
export function turnsOf(messages: unknown, name: string): Turn[] {
  if (!Array.isArray(messages) || messages.length === 0) {
    const remedy = 'Write the messages as [{ "role": "user", "content": "…" }, …], oldest first.';
    throw invalidInput(name, messages, 'must be an array of messages', remedy);
  }
  return messages.map((message, at) => turnOf(message, `${name}[${at}]`));
}

function turnOf(message: unknown, name: string): Turn {
  if (!isObject(message)) {
    throw invalidInput(name, message, 'must be an object', 'Write { "role": "…", "content": "…" }.');
  }
  const fields = plainMessage(message);
  const role = roleOf(fields);
  if (role === undefined) {
    const remedy = 'Write "user", "assistant", "tool" or "system".';
    throw invalidInput(`${name}.role`, fields.role, 'is no role of a message', remedy);
  }
  const { content, parts = content, artifact } = fields;
  const all = typeof parts === 'string' ? [{ type: 'text', text: parts }] : arrayOf(parts).filter(isObject);
  if (isResult(fields)) {
    // The artifact of LangChain has the passages as they were; the content shows them to the model.
    const kept = passagesIn(artifact);
    const { output = content, results = output } = fields;
    return { role: 'other', text: '', passages: kept.length > 0 ? kept : passagesIn(results), citations: [] };
  }
  return {
    role,
    text: all.flatMap((part) => (isText(part) ? [part.text] : [])).join('\n'),
    passages: all.flatMap((part) => (isText(part) ? [] : shownIn(part))),
    citations: [
      ...citationsOf(fields),
      ...all.flatMap((part) => (SOURCE_PARTS.includes(String(part.type)) ? [part] : citationsOf(part))),
    ],
  };
}

/** A message of LangChain is stored with its fields inside: as a constructor, or with its type. */
function plainMessage(message: Fields): Fields {
  const { kwargs, data, type, id } = message;
  if (isObject(kwargs)) {
    const name = String(arrayOf(id).at(-1)).replace(/Message(Chunk)?$/, '');
    return { ...kwargs, role: name.toLowerCase() };
  }
  return isObject(data) && typeof data.content !== 'undefined' ? { ...data, role: type } : message;
}

/** Items of OpenAI's responses may have no role. */
function roleOf({ role, type }: Fields): Turn['role'] | undefined {
  const known = ROLES[String(role ?? type).toLowerCase()];
  return known ?? (role === undefined && typeof type === 'string' ? 'other' : undefined);
}

const isResult = ({ role, type }: Fields) =>
  ['tool', 'function'].includes(String(role ?? type)) ||
  (role === undefined && /_call(_output)?$/.test(String(type)));

const isText = (part: Fields): part is Fields & { text: string } =>
  TEXT_PARTS.includes(String(part.type)) && typeof part.text === 'string';

const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const citationsOf = ({ citations, annotations }: Fields) => [...arrayOf(citations), ...arrayOf(annotations)];

/** The passages of a part that is no text: a result of a tool, a document, a result of a search. */
function shownIn(part: Fields): Passage[] {
  const { type, content, output, source, title } = part;
  if (type === 'document' && isObject(source)) return passagesIn(source.data ?? source.content, 1, { title });
  if (type === 'search_result') return joined(part);
  return passagesIn(output ?? content);
}

/** A result of a search, whose text is in blocks. */
function joined({ content, ...fields }: Fields): Passage[] {
  const texts = arrayOf(content).flatMap((block) => (isObject(block) && isText(block) ? [block.text] : []));
  const text = texts.join('\n');
  return text.trim() === '' ? [] : [passage(fields, text)];
}

/** The passages in a value of unknown form: JSON as text, lists, objects with a text. */
function passagesIn(value: unknown, level = 1, more: Fields = {}): Passage[] {
  if (level > MOST_LEVELS || value == null) return [];
  const within = (inner: unknown) => passagesIn(inner, level + 1, more);
  if (typeof value === 'string') {
    const json = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    return isObject(json) || Array.isArray(json)
      ? within(json)
      : numberedIn(value).map((text) => passage({ ...more, text }, text));
  }
  if (Array.isArray(value)) return value.flatMap(within);
  if (!isObject(value)) return [];
  if (value.type === 'search_result') return joined(value);
  if (isText(value)) return within(value.text);
  if (
    ['tool-result', 'tool_result', 'json', 'text', 'content'].includes(String(value.type)) &&
    !('text' in value)
  )
    return within(value.output ?? value.value ?? value.content);
  if (isObject(value.node)) return within({ ...value.node, score: value.score });
  const text = TEXTS.map((name) => value[name]).find(
    (each) => typeof each === 'string' && each.trim() !== '',
  );
  if (typeof text === 'string') return [passage({ ...more, ...value }, text)];
  return LISTS.flatMap((name) => within(value[name]));
}

/** A text in which each passage begins with its number, `[1] …`, is a list; any other is one passage. */
function numberedIn(text: string): string[] {
  const parts = text.split(/^[ \t]*\[(\d+)\][ \t]*/m);
  const isNumbered =
    parts.length > 1 && parts.every((part, at) => at % 2 === 0 || Number(part) === (at + 1) / 2);
  const all = isNumbered ? parts.filter((_, at) => at > 0 && at % 2 === 0) : [text];
  return all.map((each) => each.trim()).filter((each) => each !== '');
}

function passage({ score, metadata, ...fields }: Fields, text: string): Passage {
  const named = Object.entries(fields).filter(([name]) => !TEXTS.includes(name) && name !== 'type');
  const all = { ...Object.fromEntries(named), ...(isObject(metadata) ? metadata : {}) };
  const id = IDS.map((name) => all[name]).find((each) => typeof each === 'string' && each !== '');
  return {
    ...(typeof id === 'string' ? { id } : {}),
    text,
    ...(typeof score === 'number' && Number.isFinite(score) ? { score } : {}),
    ...(Object.keys(all).length === 0 ? {} : { metadata: all }),
  };
}
