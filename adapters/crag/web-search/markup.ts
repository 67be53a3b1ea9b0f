/** Plain text of snippets. Search services mark found words in them. */
import { withoutEntities } from '../../../src/internal.js';

const BREAKS = /<\/?(?:br|p)(?:\s[^<>]*)?\/?>/gi;
/** Only tags that mark words: a snippet may be about `List<String>`, or a < b. */
const MARKS = /<\/?(?:a|b|em|font|i|mark|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>/gi;

/** Removes tags before it reads entities, because escaped tags are text. */
export const withoutMarkup = (snippet: string): string =>
  withoutEntities(snippet.replace(BREAKS, ' ').replace(MARKS, '')).replaceAll('\u00a0', ' ');
