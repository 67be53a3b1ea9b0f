/** A search of the user as one that finds documents. */
import type { DocumentInterface } from '@langchain/core/documents';
import { beginningOf, defined, isObject, messageOf, parseJson } from '../../src/internal.js';
import { serviceError } from '../model-calls/index.js';
import type { WebSearch } from './types.js';

/**
 * The search with documents as its result: documents as they are, and other results as documents with `source` and
 * `title` in `metadata` and the address as their id. Results without text are left out. At most the first 100 results
 * are taken, and of each text the first 100,000 UTF-16 code units.
 *
 * @throws ContextShapingError `service`, when it gets an error or an unknown form as the result.
 */
export const findingDocuments =
  (search: WebSearch): ((...args: Parameters<WebSearch>) => Promise<DocumentInterface[]>) =>
  async (query, call) =>
    documentsIn(await search(query, call), search.name || 'webSearch');

/** The fields in which most services return their results. Others take a function of the user. */
const LISTS = ['results', 'organic', 'items'];

/**
 * The results: a list, an object with a list, or a text that is one of these as JSON.
 *
 * @returns `undefined` if the form is unknown.
 */
function itemsIn(result: unknown, name: string): readonly unknown[] | undefined {
  if (typeof result === 'string') {
    const value = parseJson(result);
    return typeof value === 'string' ? undefined : itemsIn(value, name);
  }
  if (Array.isArray(result)) return result;
  if (!isObject(result)) return undefined;
  if (result.error) {
    const remedy = 'Check the key and the limits of the search service.';
    const value = messageOf(result.error);
    throw serviceError(name, value, 'returned an error', remedy);
  }
  return LISTS.map((key) => result[key]).find(Array.isArray);
}

/** The longest text comes first. */
const TEXTS = ['text', 'content', 'snippet', 'title'];
/** In UTF-16 code units. Checkpoints store the texts. */
const LONGEST_TEXT = 100_000;
const MOST_DOCUMENTS = 100;

/** @throws ContextShapingError `service`, if the result is an error, or has an unknown form. */
function documentsIn(result: unknown, name: string): DocumentInterface[] {
  const items = itemsIn(result, name);
  const documents = items?.flatMap(documentOf);
  if (documents === undefined || (documents.length === 0 && items?.length !== 0)) {
    const remedy =
      'Wrap the search in a function that returns documents: { pageContent, metadata: { source, title } }.';
    const is = 'returned a result in an unknown form';
    throw serviceError(name, result, is, remedy);
  }
  return documents.slice(0, MOST_DOCUMENTS);
}

/** The document of a result: a document itself, or an object with a text, an address and a title. None without a text. */
function documentOf(item: unknown): DocumentInterface[] {
  if (!isObject(item)) return [];
  const { id, pageContent, metadata } = item;
  if (isText(pageContent)) {
    const details = isObject(metadata) ? metadata : {};
    return [
      { pageContent: beginningOf(pageContent, LONGEST_TEXT), metadata: details, ...(isText(id) && { id }) },
    ];
  }
  const text = TEXTS.map((field) => item[field]).find(isText);
  if (text === undefined) return [];
  const source = [item.url, item.link].find(isAddress);
  const title = isText(item.title) && item.title !== text ? item.title : undefined;
  const about = { metadata: defined({ source, title }), ...defined({ id: source }) };
  return [{ pageContent: beginningOf(text.trim(), LONGEST_TEXT), ...about }];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Only web addresses, because the address will be cited. */
const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\/[^\s\p{Cc}]{1,2000}$/iu.test(value);
