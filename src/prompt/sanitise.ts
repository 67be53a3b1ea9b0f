/** Makes text safe for a model: removes what a person would not see, and breaks forged control tokens. */

import type { SanitiseMode } from '../input/options.js';
import { applyEdits, toOriginalOffsets } from '../text/edits.js';
import { escaped } from '../text/hidden/classes.js';
import { hiddenIn } from '../text/hidden/hidden.js';
import { unpairedIn } from '../text/hidden/unpaired.js';
import { controlTokensIn } from '../text/role-tags.js';
import type { Edit } from '../types.js';

export interface Sanitised {
  readonly text: string;
  /** The changes, in ascending order. Empty if the text is unchanged. */
  readonly edits: readonly Edit[];
}

/**
 * Removes or escapes hidden characters, and controls of direction without their partner. Inserts a space into each control
 * token and role tag (`< |im_start|>`, `[ INST]`, `Human :`): they stay readable, and no tokenizer takes them for control
 * tokens. The function is idempotent.
 */
export function sanitise(text: string, mode: SanitiseMode): Sanitised {
  const found = hiddenIn(text);
  const spans = [...found, ...unpairedIn(text, found)].sort((a, b) => a.start - b.start);
  const hidden = spans.map(({ start, end }): Edit => {
    const shown = mode === 'strip' ? '' : [...text.slice(start, end)].map(escaped).join('');
    return { start, end, text: shown };
  });
  const seen = applyEdits(text, hidden);
  const tokens = controlTokensIn(seen);
  // The space goes before the colon, else after the bracket. Each edit replaces one character, so edits do not overlap.
  const places = tokens.map(({ start, end }) => (seen.startsWith(':', end - 1) ? end - 1 : start + 1));
  const spaced = toOriginalOffsets(places, hidden, 'start').map(
    (start, which): Edit => ({ start, end: start + 1, text: ` ${seen[places[which] as number]}` }),
  );
  const edits = [...hidden, ...spaced].toSorted((a, b) => a.start - b.start);
  return edits.length === 0 ? { text, edits } : { text: applyEdits(text, edits), edits };
}
