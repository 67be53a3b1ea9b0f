import { list } from './word-lists.js';

/**
 * Words that take each other's place in opposite statements: `increase` and `fall`, `supported` and
 * `unsupported`. A *scale* is what they have in common, a *pole* the side that a word is on.
 */
export type Opposites = ReadonlyMap<string, Poles>;
/** Pole to a word that is on it. */
type Poles = ReadonlyMap<string, string>;

/** A comma or a line break ends a group, a slash a pole. Words of one pole are as good as the same. */
const AS_WRITTEN = `
up/down, on/off, over/under, above/below, first/last, most/least, more/less fewer, many/few, min/max
all every/some, always/sometimes, must shall/should/may might can, true correct/false wrong, left/right
north/south/east/west, top/bottom, best better/worst worse
`;
/** Of these, other forms count, too: irregular ones are in the list. */
const INFLECTED = `
increase rise rose risen grow grew/decrease fall fell fallen drop dropped decline, add/remove delete
allow/deny forbid forbidden, accept/reject, open/close, pass succeed success/fail failure, win won/lose lost loss
buy bought/sell sold, read/write wrote written, start begin began/end stop stopped, parent/child children
man men male boy/woman women female girl, optional/required mandatory, positive/negative, high upper/low
hot/cold, public/private, client/server, strong/weak, early/late, fast/slow, new young/old, same/different
good/bad, large/small
`;

/** Word to scale and pole. */
const LISTED: ReadonlyMap<string, Place> = new Map([
  ...places(INFLECTED, forms),
  ...places(AS_WRITTEN, (word) => [word]),
]);

type Place = readonly [scale: string, pole: string];

function places(groups: string, formsOf: (word: string) => string[]): [string, Place][] {
  const placed = (words: string, place: Place) =>
    list(words)
      .flatMap(formsOf)
      .map((form): [string, Place] => [form, place]);
  return groups
    .trim()
    .split(/[,\n]/)
    .flatMap((group) =>
      group.split('/').flatMap((words, pole) => placed(words, [`/${group}`, String(pole)])),
    );
}

/** `lowest`, `removing`, `denied`: those that no one writes do no harm. */
function forms(word: string): string[] {
  const stem = word.replace(/e$/, '');
  const endings = ['es', 'ed', 'er', 'est'].map((ending) => stem.replace(/y$/, 'i') + ending);
  return [word, `${word}s`, `${stem}ing`, ...endings];
}

/** What turns the rest of a word round. Groups: negates, negates or is low, negates or is high, high, low, rest. */
const PREFIXED =
  /^(?:(un(?!der)|il(?=l)|ir(?=r)|non|mis|a(?=sy|ty))|(dis|de)|(in|im(?=[bmp]))|(en|up|over|pre|hyper|max)|(ex|out|down|under|post|hypo|min))(.{3,})$/;
const ENDING = /(?:e|e?[sd]|ing)$/;

/** The words with an opposite among those of a text, and what is left of each in the frame. */
export function oppositesIn(words: ReadonlySet<string>): {
  opposites: Opposites;
  neutral: Map<string, string>;
} {
  const opposites = new Map<string, Map<string, string>>();
  const neutral = new Map<string, string>();
  const note = (word: string, scale: string, pole: string): void => {
    opposites.set(scale, (opposites.get(scale) ?? new Map<string, string>()).set(pole, word));
  };
  for (const word of words) {
    const place = LISTED.get(word);
    if (place !== undefined) {
      note(word, ...place);
      neutral.set(word, '');
      continue;
    }
    const found = PREFIXED.exec(word);
    if (found === null) continue;
    const [, negates, negatesOrLow, negatesOrHigh, high, , rest = ''] = found;
    if (negates ?? negatesOrLow ?? negatesOrHigh) note(word, rest, '-');
    // "Enable" and "disabled" are on one scale.
    if (!negates) note(word, `/${rest.replace(ENDING, '')}`, (negatesOrHigh ?? high) ? '+' : '-');
    neutral.set(word, rest);
  }
  return { opposites, neutral };
}

interface Side {
  readonly opposites: Opposites;
  readonly known: ReadonlySet<string>;
}

/** The words of `a` whose pole `b` lacks, where `b` is on another pole of that scale, which `a` lacks. */
export function swappedOpposites(a: Side, b: Side): Set<string> {
  const swapped = new Set<string>();
  for (const [scale, poles] of a.opposites) {
    const others = b.opposites.get(scale);
    if (b.known.has(scale) ? a.known.has(scale) : isWithin(others, poles)) continue;
    for (const [pole, word] of poles) if (!others?.has(pole)) swapped.add(word);
  }
  // A word without a prefix is on the scale of those with one that negates it.
  for (const scale of b.opposites.keys()) {
    if (a.known.has(scale) && !b.known.has(scale) && !a.opposites.has(scale)) swapped.add(scale);
  }
  return swapped;
}

function isWithin(poles: Poles | undefined, others: Poles): boolean {
  for (const pole of poles?.keys() ?? []) if (!others.has(pole)) return false;
  return true;
}
