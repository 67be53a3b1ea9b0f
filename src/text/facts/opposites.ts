import { lazily } from '../../runtime/lazily.js';
import { list, setOf } from './word-lists.js';

/**
 * Words that replace each other in opposite statements: `increase` and `fall`, `supported` and `unsupported`. A *scale*
 * is their common dimension, a *pole* is the side that a word is on.
 *
 * A comma or a line break ends a group, a slash ends a pole. Words of one pole count as equal.
 */
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
interface Placed {
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

/** Returns whether two folded words are on different sides of one scale. */
export const areOpposite = (one: string, other: string): boolean => haveOpposites([[one, 1]], [[other, 1]]);

/** Returns whether each of two texts has one side of a scale more often than the other text. Words come with their counts. */
export function haveOpposites(ones: WordCounts, others: WordCounts): boolean {
  const scales = new Map<string, Map<string, number>>();
  const add = (counts: WordCounts, sign: 1 | -1) => {
    for (const [word, times] of counts) {
      // A word without a prefix is on the scale of the words in which a prefix negates it.
      for (const { scale, pole } of [...placesOf(word), { scale: word, pole: '+' }]) {
        const poles = scales.get(scale) ?? new Map<string, number>();
        scales.set(scale, poles.set(pole, (poles.get(pole) ?? 0) + sign * times));
      }
    }
  };
  add(ones, 1);
  add(others, -1);
  return [...scales.values()].some((poles) => {
    const surplus = [...poles.values()];
    return Math.max(...surplus) > 0 && Math.min(...surplus) < 0;
  });
}
type WordCounts = Iterable<readonly [word: string, times: number]>;
