/** Sanitises what tools brought, before a model reads it. */
import { type Cleaning, mapped } from '../sanitising.js';
import type { Content, ResultPart } from './messages.js';
import { renderedOf } from './stored.js';

/**
 * A result, sanitised. Returns the same result if nothing changes.
 *
 * @param isShown whether the content shows the passages of the result.
 */
export function cleanResult(
  result: ResultPart,
  isShown: boolean,
  { clean, cleanValue }: Cleaning,
): ResultPart {
  const content = mapped(result.content, (each): Content => {
    if (each.type === 'other') return each;
    if (each.type === 'json') {
      const value = cleanValue(each.value);
      return value === each.value ? each : { ...each, value };
    }
    const text = clean(each.text);
    return text === each.text ? each : { ...each, text };
  });
  if (content === result.content) return result;
  if (result.passages === undefined || !isShown) return { ...result, content };
  const passages = mapped(result.passages, (passage) => {
    const text = clean(passage.text);
    const rendered = clean(renderedOf(passage));
    if (text === passage.text && rendered === renderedOf(passage)) return passage;
    return { ...passage, text, ...(passage.rendered == null ? {} : { rendered }) };
  });
  return { ...result, content, passages };
}
