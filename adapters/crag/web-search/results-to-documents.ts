import type { DocumentInterface } from '@langchain/core/documents';
import { ContextShapingError } from '../../../src/index.js';
import { beginningOf, defined, isObject } from '../../../src/internal.js';
import { withoutMarkup } from './markup.js';
import { itemsIn } from './results.js';

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
export function documentsIn(result: unknown, name: string): DocumentInterface[] {
  const items = itemsIn(result, name);
  const documents = items?.flatMap(foundIn);
  if (documents === undefined || (documents.length === 0 && items?.length !== 0)) {
    throw new ContextShapingError('service', {
      field: name,
      value: result,
      is: 'returned a result in an unknown form',
      remedy:
        'Wrap the search in a function that returns documents: { pageContent, metadata: { source, title } }.',
    });
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
