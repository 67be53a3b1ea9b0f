/** Any search as one that finds documents. */
import type { DocumentInterface } from '@langchain/core/documents';
import type { BaseRetrieverInterface } from '@langchain/core/retrievers';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { ContextShapingError } from '../../src/index.js';
import {
  beginningOf,
  defined,
  isObject,
  messageOf,
  orAborted,
  parseJson,
  rethrowControlFlow,
  withoutEntities,
} from '../../src/internal.js';
import { searchKindOf } from './options.js';
import type { SearchTool, WebSearch, WebSearchLike } from './types.js';

type Call = { signal?: AbortSignal | undefined };
type Ask = (query: string, call: Call) => unknown;

/**
 * Converts any search to one that finds documents: plain objects with `source`, `title` and `score` in `metadata`, if
 * the search returns them. A document's id is its own id, else its address. If several results have the same address,
 * the first stays. Results without text are left out. At most the first 100 results are taken, and of each text the
 * first 100,000 UTF-16 code units.
 *
 * An abort ends the wait, also if the search ignores the signal. Errors of the search are rethrown.
 *
 * @throws ContextShapingError `invalid-options`, if it is not a search. The search throws `service` if it gets an error
 *   or an unknown form as its result.
 */
export function toWebSearch(search: WebSearchLike): WebSearch {
  const name = nameOf(search);
  const ask = askerOf(search);
  return async (query, { signal } = {}) => {
    signal?.throwIfAborted();
    let result: unknown;
    try {
      result = await orAborted(Promise.resolve(ask(query, defined({ signal }))), signal);
    } catch (error) {
      rethrowControlFlow(error, signal);
      throw error;
    }
    return documentsIn(result, name);
  };
}

function askerOf(search: WebSearchLike): Ask {
  switch (searchKindOf(search)) {
    case 'function':
      return search as Ask;
    case 'tool':
      return askerOfTool(search as SearchTool);
    case 'retriever':
      return (query, call) =>
        (search as Pick<BaseRetrieverInterface, 'invoke'>).invoke(query, call as object);
  }
}

function askerOfTool(tool: SearchTool): Ask {
  const field = queryFieldOf(tool.schema);
  const { responseFormat } = tool as { responseFormat?: unknown };
  const invoke = (input: unknown, call: Call) => tool.invoke(input as never, call as never);
  return (query, call) => {
    if (responseFormat !== 'content_and_artifact') {
      return invoke(field === undefined ? query : { [field]: query }, call);
    }
    // Only the message that answers a tool call has the artifact with the documents.
    const args = { [field ?? 'input']: query };
    return invoke({ type: 'tool_call', id: 'web-search', name: tool.name, args }, call);
  };
}

const USUAL_FIELDS = ['query', 'q', 'question', 'input'];

/** The field of the query: one of the usual names, else the first; `undefined` if the tool takes no object. */
function queryFieldOf(schema: unknown): string | undefined {
  let properties: Record<string, unknown> | undefined;
  try {
    ({ properties } = toJsonSchema(schema as never) as { properties?: Record<string, unknown> });
  } catch {
    // Some schemas have no form in JSON Schema, for instance because of a date.
    return USUAL_FIELDS[0];
  }
  const fields = Object.keys(properties ?? {});
  return USUAL_FIELDS.find((field) => fields.includes(field)) ?? fields[0];
}

function nameOf(search: WebSearchLike): string {
  const { name } = (search ?? {}) as { name?: unknown };
  if (typeof name === 'string' && name !== '') return name;
  return typeof search === 'object' ? (search?.constructor?.name ?? 'webSearch') : 'webSearch';
}

/** Known tools nest their results less deeply. */
const DEEPEST = 6;
/** The fields in which most services return their results. Others take a function of the user. */
const LISTS = ['results', 'organic', 'items'];
const BROKEN_JSON = /^\s*(?:\[\s*)?\{\s*["}]/;

/** @returns `undefined` if the form is unknown. */
function itemsIn(result: unknown, name: string, depth = 0): readonly unknown[] | undefined {
  if (depth > DEEPEST) return undefined;
  const within = (inner: unknown) => itemsIn(inner, name, depth + 1);
  if (typeof result === 'string') return itemsInText(result, within);
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
  if (error) throw failed(name, typeof error === 'string' ? error : messageOf(error));
  return lists.some(Array.isArray) ? [] : [result];
}

function itemsInText(
  text: string,
  within: (inner: unknown) => readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  if (text.trim() === '') return [];
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null) return within(value);
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
  const remedy = 'Check the key and the limits of the search service.';
  return new ContextShapingError('service', { field: name, value, is: 'returned an error', remedy });
}

type Item = Readonly<Record<string, unknown>>;

const ADDRESSES = ['url', 'link'];
/** The longest text comes first. */
const TEXTS = ['text', 'content', 'snippet'];
/** In UTF-16 code units: of a page, of a detail, and of an address. Checkpoints store all of them. */
const LONGEST_TEXT = 100_000;
const LONGEST_DETAIL = 300;
const LONGEST_ADDRESS = 2000;
const MOST_DOCUMENTS = 100;
const MOST_DETAILS = 50;
const RUNS_IN_A_BROWSER = /^[\s\p{Cc}]*(?:javascript:|vbscript:|data:[\w.+-]*[/,;])/iu;

/** @throws ContextShapingError `service`, if the result is an error, or has an unknown form. */
function documentsIn(result: unknown, name: string): DocumentInterface[] {
  const items = itemsIn(result, name);
  const documents = items?.flatMap(foundIn);
  if (documents === undefined || (documents.length === 0 && items?.length !== 0)) {
    const remedy =
      'Wrap the search in a function that returns documents: { pageContent, metadata: { source, title } }.';
    const is = 'returned a result in an unknown form';
    throw new ContextShapingError('service', { field: name, value: result, is, remedy });
  }
  return distinct(documents).slice(0, MOST_DOCUMENTS);
}

interface Found {
  document: DocumentInterface;
  isHit: boolean;
}

/** Empty if the item has no text. */
function foundIn(given: unknown): Found[] {
  const item = typeof given === 'string' ? { pageContent: given } : given;
  if (typeof item !== 'object' || item === null) return [];
  const isHit = !('pageContent' in item);
  const document = isHit ? ofHit(item as Item) : ofDocument(item as Item);
  return document === undefined ? [] : [{ document, isHit }];
}

function ofDocument({ pageContent, id, metadata }: Item): DocumentInterface | undefined {
  if (!isText(pageContent)) return undefined;
  const details = asJson(metadata);
  if (isText(details.source) && RUNS_IN_A_BROWSER.test(details.source)) delete details.source;
  const source = isText(details.source) ? details.source : addressIn(details);
  const own = isText(id) ? id : source;
  return {
    pageContent: beginningOf(pageContent, LONGEST_TEXT),
    metadata: { ...details, ...defined({ source }) },
    ...defined({ id: own }),
  };
}

function ofHit(item: Item): DocumentInterface | undefined {
  const field = TEXTS.find((each) => isText(item[each]));
  // Snippets contain tags and entities.
  const clean = field === undefined || field === 'snippet' ? withoutMarkup : (text: string) => text;
  const title = isText(item.title) ? beginningOf(clean(item.title), LONGEST_DETAIL) : undefined;
  const pageContent = field === undefined ? title : clean(item[field] as string).trim();
  if (!isText(pageContent)) return undefined;
  const source = addressIn(item);
  const used = ['title', 'id', ...ADDRESSES, ...TEXTS];
  const others = Object.entries(item).filter(([key]) => !used.includes(key));
  return {
    pageContent: beginningOf(pageContent, LONGEST_TEXT),
    metadata: {
      ...detailsOf(Object.fromEntries(others)),
      ...defined({ source, title }),
    },
    ...defined({ id: source }),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const isDetail = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (isText(value) && value.length <= LONGEST_DETAIL && !RUNS_IN_A_BROWSER.test(value));

/** Only web addresses, because the address will be cited. */
const addressIn = (item: Item): string | undefined =>
  ADDRESSES.map((field) => item[field]).find(
    (each): each is string =>
      typeof each === 'string' && each.length <= LONGEST_ADDRESS && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(each),
  );

/** The part that a checkpoint can keep. */
function asJson(metadata: unknown): Record<string, unknown> {
  try {
    const json = JSON.stringify(metadata);
    const copy: unknown = json.length <= LONGEST_TEXT ? JSON.parse(json) : detailsOf(metadata);
    return isObject(copy) ? { ...copy } : {};
  } catch {
    return detailsOf(metadata);
  }
}

const detailsOf = (fields: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields ?? {})
      .filter(([, value]) => isDetail(value))
      .slice(0, MOST_DETAILS),
  );

/** Keeps the first of the results with one address. Several documents with different texts may share an address. */
function distinct(documents: readonly Found[]): DocumentInterface[] {
  const seen = new Set<string>();
  return documents
    .filter(({ document: { id, pageContent }, isHit }) => {
      const key = JSON.stringify([id, isHit && id !== undefined ? '' : pageContent]);
      return !seen.has(key) && seen.add(key);
    })
    .map(({ document }) => document);
}

const BREAKS = /<\/?(?:br|p)(?:\s[^<>]*)?\/?>/gi;
/** Only tags that mark words: a snippet may be about `List<String>`, or a < b. */
const MARKS = /<\/?(?:a|b|em|font|i|mark|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>/gi;

/** Plain text of a snippet, in which services mark found words. Removes tags before it reads entities, because escaped tags are text. */
const withoutMarkup = (snippet: string): string =>
  withoutEntities(snippet.replace(BREAKS, ' ').replace(MARKS, '')).replaceAll('\u00a0', ' ');
