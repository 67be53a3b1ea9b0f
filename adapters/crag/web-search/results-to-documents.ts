import type { DocumentInterface } from '@langchain/core/documents';
import { ContextShapingError } from '../../../src/index.js';
import { isObject } from '../../../src/internal.js';
import { withoutMarkup } from './markup.js';
import { itemsIn } from './results.js';

type Item = Readonly<Record<string, unknown>>;

const ADDRESSES = ['url', 'link', 'href'];
/** The whole page, where it was asked for, before what the service made of it. */
const TEXTS = [
  ...['raw_content', 'markdown', 'content', 'text'],
  ...['snippet', 'snippets', 'description', 'highlights', 'summary', 'answer'],
];
/** These come with tags and entities. */
const MARKED = ['snippet', 'snippets', 'description'];
/** In UTF-16 code units: of a page, of what is known of it, and of its address. All goes through checkpoints. */
const LONGEST_TEXT = 100_000;
const LONGEST_DETAIL = 300;
const LONGEST_ADDRESS = 2000;
const MOST_DOCUMENTS = 100;
const MOST_DETAILS = 50;
const RUNS_IN_A_BROWSER = /^[\s\p{Cc}]*(?:javascript:|vbscript:|data:[\w.+-]*[/,;])/iu;

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
  return distinct(documents).slice(0, MOST_DOCUMENTS);
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
  if (isText(details.source) && RUNS_IN_A_BROWSER.test(details.source)) delete details.source;
  const source = isText(details.source) ? details.source : addressIn(details);
  const own = isText(id) ? id : source;
  return {
    pageContent: beginning(pageContent),
    metadata: { ...details, ...(source === undefined ? {} : { source }) },
    ...(own === undefined ? {} : { id: own }),
  };
}

function ofHit(item: Item): DocumentInterface | undefined {
  const field = TEXTS.find((each) => isText(textIn(item[each])));
  const clean = field === undefined || MARKED.includes(field) ? withoutMarkup : (text: string) => text;
  const title = isText(item.title) ? beginning(clean(item.title), LONGEST_DETAIL) : undefined;
  const pageContent = field === undefined ? title : clean(textIn(item[field]) as string).trim();
  if (!isText(pageContent)) return undefined;
  const source = addressIn(item);
  const used = ['title', 'id', ...ADDRESSES, ...TEXTS];
  const others = Object.entries(item).filter(([key]) => !used.includes(key));
  return {
    pageContent: beginning(pageContent),
    metadata: {
      ...detailsOf(Object.fromEntries(others)),
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
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (isText(value) && value.length <= LONGEST_DETAIL && !RUNS_IN_A_BROWSER.test(value));

/** Only what leads somewhere on the web: it will be cited. */
const addressIn = (item: Item): string | undefined =>
  ADDRESSES.map((field) => item[field]).find(
    (each): each is string =>
      typeof each === 'string' && each.length <= LONGEST_ADDRESS && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(each),
  );

/** Not through a character. */
const beginning = (text: string, length = LONGEST_TEXT) =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** What a checkpoint would keep of it. */
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
