import type { Shaper } from '../../src/index.js';
import { defined } from '../../src/internal.js';
import type { CragOptions } from './crag-options.js';
import { keywords } from './keywords/keywords.js';
import { type CheckedCragOptions, checkCragOptions } from './options/options.js';
import type { Rewrite, WebSearch } from './types.js';
import { toWebSearch } from './web-search/web-search.js';

/** {@link CragOptions} with every default filled in. */
export interface ResolvedCragOptions extends Omit<CheckedCragOptions, 'webSearch' | 'rewrite'> {
  webSearch?: WebSearch | undefined;
  rewrite: Rewrite;
}

/** @throws ContextShapingError `invalid-options`, naming the first option that is wrong. */
export function resolveCragOptions(given: CragOptions, shaper: Pick<Shaper, 'options'>): ResolvedCragOptions {
  const { webSearch, rewrite = keywords, ...checked } = checkCragOptions(given, shaper);
  return { ...checked, rewrite, ...defined({ webSearch: webSearch && toWebSearch(webSearch) }) };
}
