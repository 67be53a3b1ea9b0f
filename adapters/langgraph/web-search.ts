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
import type { SearchTool, WebSearch, WebSearchLike } from './types.js';

type Ask = (query: string, call: { signal?: AbortSignal | undefined }) => unknown;

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
  const ask = askerOf(search);
  const name = nameOf(search);
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
  const { name } = search as { name?: unknown };
  if (typeof name === 'string' && name !== '') return name;
  return typeof search === 'object' ? (search.constructor?.name ?? 'webSearch') : 'webSearch';
}

/** The fields in which most services return their results. Others take a function of the user. */
const LISTS = ['results', 'organic', 'items'];

/**
 * The results: of a list, of an object with a list, of a text that is one of these as JSON, or of blocks of text, which
 * MCP returns. Any other text is a result itself.
 *
 * @returns `undefined` if the form is unknown.
 */
function itemsIn(result: unknown, name: string): readonly unknown[] | undefined {
  if (typeof result === 'string') {
    if (result.trim() === '') return [];
    const value = parseJson(result);
    if (typeof value === 'object' && value !== null) return itemsIn(value, name);
    return /^\s*(?:\[\s*)?\{\s*["}]/.test(result) ? undefined : [result];
  }
  if (Array.isArray(result)) {
    const found = result.map((item) => (isTextBlock(item) ? itemsIn(item.text, name) : [item]));
    const known = found.filter((items) => items !== undefined);
    return known.length === 0 && result.length > 0 ? undefined : known.flat();
  }
  if (!isObject(result)) return undefined;
  const { error, isError, content } = result;
  if (error || isError === true) {
    const texts = Array.isArray(content) ? content.filter(isTextBlock).map(({ text }) => text) : [];
    const value = typeof error === 'string' ? error : texts.join('\n') || messageOf(error);
    const remedy = 'Check the key and the limits of the search service.';
    throw new ContextShapingError('service', { field: name, value, is: 'returned an error', remedy });
  }
  const list = [...LISTS.map((key) => result[key]), content].find(Array.isArray);
  return list === undefined ? [result] : itemsIn(list, name);
}

const isTextBlock = (item: unknown): item is { text: string } =>
  isObject(item) && item.type === 'text' && typeof item.text === 'string';

type Item = Readonly<Record<string, unknown>>;

const ADDRESSES = ['url', 'link'];
/** The longest text comes first. */
const TEXTS = ['pageContent', 'text', 'content', 'snippet'];
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
  const field = isObject(item) ? TEXTS.find((each) => isText(item[each])) : undefined;
  if (!isObject(item) || (field === undefined && !isText(item.title))) return [];
  const isDocument = 'pageContent' in item;
  // Snippets contain tags and entities.
  const clean = field === undefined || field === 'snippet' ? withoutMarkup : (text: string) => text;
  const text = clean(item[field ?? 'title'] as string);
  const pageContent = beginningOf(isDocument ? text : text.trim(), LONGEST_TEXT);
  const details = isDocument ? asJson(item.metadata) : detailsOf(item, NO_DETAILS);
  if (isText(details.source) && RUNS_IN_A_BROWSER.test(details.source)) delete details.source;
  const title =
    !isDocument && isText(item.title) ? beginningOf(clean(item.title), LONGEST_DETAIL) : undefined;
  const source =
    isDocument && isText(details.source) ? details.source : addressIn(isDocument ? details : item);
  const id = isDocument && isText(item.id) ? item.id : source;
  const metadata = { ...details, ...defined({ source, title }) };
  const key = JSON.stringify([id, !isDocument && id !== undefined ? '' : pageContent]);
  return [{ document: { pageContent, metadata, ...defined({ id }) }, key }];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

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
    const copy: unknown = json.length <= LONGEST_TEXT ? JSON.parse(json) : undefined;
    if (isObject(copy)) return { ...copy };
  } catch {
    // No JSON: a big integer, or a circle.
  }
  return detailsOf(metadata);
}

/** The fields of a result that have a place of their own. */
const NO_DETAILS: readonly string[] = ['title', 'id', ...ADDRESSES, ...TEXTS];

/** Short values: a date, a score. */
const detailsOf = (fields: unknown, except: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields ?? {})
      .filter(([key, value]) => !except.includes(key) && isDetail(value))
      .slice(0, MOST_DETAILS),
  );

const isDetail = (value: unknown): boolean =>
  typeof value === 'boolean' || Number.isFinite(value) || (isText(value) && value.length <= LONGEST_DETAIL);

const BREAKS = /<\/?(?:br|p)(?:\s[^<>]*)?\/?>/gi;
/** Only tags that mark words: a snippet may be about `List<String>`, or a < b. */
const MARKS = /<\/?(?:a|b|em|font|i|mark|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>/gi;

/** Plain text of a snippet, in which services mark found words. Removes tags before it reads entities, because escaped tags are text. */
const withoutMarkup = (snippet: string): string =>
  withoutEntities(snippet.replace(BREAKS, ' ').replace(MARKS, '')).replaceAll('\u00a0', ' ');
