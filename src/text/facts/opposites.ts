import { lazily } from '../../runtime/lazily.js';
import { list, setOf } from './word-lists.js';

/**
 * Words that replace each other in opposite statements: `increase` and `fall`, `supported` and `unsupported`. A *scale*
 * is their common dimension, a *pole* is the side that a word is on.
 */
export type Opposites = ReadonlyMap<string, Poles>;
type Poles = ReadonlyMap<string, Pole>;

/** The words of a text on one side of a scale, and the number of their occurrences. */
interface Pole {
  count: number;
  readonly words: string[];
}

/** A comma or a line break ends a group, a slash ends a pole. Words of one pole count as equal. */
// Unchecked prose: a list of words.
const AS_WRITTEN = `
up/down, on/off, over/under, above/below, first 1st/last/next, most many/least few, more/less fewer, min/max
all every/some/none, yes/no, always/sometimes, must shall/should/may might can, true correct/false wrong, left/right
north/south/east/west, top/bottom, best better/worst worse
alive living survive survives survived surviving/dead die dies died dying killed, odd/even, ingress inbound/egress outbound
oral orally/intramuscular intramuscularly/intravenous intravenously/subcutaneous subcutaneously/topical topically
horizontal horizontally/vertical vertically, clockwise/counterclockwise anticlockwise, benign/malignant, acute/chronic
systolic/diastolic, proximal/distal, anterior/posterior, aerobic/anaerobic, agonist/antagonist, anode/cathode
visible/hidden, static/dynamic, local/remote/global, absolute/relative, stateful/stateless, eager/lazy, prefix/suffix
primary/secondary, major/minor, permanent/temporary, domestic/foreign, present/absent, presence/absence
arrival/departure, surplus/deficit, bullish/bearish, plaintiff/defendant, landlord/tenant, employer/employee
singular/plural, majority/minority, ancestor/descendant, predecessor/successor, sunrise/sunset, victory/defeat
`;
/** Opposites that also hold a sentence together. */
const CONNECTIVES = 'to/from, until till/from since, and/or, for/against, within/after beyond, if/unless';
/** Opposites whose other forms count, too. The list has the irregular forms. */
const INFLECTED = `
increase rise rose risen grow grew/decrease fall fell fallen drop dropped decline, add/remove delete
allow permit/deny forbid forbidden, grant/deny, confirm affirm admit/deny, accept approve/reject refuse
guilty/innocent, acquit acquitted/convict, open/close, pass succeed success/fail failure
win won gain/lose lost loss, profit/loss, buy bought/sell sold, borrow/lend lent, import/export, credit/debit
read/write wrote written, start begin began/end stop stopped, parent/child children, send sent/receive, push/pull
man men male boy/woman women female girl, mother/father, brother/sister, husband/wife, son/daughter
optional/required mandatory compulsory, support/deprecate, positive/negative, high upper raise/low lower, ascend/descend
hot/cold, dry/wet, full/empty, public/private, client/server, strong/weak, early/late, fast/slow, new young/old
same/different, good/bad, large/small, long/short, wide/narrow, thick/thin, deep/shallow, heavy/light, easy/difficult
simple/complex, cheap/expensive, rich/poor, safe/dangerous, clean/dirty, show/hide hidden, attach/detach
accelerate/decelerate, expand/shrink shrank, arrive/depart, attack/defend, hire/fire, freeze froze frozen/thaw
`;

/** Maps a word to its scales and poles. */
const LISTED = lazily((): ReadonlyMap<string, readonly Placed[]> => {
  const listed = new Map<string, Placed[]>();
  const all = [
    ...places(INFLECTED, forms),
    ...[AS_WRITTEN, CONNECTIVES].flatMap((each) => places(each, (word) => [word])),
  ];
  for (const [word, place] of all) {
    const known = listed.get(word);
    if (known === undefined) listed.set(word, [place]);
    else if (!known.some(({ scale }) => scale === place.scale)) known.push(place);
  }
  return listed;
});

const CONNECTIVE_WORDS = setOf(CONNECTIVES.replaceAll(/[/,]/g, ' '));

/** Returns whether a word is an opposite that holds a sentence together. */
export const isConnective = (word: string): boolean => CONNECTIVE_WORDS.has(word);

function places(groups: string, formsOf: (word: string) => string[]): [string, Placed][] {
  const placed = (words: string, place: Placed) =>
    list(words)
      .flatMap(formsOf)
      .map((form): [string, Placed] => [form, place]);
  return groups
    .trim()
    .split(/[,\n]/)
    .flatMap((group) =>
      group.split('/').flatMap((words, pole) => placed(words, { scale: `/${group}`, pole: String(pole) })),
    );
}

/** Returns forms of a word: `lowest`, `removing`, `denied`. Forms that do not exist do no harm. */
function forms(word: string): string[] {
  const stem = word.replace(/e$/, '');
  const endings = ['es', 'ed', 'er', 'est'].map((ending) => stem.replace(/y$/, 'i') + ending);
  return [word, `${word}s`, `${stem}ing`, ...endings];
}

/**
 * Prefixes that reverse the rest of a word. Groups: negates, negates or is low, negates or is high, high, low, rest.
 */
const PREFIXED =
  /^(?:(un(?!der)|il(?=l)|ir(?=r)|non|mis|a(?=sy|ty))|(dis|de)|(in|im(?=[bmp]))|(en|up|over|pre|hyper|max)|(ex|out|down|under|post|hypo|min))(.{3,})$/;
const ENDING = /(?:e|e?[sd]|ing)$/;

/** The pole of a scale that a word is on. */
export interface Placed {
  readonly scale: string;
  readonly pole: string;
}

/** Returns the places of a folded word: none if it has no opposite. */
export function placesOf(word: string): readonly Placed[] {
  const listed = LISTED().get(word);
  if (listed !== undefined) return listed;
  const found = PREFIXED.exec(word);
  if (found === null) return NOWHERE;
  const [, negates, negatesOrLow, negatesOrHigh, high, , rest = ''] = found;
  const places: Placed[] = [];
  if (negates ?? negatesOrLow ?? negatesOrHigh) places.push({ scale: rest, pole: '-' });
  // "Enable" and "disabled" are on one scale.
  if (!negates) {
    places.push({
      scale: `/${rest.replace(ENDING, '')}`,
      pole: (negatesOrHigh ?? high) ? '+' : '-',
    });
  }
  return places;
}

const NOWHERE: readonly Placed[] = [];

/** Returns whether two words are on different sides of one scale. */
export function areOpposite(one: Words, other: Words): boolean {
  const isNegated = (word: Words, plain: Words) =>
    word.placed.some(({ scale, pole }) => pole === '-' && scale === plain.folded);
  const areApart = one.placed.some(({ scale, pole }) =>
    other.placed.some((each) => each.scale === scale && each.pole !== pole),
  );
  return areApart || isNegated(one, other) || isNegated(other, one);
}
interface Words {
  readonly folded: string;
  readonly placed: readonly Placed[];
}

/**
 * Returns those words of a text that have an opposite, by scale and pole.
 *
 * @param words the words of the text, each once.
 * @param counts how often the text has each.
 */
export function oppositesIn(
  words: readonly { readonly folded: string; readonly placed: readonly Placed[] }[],
  counts: ReadonlyMap<string, number>,
): Opposites {
  const opposites = new Map<string, Map<string, Pole>>();
  for (const { folded, placed } of words) {
    for (const { scale, pole: side } of placed) {
      let poles = opposites.get(scale);
      if (poles === undefined) {
        poles = new Map();
        opposites.set(scale, poles);
      }
      let pole = poles.get(side);
      if (pole === undefined) {
        pole = { count: 0, words: [] };
        poles.set(side, pole);
      }
      pole.count += counts.get(folded) as number;
      pole.words.push(folded);
    }
  }
  return opposites;
}

interface Side {
  readonly opposites: Opposites;
  readonly known: ReadonlyMap<string, number>;
}

/** Words of each of two texts that have their opposite in the other. */
export type Swapped = readonly [ReadonlySet<string>, ReadonlySet<string>];
export const NONE_SWAPPED: Swapped = [new Set(), new Set()];

/**
 * Returns for each text its words on a pole that it has more often than the other text, if the other text has another pole
 * of that scale more often.
 */
export function swappedOpposites(a: Side, b: Side): Swapped {
  const scales: string[] = [];
  for (const [scale, poles] of a.opposites) {
    if (isSwapped(a, b, scale, poles, b.opposites.get(scale))) scales.push(scale);
  }
  for (const [scale, poles] of b.opposites) {
    if (!a.opposites.has(scale) && isSwapped(b, a, scale, poles, undefined)) scales.push(scale);
  }
  return scales.length === 0 ? NONE_SWAPPED : [moreOften(a, b, scales), moreOften(b, a, scales)];
}

/** Returns whether each text has a pole of the scale more often than the other. */
function isSwapped(a: Side, b: Side, scale: string, ours: Poles, theirs: Poles | undefined): boolean {
  // No word is the name of a listed scale.
  if (theirs === undefined && scale.startsWith('/')) return false;
  // Most scales have one and the same pole in both texts, so that the other pole decides.
  if (ours.size === 1 && (theirs?.size ?? 1) === 1) {
    const pole = ours.keys().next().value as string;
    if (pole !== '+' && (theirs === undefined || theirs.has(pole))) {
      const here = (ours.get(pole) as Pole).count - (theirs?.get(pole)?.count ?? 0);
      return here !== 0 && here * ((a.known.get(scale) ?? 0) - (b.known.get(scale) ?? 0)) < 0;
    }
  }
  let [isMore, isLess] = [false, false];
  const compare = (pole: string): void => {
    const difference = countOn(a, scale, pole) - countOn(b, scale, pole);
    if (difference > 0) isMore = true;
    if (difference < 0) isLess = true;
  };
  compare('+');
  for (const pole of ours.keys()) compare(pole);
  if (theirs !== undefined) for (const pole of theirs.keys()) compare(pole);
  return isMore && isLess;
}

function moreOften(one: Side, other: Side, scales: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const scale of scales) {
    const poles = one.opposites.get(scale);
    for (const pole of new Set(['+', ...(poles?.keys() ?? [])])) {
      if (countOn(one, scale, pole) <= countOn(other, scale, pole)) continue;
      for (const word of poles?.get(pole)?.words ?? [scale]) found.add(word);
    }
  }
  return found;
}

/** Counts a pole. A word without a prefix is on the scale of the words that a prefix negates. */
function countOn({ opposites, known }: Side, scale: string, pole: string): number {
  return opposites.get(scale)?.get(pole)?.count ?? (pole === '+' ? (known.get(scale) ?? 0) : 0);
}
