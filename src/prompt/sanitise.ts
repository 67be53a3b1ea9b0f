/** Text as a model may safely read it: nothing that a person would not see, and no forged control tokens. */

import type { SanitiseMode } from '../input/options.js';
import { applyEdits, toOriginalOffsets } from '../text/edits.js';
import { escaped, hiddenIn } from '../text/hidden.js';
import { controlTokensIn } from '../text/role-tags.js';
import type { Edit } from '../types.js';

export interface Sanitised {
  readonly text: string;
  /** What was changed, ascending; none where the text is as it was. */
  readonly edits: readonly Edit[];
}

/**
 * The text without hidden characters, or with escapes in their place, and with a space within each control token and role
 * tag (`< |im_start|>`, `[ INST]`, `Human :`), so that it can be read and no tokenizer takes it for one. Done twice it
 * is as done once.
 */
export function sanitise(text: string, mode: SanitiseMode): Sanitised {
  const hidden = hiddenIn(text).map(({ start, end }): Edit => {
    const shown = mode === 'strip' ? '' : [...text.slice(start, end)].map(escaped).join('');
    return { start, end, text: shown };
  });
  const seen = applyEdits(text, hidden);
  const tokens = controlTokensIn(seen);
  // Before the colon, else after the bracket. A character is replaced, so that each edit has a place of its own.
  const places = tokens.map(({ start, end }) => (seen.startsWith(':', end - 1) ? end - 1 : start + 1));
  const spaced = toOriginalOffsets(places, hidden, 'start').map(
    (start, which): Edit => ({ start, end: start + 1, text: ` ${seen[places[which] as number]}` }),
  );
  const edits = [...hidden, ...spaced].toSorted((a, b) => a.start - b.start);
  return edits.length === 0 ? { text, edits } : { text: applyEdits(text, edits), edits };
}
