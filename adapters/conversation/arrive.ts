/** Results as they are sent for the first time. */
import type { ShapingReport } from '../../src/index.js';
import { digestOf } from '../../src/internal.js';
import { Bounded } from './bounded.js';
import { cleanContent, cleanPassages } from './clean.js';
import type { Content, Held, Message, Passage, ResultPart } from './messages.js';
import { RECALL_TOOL } from './note.js';
import { type ReadResult, readResult } from './result.js';
import type { Settings } from './settings.js';
import { shapePassages } from './shape-passages.js';
import { entriesOf } from './stored.js';
import { contentText } from './tokens.js';
import { callOf, historyOf, queryOf, queryWith } from './turns.js';

/** The place in a conversation at which a result arrives. */
export interface Place {
  thread: string;
  /** The arguments of its call. Absent: those of the call among the messages. */
  input?: unknown;
  /** The messages before it. */
  messages: readonly Message[];
  signal?: AbortSignal | undefined;
}

export interface Arrived {
  /** The same result if nothing changes. */
  result: ResultPart;
  /** Its passages, as they were given; absent if it is never shaped. */
  read?: ReadResult;
  /** It shows less than the tool found. */
  isShaped: boolean;
  /** Number of the passages that it shows. */
  shown: number;
  report?: ShapingReport | undefined;
  /** Entries of the store about it. */
  entries: readonly (readonly [key: string, value: string])[];
}

/** Bytes of the texts of remembered results, about. */
const REMEMBERED = 2 ** 26;

/** Shapes results when they arrive. The same result in the same place gives the same, so results are remembered. */
export class Arrivals {
  readonly #settings: Settings;
  readonly #known = new Bounded<Known>(REMEMBERED, (_, known) => bytesOf(known));

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * The result as it is sent first. The report is there only if it was shaped now.
   *
   * @param most maximum tokens of the content, if the request has no room for `maxToolTokens`.
   */
  async arrive(given: ResultPart, place: Place, most?: number): Promise<Arrived> {
    const settings = this.#settings;
    if (!settings.isShaped(given.tool)) return unshaped(given, settings, place.thread);
    const { thread, messages, signal } = place;
    const input = place.input ?? callOf(given, messages)?.input;
    const asked = { query: queryOf(input, messages), history: historyOf(messages) };
    const key = keyOf(given, [thread, asked, most ?? null]);
    const known = this.#known.get(key);
    if (known !== undefined) return again(known, given);
    const arrived = await arrive(given, { thread, query: queryWith(asked), most, signal }, settings);
    const { report: _, ...kept } = arrived;
    this.#known.set(key, { ...kept, isChanged: arrived.result !== given });
    return arrived;
  }
}

const keyOf = ({ id, tool, content, failed, passages, held }: ResultPart, place: unknown[]): string => {
  const parts = content.map((each) => (each.type === 'other' ? each.kind : each));
  const told = passages?.map((passage) => [passage.id, passage.text, passage.rendered, passage.score]);
  return digestOf(JSON.stringify([id, tool, parts, failed ?? false, told, held, place]));
};

type Known = Arrived & { isChanged: boolean };

/** The given texts are there twice: as content, and as passages. */
const bytesOf = ({ read, result }: Known): number =>
  2 * (2 * contentText(read?.content ?? []).length + contentText(result.content).length);

/** A remembered result, with the other content of the given one. */
function again({ isChanged, ...known }: Known, given: ResultPart): Arrived {
  const { content } = known.result;
  const others = given.content.filter(({ type }) => type === 'other').values();
  const now = content.map((each) => (each.type === 'other' ? (others.next().value as Content) : each));
  const result = isChanged ? { ...known.result, content: now } : given;
  return {
    ...known,
    result,
    ...(known.read === undefined ? {} : { read: { ...known.read, content: given.content } }),
  };
}

const NOTHING: readonly never[] = [];

/** A result of a tool that is not shaped. A recalled text may be relieved later. */
function unshaped(result: ResultPart, { handles }: Settings, thread: string): Arrived {
  const own = [handles.ofRest(thread, result.id), handles.ofResult(thread, result.id)];
  const read = result.tool === RECALL_TOOL ? readResult(result, own) : undefined;
  return {
    result,
    ...(read === undefined ? {} : { read }),
    isShaped: false,
    shown: read?.count ?? 0,
    entries: NOTHING,
  };
}

interface Call {
  thread: string;
  query: ReturnType<typeof queryWith>;
  most: number | undefined;
  signal: AbortSignal | undefined;
}

async function arrive(
  given: ResultPart,
  { thread, query, most, signal }: Call,
  settings: Settings,
): Promise<Arrived> {
  const { handles, recall } = settings;
  const [rest, all] = [handles.ofRest(thread, given.id), handles.ofResult(thread, given.id)];
  const read = readResult(given, [rest, all]);
  const clean = cleaned(given, read, settings);
  if (read === undefined) return { result: clean, isShaped: false, shown: 0, entries: NOTHING };
  const known = { read, isShaped: read.isShaped, shown: read.count, entries: NOTHING };
  if (read.isShaped && most === undefined) return { ...known, result: clean };
  // Passages that an earlier shaping left out are stored under the other handle, and stay there.
  const of = read.isRestElsewhere ? 'result' : 'rest';
  const handle = of === 'result' ? all : rest;
  const { shaped, report } = await shapePassages(
    read,
    {
      query,
      thread,
      callId: given.id,
      handle: recall ? handle : undefined,
      most: most ?? settings.maxToolTokens,
      // Documents are in the order of a search, blocks in the order of the text.
      ranked: read.are === 'documents' && !read.isShaped,
      signal,
    },
    settings,
  );
  if (shaped === undefined) return { ...known, result: clean, report };
  const { content, held, shown, listed } = shaped;
  const passages = of === 'result' ? [...shaped.rest, ...shown] : shaped.rest;
  return {
    read,
    result: withContent(given, content, held, read.are === 'documents' ? shown : undefined),
    isShaped: true,
    shown: shown.length,
    report,
    entries:
      recall && shaped.rest.length > 0
        ? entriesOf({ callId: given.id, of, are: read.are, passages }, thread, listed, handles)
        : NOTHING,
  };
}

/** A copy of the result with other content. `passages`: those that it shows, if its tool told passages. */
export function withContent(
  result: ResultPart,
  content: readonly Content[],
  held: Held,
  passages: readonly Passage[] | undefined,
): ResultPart {
  return { ...result, content, held, ...(passages === undefined ? {} : { passages }) };
}

function cleaned(result: ResultPart, read: ReadResult | undefined, settings: Settings): ResultPart {
  const content = cleanContent(result.content, settings);
  if (content === result.content) return result;
  const { passages } = result;
  const shows = read?.are === 'documents' && passages !== undefined;
  return { ...result, content, ...(shows ? { passages: cleanPassages(passages, settings) } : {}) };
}
