/**
 * The endpoints of Ollama that chat models and embeddings of LangChain and LlamaIndex call: `POST /api/chat`,
 * `/api/generate`, `/api/embed` and `/api/embeddings`. The texts are scripted, the forms of the answers are Ollama's.
 */
import { fakeEmbedder } from 'context-shaping/testing';
import { type Asked, type JsonServer, jsonServer, type Reply } from './json-server.js';

const CHAT_MODEL = 'llama3.2';
const EMBEDDING_MODEL = 'nomic-embed-text';

interface Message {
  role: string;
  content: string;
}
interface Tool {
  function: { name: string; parameters: { properties: object } };
}

/**
 * A model with tools passes the user's message to the first tool.
 *
 * @param say the reply to a prompt: to the last message that is not the user’s, if there is one. If `format` is a
 * schema, it has to be JSON of that form.
 */
export function ollamaChatServer(
  say: (prompt: string, format: object | undefined) => string,
): Promise<JsonServer> {
  const embedder = fakeEmbedder();
  const embed = async (texts: string[]) => (await embedder.embed(texts, {})).map((row) => Array.from(row));

  function messageTo({
    messages,
    tools = [],
    format,
  }: {
    messages: Message[];
    tools?: Tool[];
    format?: object;
  }) {
    const last = messages.at(-1);
    const [tool] = tools;
    if (tool === undefined || last?.role !== 'user') {
      const told = messages.findLast(({ role }) => role !== 'user') ?? last;
      return { content: say(told?.content ?? '', format) };
    }
    const { name, parameters } = tool.function;
    const [first = ''] = Object.keys(parameters.properties);
    return { content: '', tool_calls: [{ function: { name, arguments: { [first]: last.content } } }] };
  }

  async function answer({ path, body }: Asked): Promise<Reply> {
    const model = path.startsWith('/api/embed') ? EMBEDDING_MODEL : CHAT_MODEL;
    if (body?.model !== model) return { status: 404, json: { error: `model '${body?.model}' not found` } };
    switch (path) {
      case '/api/chat': {
        const { content, ...rest } = messageTo(body);
        return inParts(body, content, (part) => ({ message: { role: 'assistant', content: part, ...rest } }));
      }
      case '/api/generate':
        return inParts(body, say(body.prompt, body.format), (response) => ({ response }));
      case '/api/embed':
        return { json: { model, embeddings: await embed([body.input].flat()) } };
      case '/api/embeddings':
        return { json: { embedding: (await embed([body.prompt]))[0] } };
      default:
        return { status: 404, text: '404 page not found' };
    }
  }
  return jsonServer(answer);
}

/** One line per word, unless the request asks for the whole answer at once. */
function inParts(
  { model, stream = true }: { model: string; stream?: boolean },
  text: string,
  as: (part: string) => object,
): Reply {
  const end = { model, ...as(''), done: true, done_reason: 'stop', prompt_eval_count: 20, eval_count: 5 };
  if (!stream) return { json: { ...end, ...as(text) } };
  const words = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
  const lines = [...words.map((word) => ({ model, ...as(word), done: false })), end];
  return { text: lines.map((line) => `${JSON.stringify(line)}\n`).join('') };
}
