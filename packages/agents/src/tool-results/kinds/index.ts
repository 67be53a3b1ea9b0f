/** The kinds of results, and which of them a text is. */
import type { Structure } from '../../structures/index.js';
import { code } from './code.js';
import { compiler } from './compiler.js';
import { diff } from './diff.js';
import { grep } from './grep.js';
import { json } from './json.js';
import type { Kind, ReadContext } from './kind.js';
import { listing } from './listing.js';
import { log } from './log.js';
import { markdown } from './markdown.js';
import { prose } from './prose.js';
import { table } from './table.js';
import { trace } from './trace.js';

/** The surest kind reads a text, and the first if several are equally sure. The last is sure of every text, a little. */
const KINDS = [
  json,
  diff,
  trace,
  compiler,
  listing,
  grep,
  code,
  log,
  table,
  markdown,
  prose,
] as const satisfies readonly Kind[];

export type { ReadContext };
export type KindName = (typeof KINDS)[number]['name'];

/** The names of all kinds, in the order of the table. */
export const KIND_NAMES = KINDS.map(({ name }) => name) as [KindName, ...KindName[]];

/** Most lines that decide the kind: a third each from the beginning, the middle and the end. */
const MOST_LINES = 399;

export interface ReadText {
  readonly kind: KindName;
  readonly structure: Structure;
}

/** @param kind the kind, if the caller knows it. Default: the surest one. */
export function readText(text: string, context: ReadContext = {}, kind?: KindName): ReadText {
  const lines = sampleOf(text);
  const surest = (): Kind & { name: KindName } => {
    const sure = KINDS.map((each) => each.recognise(lines, text, context));
    return KINDS[sure.indexOf(Math.max(...sure))] as (typeof KINDS)[number];
  };
  const { name, read } = KINDS.find((each) => each.name === kind) ?? surest();
  return { kind: name, structure: read(text, context) };
}

function sampleOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.length <= MOST_LINES) return lines;
  const third = MOST_LINES / 3;
  const step = (lines.length - 2 * third) / third;
  const middle = Array.from({ length: third }, (_, at) => lines[Math.floor(third + at * step)] as string);
  return [...lines.slice(0, third), ...middle, ...lines.slice(-third)];
}
