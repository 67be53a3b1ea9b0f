/** Roles that only one can have: if two statements name another for one of them, both cannot be true. */
import { lazily } from '../../runtime/lazily.js';
import { stem } from '../stem.js';
import type { Place } from './alignment.js';
import type { Facts } from './reader.js';
import { isGlue } from './statement-words.js';
import { list } from './word-lists.js';

// Unchecked prose: a list of words.
const ROLES = lazily(
  () =>
    new Set(
      list(`
won wins win winner winning defeated beat directed director wrote written author composed composer invented inventor
discovered discoverer founded founder first record capital largest highest longest tallest oldest smallest president
ceo chairman mayor king queen emperor champion champions championship title host hosted elected succeeded replaced
designed architect painted sculpted killed assassinated married starring lead captain coach owner owns acquired
headquartered headquarters based born died buried native located situated lies made manufactured produced published
`).map(stem),
    ),
);

/** Returns whether a role of both statements has only one holder. */
export function isUnique(a: Facts, b: Facts): boolean {
  const known = new Set(b.items.map(({ key }) => key));
  return a.items.some(({ key }) => known.has(key) && ROLES().has(key));
}

const DEEDS = lazily(
  () =>
    new Set(
      list(
        'won wins defeated beat directed wrote composed invented discovered founded hosted designed painted scored succeeded',
      ).map(stem),
    ),
);

/** Returns whether the text goes on behind the place with a deed that only one can have done: `Ann won …`. */
export function isHolder({ left }: Place, { items }: Facts): boolean {
  const last = left.at(-1);
  const next = items.slice(last === undefined ? 0 : items.indexOf(last) + 1).find(({ key }) => !isGlue(key));
  return next !== undefined && DEEDS().has(next.key);
}
