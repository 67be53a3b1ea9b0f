/** Reads the links and anchors of built pages. */
import { posix } from 'node:path';

export interface Page {
  ids: ReadonlySet<string>;
  links: readonly string[];
  /** The files that the browser fetches on its own: scripts, styles, images, fonts. */
  fetched: readonly string[];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (all, name: string) => ENTITIES[name] ?? all);

export function readPage(html: string): Page {
  const tags = Array.from(
    html.matchAll(/<([a-z][a-z0-9-]*)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/g),
    (match) => ({
      name: match[1] ?? '',
      attributes: new Map(
        Array.from((match[2] ?? '').matchAll(/([^\s=]+)(?:="([^"]*)")?/g), ([, key, value]) => [
          key ?? '',
          plain(value ?? ''),
        ]),
      ),
    }),
  );
  const valuesOf = (names: readonly string[], key: string) =>
    tags.flatMap(({ name, attributes }) => {
      const value = attributes.get(key);
      return value !== undefined && (names.length === 0 || names.includes(name)) ? [value] : [];
    });
  return {
    ids: new Set(valuesOf([], 'id')),
    links: valuesOf(['a'], 'href'),
    fetched: [...valuesOf(['link'], 'href'), ...valuesOf([], 'src'), ...valuesOf([], 'srcset')],
  };
}

/** The file and the anchor of a link; undefined if it leads out of the site. */
export function resolveLink(link: string, from: string): { file: string; anchor: string } | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(link)) return undefined;
  const [path = '', anchor = ''] = link.split('#', 2);
  const target = path === '' ? from : posix.normalize(posix.join('/', posix.dirname(from), path)).slice(1);
  const absolute = path.startsWith('/') ? path.slice(1) : target;
  const file = absolute === '' || absolute.endsWith('/') ? `${absolute}index.html` : absolute;
  return { file: decodeURIComponent(file), anchor: decodeURIComponent(anchor) };
}
