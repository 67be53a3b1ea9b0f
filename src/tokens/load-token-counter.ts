import type { ResolvedOptions } from '../input/options.js';
import type { TokenCounter } from '../ports.js';
import { onDemand } from '../runtime/on-demand.js';
import { counterOf } from './tokenizers.js';

// In a build this is the private import `#vocabularies`, whose conditions choose this file or no-vocabularies.ts. Nothing
// is called up front: otherwise bundlers would keep it in programs that do not use it.
let load: (() => Promise<typeof import('./vocabularies.js')>) | undefined;
const loadVocabularies = () => {
  load ??= onDemand(() => import('./vocabularies.js'));
  return load();
};

/** The counter that the option `tokenizer` names: see `counterOf`. The vocabulary of an exact encoding is loaded. */
export const loadTokenCounter = (tokenizer: ResolvedOptions['tokenizer']): Promise<TokenCounter> =>
  counterOf(tokenizer, loadVocabularies);
