/** Results as they are sent for the first time. */
import type { ShapingReport } from 'context-shaping';
import { tellInTime } from 'context-shaping/internal';
import { defined, digestOf } from 'context-shaping/kit';
import { Bounded } from './bounded.js';
import { cleanResult, rebuild, resultWith } from './content.js';
import type { Arrival } from './conversation-shaper.js';
import type { ResultPart } from './messages.js';
import { RECALL_TOOL } from './note.js';
import type { Settings } from './options.js';
import { type ReadResult, readResult, wholePassages } from './result.js';
import { shapePassages } from './shape-passages.js';
import { entryOf } from './stored.js';
import { contentText } from './tokens.js';
import { callOf, queryOf } from './turns.js';

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

/** A shaped result that uses a smaller share of its tokens is read again, in smaller pieces. */
const LEAST_USED = 0.8;

/** Bytes of the texts of remembered results, about. */
const REMEMBERED = 2 ** 26;

/** Shapes results when they arrive. The same result in the same place gives the same, so results are remembered. */
export class Arrivals {
  readonly #known = new Bounded<Known>(REMEMBERED, (_, known) => bytesOf(known));

  constructor(private readonly settings: Settings) {}

  /**
   * The result as it is sent first. The report is there only if it was shaped now.
   *
   * @param most maximum tokens of the content, if the request has no room for `maxToolTokens`.
   */
  async arrive(given: ResultPart, place: Arrival, most?: number): Promise<Arrived> {
    const { thread, messages = [] } = place;
    if (!this.settings.isShaped(given.tool)) {
      // A recalled text may be relieved later.
      const read =
        given.tool === RECALL_TOOL ? readResult(given, thread, this.settings, undefined) : undefined;
      const shown = read?.shown.length ?? 0;
      return { result: given, isShaped: false, shown, entries: [], ...defined({ read }) };
    }
    const input = place.input ?? callOf(given, messages)?.input;
    const query = queryOf(input, messages);
    const key = keyOf(given, [thread, query, input, most ?? null]);
    const known = this.#known.get(key);
    if (known !== undefined) return known.isChanged ? known : { ...known, result: given };
    const arrived = await this.#shape(given, { ...place, input }, query, most);
    const { report: _, ...kept } = arrived;
    this.#known.set(key, { ...kept, isChanged: arrived.result !== given });
    return arrived;
  }

  async #shape(
    given: ResultPart,
    { thread, input, signal }: Arrival,
    query: string,
    most?: number,
  ): Promise<Arrived> {
    const { settings } = this;
    const { handles, recall } = settings;
    const first = readResult(given, thread, settings, input);
    const clean = cleanResult(given, first?.are === 'documents', settings);
    if (first === undefined) return { result: clean, isShaped: false, shown: 0, entries: [] };
    let read = first;
    const known = { read, result: clean, isShaped: read.isShaped, shown: read.shown.length, entries: [] };
    if (read.isShaped && most === undefined) return known;
    const hasRest = read.leftOut > 0;
    const handle = handles.of(hasRest ? 'result' : 'rest', thread, given.id, read.tag);
    const nameOf = (_: unknown, place: number) => `${handle}.${place + 1}`;
    const call = {
      given,
      query,
      ...(recall ? { handle, nameOf } : {}),
      most: most ?? settings.maxToolTokens,
      // Documents are in the order of a search, blocks in the order of the text.
      ranked: read.are === 'documents' && !read.isShaped,
      signal,
    };
    let { shaped, report } = await shapePassages(read, call, settings);
    const observed = async () => report && (await tellInTime(report, settings.observers, signal));
    if (shaped === undefined) return { ...known, report: await observed() };
    // A large block may leave no room for another one.
    for (const smaller of ['tight', 'lines'] as const) {
      if (read.are === 'documents' || shaped.tokens >= call.most * LEAST_USED) break;
      // Data stay data.
      if (smaller === 'lines' && read.pieces.some(({ structure }) => structure?.kind !== 'text')) break;
      const next: ReadResult = readResult(given, thread, settings, input, smaller) ?? read;
      const again = await shapePassages(next, call, settings);
      if (again.shaped !== undefined && again.shaped.tokens > shaped.tokens)
        [read, shaped, report] = [next, again.shaped, again.report];
    }
    const { result, shown, rest } = shaped;
    const passages = hasRest ? [...rest, ...shown] : rest;
    const entries = recall && rest.length > 0 ? [entryOf(handle, given.id, { are: read.are, passages })] : [];
    return { read, result, isShaped: true, shown: shown.length, report: await observed(), entries };
  }
}

const keyOf = ({ id, tool, content, failed, passages }: ResultPart, place: unknown[]): string => {
  const shown = passages?.map((passage) => [passage.id, passage.text, passage.rendered, passage.score]);
  return digestOf(JSON.stringify([id, tool, content, failed ?? false, shown, place]));
};

type Known = Arrived & { isChanged: boolean };

/** The given texts are there twice: as content, and as passages. */
const bytesOf = ({ read, result }: Known): number =>
  2 * (2 * contentText(read?.content ?? []).length + contentText(result.content).length);

/** A result of which only its note is left. Its passages can be recalled by the handle of the result. */
export function relieved(
  given: ResultPart,
  read: ReadResult,
  note: string,
  thread: string,
  settings: Settings,
): Pick<Arrived, 'result' | 'entries'> {
  const { recall, handles } = settings;
  const handle = handles.of('result', thread, given.id, read.tag);
  const stored = { are: read.are, passages: wholePassages(read) };
  return {
    result: resultWith(given, read, rebuild(read, [], settings, { frames: false }), [], note),
    entries: recall ? [entryOf(handle, given.id, stored)] : [],
  };
}
