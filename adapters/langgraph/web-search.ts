/** Any search as one that finds documents. */
import type { DocumentInterface } from '@langchain/core/documents';
import type { BaseRetrieverInterface } from '@langchain/core/retrievers';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { ContextShapingError } from '../../src/index.js';
import { beginningOf, defined, isObject, messageOf, parseJson } from '../../src/internal.js';
import type { SearchTool, WebSearch, WebSearchLike } from './types.js';

type Ask = (query: string, call: { signal?: AbortSignal | undefined }) => unknown;

/**
 * Converts any search to one that finds documents: plain objects with `source` and `title` in `metadata`, if the search
 * returns them. A document's id is its own id, else its address. If several results have the same address, the first
 * stays. Results without text are left out. At most the first 100 results are taken, and of each text the first 100,000
 * UTF-16 code units.
 *
 * @throws ContextShapingError `invalid-options`, if it is not a search. The search throws `service` if it gets an error
 *   or an unknown form as its result.
 */
export function toWebSearch(search: WebSearchLike): WebSearch {
  const ask = askerOf(search);
  const name = nameOf(search);
  return async (query, { signal } = {}) => documentsIn(await ask(query, defined({ signal })), name);
}

/** @throws ContextShapingError `invalid-options`, if it is not a search. */
function askerOf(search: WebSearchLike): Ask {
  if (typeof search === 'function') return search as Ask;
  const { invoke, schema, _getRelevantDocuments } = (search ?? {}) as Record<string, unknown>;
  if (typeof invoke === 'function' && typeof schema === 'object' && schema !== null) {
    const field = queryFieldOf(schema);
    return (query, call) =>
      (search as SearchTool).invoke(
        (field === undefined ? query : { [field]: query }) as never,
        call as never,
      );
  }
  if (typeof invoke === 'function' && typeof _getRelevantDocuments === 'function')
    return (query, call) => (search as Pick<BaseRetrieverInterface, 'invoke'>).invoke(query, call as object);
  throw new ContextShapingError('invalid-options', {
    field: 'webSearch',
    value: search,
    is: 'must be a function, a LangChain tool or a LangChain retriever',
    remedy: 'Give one of these, such as (query, { signal }) => runnable.invoke(query, { signal }).',
  });
}

/** The field of the query: `query`, else the first; `undefined` if the tool takes no object. */
function queryFieldOf(schema: unknown): string | undefined {
  try {
    const { properties = {} } = toJsonSchema(schema as never) as { properties?: object };
    return 'query' in properties ? 'query' : Object.keys(properties)[0];
  } catch {
    // Some schemas have no form in JSON Schema, for instance because of a date.
    return 'query';
  }
}

function nameOf(search: WebSearchLike): string {
  const { name } = search as { name?: unknown };
  if (typeof name === 'string' && name !== '') return name;
  return typeof search === 'object' ? (search.constructor?.name ?? 'webSearch') : 'webSearch';
}

/** The fields in which most services return their results, and MCP its blocks. Others take a function of the user. */
const LISTS = ['results', 'organic', 'items', 'content'];

/**
 * The results: of a list, of an object with a list, of a text that is one of these as JSON, or of blocks of text, which
 * MCP returns. Any other text is a result itself.
 *
 * @returns `undefined` if the form is unknown.
 */
function itemsIn(result: unknown, name: string): readonly unknown[] | undefined {
  if (typeof result === 'string') {
    const value = parseJson(result);
    if (typeof value === 'object' && value !== null) return itemsIn(value, name);
    return result.trim() === '' ? [] : [result];
  }
  if (Array.isArray(result))
    return result.flatMap((item) => (isTextBlock(item) ? (itemsIn(item.text, name) ?? []) : [item]));
  if (!isObject(result)) return undefined;
  const { error, isError } = result;
  if (error || isError === true) {
    const value = error === undefined ? result : messageOf(error);
    const remedy = 'Check the key and the limits of the search service.';
    throw new ContextShapingError('service', { field: name, value, is: 'returned an error', remedy });
  }
  const list = LISTS.map((key) => result[key]).find(Array.isArray);
  return list === undefined ? [result] : itemsIn(list, name);
}

const isTextBlock = (item: unknown): item is { text: string } =>
  isObject(item) && item.type === 'text' && typeof item.text === 'string';

/** The longest text comes first. */
const TEXTS = ['text', 'content', 'snippet', 'title'];
/** In UTF-16 code units: of a page, and of a detail. Checkpoints store all of them. */
const LONGEST_TEXT = 100_000;
const LONGEST_DETAIL = 300;
const MOST_DOCUMENTS = 100;

/** @throws ContextShapingError `service`, if the result is an error, or has an unknown form. */
function documentsIn(result: unknown, name: string): DocumentInterface[] {
  const items = itemsIn(result, name);
  const documents = items?.flatMap((item) => documentOf(typeof item === 'string' ? { text: item } : item));
  if (documents === undefined || (documents.length === 0 && items?.length !== 0)) {
    const remedy =
      'Wrap the search in a function that returns documents: { pageContent, metadata: { source, title } }.';
    const is = 'returned a result in an unknown form';
    throw new ContextShapingError('service', { field: name, value: result, is, remedy });
  }
  const seen = new Set<string>();
  return documents
    .filter(({ key }) => !seen.has(key) && seen.add(key))
    .slice(0, MOST_DOCUMENTS)
    .map(({ document }) => document);
}

/**
 * The document of a result, and a key: results with one key are the same. Several documents of a retriever may share an
 * address; of the results of a service the first is taken. Empty if the item has no text.
 */
function documentOf(item: unknown): { document: DocumentInterface; key: string }[] {
  if (!isObject(item)) return [];
  const { pageContent, metadata } = item;
  if (isText(pageContent)) {
    const details = isObject(metadata) ? metadata : {};
    const source = isText(details.source) ? details.source : addressIn(details);
    const id = isText(item.id) ? item.id : source;
    const text = beginningOf(pageContent, LONGEST_TEXT);
    const document = {
      pageContent: text,
      metadata: { ...details, ...defined({ source }) },
      ...defined({ id }),
    };
    return [{ document, key: JSON.stringify([id, text]) }];
  }
  const text = TEXTS.map((field) => item[field]).find(isText);
  if (text === undefined) return [];
  const page = beginningOf(text.trim(), LONGEST_TEXT);
  const source = addressIn(item);
  const document = {
    pageContent: page,
    metadata: { ...detailsOf(item), ...defined({ source }) },
    ...defined({ id: source }),
  };
  return [{ document, key: JSON.stringify(source === undefined ? [page] : source) }];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Only web addresses, because the address will be cited. */
const addressIn = ({ url, link }: Readonly<Record<string, unknown>>): string | undefined =>
  [url, link].find(
    (each): each is string => typeof each === 'string' && /^https?:\/\/[^\s\p{Cc}]{1,2000}$/iu.test(each),
  );

/** Short values: the title, a date, a score. The source is an address, and the texts have their place. */
const detailsOf = (item: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(item).filter(
      ([key, value]) =>
        !['id', 'url', 'link', 'source', 'text', 'content', 'snippet'].includes(key) &&
        (typeof value === 'boolean' ||
          Number.isFinite(value) ||
          (isText(value) && value.length <= LONGEST_DETAIL)),
    ),
  );
