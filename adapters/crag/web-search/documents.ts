import type { DocumentInterface } from '@langchain/core/documents';
import { ContextShapingError } from '../../../src/index.js';
import { itemsIn } from './items.js';
import { withoutMarkup } from './markup.js';

type Item = Readonly<Record<string, unknown>>;

const ADDRESSES = ['url', 'link', 'href'];
/** The whole page, where it was asked for, before what the service made of it. */
const TEXTS = ['raw_content', 'content', 'text', 'snippet', 'description', 'highlights', 'summary', 'answer'];
/** These come with tags and entities. */
const MARKED = ['snippet', 'description'];
const LONGEST_DETAIL = 300;

/** @throws ContextShapingError `service`, if the result is an error, or nothing in it can be understood. */
export function documentsIn(result: unknown, name: string): DocumentInterface[] {
  const items = itemsIn(result, name);
  const documents = items?.flatMap(foundIn);
  if (documents === undefined || (documents.length === 0 && items?.length !== 0)) {
    throw new ContextShapingError('service', {
      field: name,
      value: result,
      is: 'answered in a form that is not known',
      remedy: 'Wrap it in a function that returns documents: { pageContent, metadata: { source, title } }.',
    });
  }
  return distinct(documents);
}

interface Found {
  document: DocumentInterface;
  isHit: boolean;
}

/** Nothing, if the item has no text. */
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
  const source = isText(details.source) ? details.source : addressIn(details);
  const own = isText(id) ? id : source;
  return {
    pageContent,
    metadata: { ...details, ...(source === undefined ? {} : { source }) },
    ...(own === undefined ? {} : { id: own }),
  };
}

function ofHit(item: Item): DocumentInterface | undefined {
  const field = TEXTS.find((each) => isText(textIn(item[each])));
  const clean = field === undefined || MARKED.includes(field) ? withoutMarkup : (text: string) => text;
  const title = isText(item.title) ? clean(item.title).slice(0, LONGEST_DETAIL) : undefined;
  const pageContent = field === undefined ? title : clean(textIn(item[field]) as string).trim();
  if (!isText(pageContent)) return undefined;
  const source = addressIn(item);
  const used = ['title', 'id', ...ADDRESSES, ...TEXTS];
  const details = Object.entries(item).filter(([key, value]) => !used.includes(key) && isDetail(value));
  return {
    pageContent,
    metadata: {
      ...Object.fromEntries(details),
      ...(source === undefined ? {} : { source }),
      ...(title === undefined ? {} : { title }),
    },
    ...(source === undefined ? {} : { id: source }),
  };
}

/** Passages that the service chose, as one text. */
const textIn = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter(isText).join('\n\n') : value;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const isDetail = (value: unknown): boolean =>
  typeof value === 'boolean' || Number.isFinite(value) || (isText(value) && value.length <= LONGEST_DETAIL);

/** Only what leads somewhere on the web: it will be cited. */
const addressIn = (item: Item): string | undefined =>
  ADDRESSES.map((field) => item[field]).find(
    (each): each is string => typeof each === 'string' && /^https?:\/\/./i.test(each),
  );

/** What a checkpoint would keep of it. */
function asJson(metadata: unknown): Record<string, unknown> {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(metadata));
    return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? { ...copy } : {};
  } catch {
    return Object.fromEntries(Object.entries(metadata ?? {}).filter(([, value]) => isDetail(value)));
  }
}

/** The first of each address stays. Documents are more than results: one page may have several, of other texts. */
function distinct(documents: readonly Found[]): DocumentInterface[] {
  const seen = new Set<string>();
  return documents
    .filter(({ document: { id, pageContent }, isHit }) => {
      const key = JSON.stringify([id, isHit && id !== undefined ? '' : pageContent]);
      return !seen.has(key) && seen.add(key);
    })
    .map(({ document }) => document);
}
