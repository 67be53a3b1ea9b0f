/** The single results in the answer of a search tool. */
import { ContextShapingError } from '../../../src/index.js';
import { messageOf, parseJson } from '../../../src/internal.js';

/** Known tools nest their results less deeply. */
const DEEPEST = 6;
/** The fields in which most services return their results. Others take a function of the user. */
const LISTS = ['results', 'organic', 'items'];
const NOTHING_FOUND =
  /^\W*(sorry\W+)?(no\s+(\S+\s+){0,3}?(results?|documents?|matches|hits|pages?|answers?)\b|nothing\s+(was\s+)?found)/i;
const ERROR = /^\W*(\w*error|HTTP \d{3})\b\s*[\d:]/i;
const BROKEN_JSON = /^\s*(?:\[\s*)?\{\s*["}]/;

/** @returns `undefined` if the form is unknown. */
export function itemsIn(result: unknown, name: string, depth = 0): readonly unknown[] | undefined {
  if (depth > DEEPEST) return undefined;
  const within = (inner: unknown) => itemsIn(inner, name, depth + 1);
  if (typeof result === 'string') return itemsInText(result, name, within);
  if (Array.isArray(result)) {
    const texts = textsIn(result);
    if (texts.length === 0) return result;
    const understood = texts.map(within).filter((items) => items !== undefined);
    return understood.length === 0 ? undefined : understood.flat();
  }
  if (typeof result !== 'object' || result === null) return undefined;
  const { tool_call_id, status, content, artifact, isError, error } = result as Record<string, unknown>;
  const texts = textsIn(content);
  if (typeof tool_call_id === 'string' || texts.length > 0) {
    if (status === 'error' || isError === true) throw failed(name, texts.join('\n') || content);
    const found = within(artifact);
    return found?.some(saysSomething) ? found : within(content);
  }
  const lists = LISTS.map((key) => (result as Record<string, unknown>)[key]).filter(
    (list) => typeof list === 'object' && list !== null,
  );
  const found = lists.map(within).find((items) => items !== undefined && items.length > 0);
  if (found !== undefined) return found;
  if (error) {
    if (NOTHING_FOUND.test(messageOf(error))) return [];
    throw failed(name, typeof error === 'string' ? error : messageOf(error));
  }
  return lists.some(Array.isArray) ? [] : [result];
}

function itemsInText(
  text: string,
  name: string,
  within: (inner: unknown) => readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  if (text.trim() === '' || NOTHING_FOUND.test(text)) return [];
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null) return within(value);
  if (ERROR.test(text)) throw failed(name, text);
  return BROKEN_JSON.test(text) ? undefined : [text];
}

/** The texts in the content of a message, also of MCP: one block for everything, or one for each result. */
function textsIn(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => {
    const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown };
    return type === 'text' && typeof text === 'string' ? [text] : [];
  });
}

/** Artifacts of MCP have items without text. */
const saysSomething = (item: unknown): boolean =>
  typeof item === 'string' ||
  Object.entries(item ?? {}).some(([key, value]) => key !== 'type' && typeof value === 'string');

function failed(name: string, value: unknown): ContextShapingError {
  return new ContextShapingError('service', {
    field: name,
    value,
    is: 'returned an error',
    remedy: 'Check the key and the limits of the search service.',
  });
}
