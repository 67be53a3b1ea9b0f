/** The kinds of results, and which of them a text is. */
import {
  type AddText,
  addJson,
  dataIn,
  jsonStretches,
  Outline,
  type Place,
  ROOT,
  type Structure,
  type StructureKind,
} from '../../structures/index.js';
import { kindOfCall } from './call.js';
import { code } from './code.js';
import { compiler } from './compiler.js';
import { diff } from './diff.js';
import { grep } from './grep.js';
import type { Kind, ReadContext } from './kind.js';
import { listing } from './listing.js';
import { log, trace } from './log.js';
import { markdown, prose, table } from './texts.js';
import { tree } from './tree.js';

/** The surest kind reads a text, and the first if several are equally sure. The last is sure of every text, a little. */
const KINDS = [diff, trace, compiler, listing, grep, tree, code, log, table, markdown, prose] as const;

export type { ReadContext };
export type KindName = 'json' | (typeof KINDS)[number]['name'];

/** The names of all kinds, in the order of the table. */
export const KIND_NAMES = ['json', ...KINDS.map(({ name }) => name)] as [KindName, ...KindName[]];

/** Most lines that decide the kind: a third each from the beginning, the middle and the end. */
const MOST_LINES = 399;
/** JSON between other lines is JSON if it has such a share of the text. */
const MOSTLY = 1 / 2;
/** Least usual characters of a token of data. */
const CHARACTERS = 3;

export interface ReadText {
  readonly kind: KindName;
  readonly structure: Structure;
}

/** @param kind the kind, if the caller knows it. Default: that of the command or file, or the surest one. */
export function readText(text: string, context: ReadContext = {}, kind?: KindName): ReadText {
  const outline = new Outline();
  const read = addAny(outline, text, { within: ROOT }, context, kind);
  return { kind: read.kind, structure: outline.structure(read.is) };
}

/** Adds a text by its kind. Returns the kind, and the form of its rebuilt texts. */
function addAny(
  outline: Outline,
  text: string,
  place: Place,
  context: ReadContext,
  named?: KindName,
): { kind: KindName; is: StructureKind } {
  const { maxTokens, isTight } = context;
  const room = maxTokens === undefined || !isTight ? undefined : CHARACTERS * maxTokens;
  let kind: KindName = 'json';
  /** The name of a file says nothing about the texts inside it. */
  const addInner: AddText = (_, part, where) => {
    const inner = addAny(outline, part, where, { maxTokens, isTight });
    // The output of a command, or an answer of MCP.
    if (part.length >= MOSTLY * text.length) kind = inner.kind;
  };
  const options = { room, addText: addInner };
  const isOpen = named === undefined || named === 'json';
  const data = isOpen ? dataIn(text, named === 'json') : undefined;
  if (data !== undefined) {
    addJson(outline, text, data, place, options);
    return { kind, is: 'data' };
  }
  const addOther = (part: string, where: Place): KindName => {
    const kind = kindOf(part, context, named);
    kind.add(outline, part, where, context, addInner);
    return kind.name;
  };
  const stretches = isOpen ? jsonStretches(text) : [];
  const found = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  if (stretches.length === 0 || found < MOSTLY * text.length)
    return { kind: addOther(text, place), is: 'text' };
  const { within, write = (start: number, end: number) => text.slice(start, end) } = place;
  const from = (at: number): Place => ({ ...place, write: (start, end) => write(at + start, at + end) });
  // Gaps of the lines end where JSON begins.
  const border = () => outline.piece(within, '', { layout: { within, after: '', mark: '' } });
  let at = 0;
  for (const { start, end, node } of stretches) {
    if (start > at) addOther(text.slice(at, start), from(at));
    border();
    addJson(outline, text.slice(start, end), node, from(start), options);
    border();
    at = end;
  }
  if (at < text.length) addOther(text.slice(at), from(at));
  return { kind: 'json', is: 'text' };
}

function kindOf(text: string, context: ReadContext, named: KindName | undefined): (typeof KINDS)[number] {
  const lines = sampleOf(text);
  const byName = (name: string | undefined) => KINDS.find((each) => each.name === name);
  const known = kindOfCall(context);
  const ofCall = byName(known?.kind);
  const isSo = known?.isSure || (ofCall?.recognise(lines, text, context) ?? 0) > 0;
  const given = byName(named) ?? (isSo ? ofCall : undefined);
  if (given !== undefined) return given;
  const sure = KINDS.map((each: Kind) => each.recognise(lines, text, context));
  return KINDS[sure.indexOf(Math.max(...sure))] as (typeof KINDS)[number];
}

function sampleOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.length <= MOST_LINES) return lines;
  const third = MOST_LINES / 3;
  const middle = Math.floor((lines.length - third) / 2);
  return [...lines.slice(0, third), ...lines.slice(middle, middle + third), ...lines.slice(-third)];
}
