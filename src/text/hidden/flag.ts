/** Decides whether the hidden characters of a text are worth an alarm. */
import { lazyRegExp } from '../../runtime/lazily.js';
import { HIDDEN_CLASSES, type HiddenClass } from '../../types.js';
import { type HiddenSpan, hiddenIn } from './hidden.js';
import { LETTER_BEFORE, LETTER_HERE } from './justified.js';

/** The hidden characters of a text, in total. */
export interface HiddenFlag {
  /** Number of hidden characters. */
  readonly count: number;
  readonly classes: readonly HiddenClass[];
}

/** Editors and copying leave fewer hidden characters than this. */
const LEAST = 4;
/**
 * Least length of a row of controls or private-use characters. Shorter rows come from fonts that the file does not
 * embed.
 */
const LEAST_IN_ROW = 8;

/**
 * Returns the hidden characters of a text if they are worth an alarm. These are: tags, overrides of the direction, an
 * escape control, half a surrogate pair within the text (at its ends a cut can leave one), or enough of the others to
 * encode a message.
 */
export function hiddenFlag(text: string): HiddenFlag | undefined {
  const spans = hiddenIn(text);
  if (spans.length === 0 || !isAlarming(text, spans)) return undefined;
  return {
    count: charactersOf(text, spans).length,
    classes: HIDDEN_CLASSES.filter((each) => spans.some((span) => span.class === each)),
  };
}

/** Returns the characters of spans, in order. */
const charactersOf = (text: string, spans: readonly HiddenSpan[]): string[] =>
  spans.flatMap(({ start, end }) => [...text.slice(start, end)]);

/** Overrides of the direction, and the beginning of a control sequence of terminals. */
const SENT = lazyRegExp(String.raw`[\u202d\u202e]|\x1b[[\]PX^_]`, '');

function isAlarming(text: string, spans: readonly HiddenSpan[]): boolean {
  const isSent = (span: HiddenSpan) =>
    span.class === 'tag' ||
    (span.class === 'surrogate' && span.start > 0 && span.end < text.length) ||
    SENT().test(text.slice(span.start, span.end + 1));
  if (spans.some(isSent)) return true;
  const kinds = (part: readonly HiddenSpan[]) => new Set(charactersOf(text, part)).size;
  const length = (part: readonly HiddenSpan[]) => charactersOf(text, part).length;
  const isDamage = ({ class: kind }: HiddenSpan) =>
    /^(?:control|private-use|noncharacter|surrogate)$/.test(kind);
  const invisible = spans.filter((span) => !isDamage(span));
  // The same character throughout encodes nothing, but it can break words.
  return (
    spans.some((span) => isDamage(span) && length([span]) >= LEAST_IN_ROW && kinds([span]) > 1) ||
    rowsOf(invisible).some((row) => kinds(row) > 1) ||
    // A word that is broken up letter by letter. Damaged ligatures leave one character in a word.
    spans.filter((span, at) => span.start - (spans[at - 1]?.end ?? Number.NEGATIVE_INFINITY) === 1).length >=
      LEAST ||
    (length(invisible) >= LEAST && (kinds(invisible) > 1 || invisible.some((span) => isInWord(text, span))))
  );
}

/** Groups adjacent spans into rows. */
function rowsOf(spans: readonly HiddenSpan[]): HiddenSpan[][] {
  const rows: HiddenSpan[][] = [];
  for (const span of spans) {
    const last = rows.at(-1);
    if (last?.at(-1)?.end === span.start) last.push(span);
    else rows.push([span]);
  }
  return rows;
}

function isInWord(text: string, { start, end }: HiddenSpan): boolean {
  const [before, here] = [LETTER_BEFORE(), LETTER_HERE()];
  before.lastIndex = start;
  here.lastIndex = end;
  return before.test(text) && here.test(text);
}
