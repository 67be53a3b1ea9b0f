import { groupBy } from 'context-shaping/internal';
import { beginningOf } from 'context-shaping/kit';
import { addLines, type Cell, type LineBlock, raritiesOf } from '../../structures/index.js';
import { withoutNumbers } from '../code/read-code.js';
import { columnsOf } from '../code/statements.js';
import type { Kind } from './kind.js';
import { countsOf, rateLines } from './log-priorities.js';
import { logLine, templateOf } from './log-templates.js';

/** `key: value`, `+ key = value`, and a declaration of a style sheet. */
const KEYED = /^\s*(?:[-+~]{1,3}\s+)?["']?[\w./@$-]+(?: [\w./@$-]+){0,2}["']?\s?[:=](?:\s|$)/;
/** `- role "name" [ref=1]:`, a value of a list, a node of a plan. */
const ITEM =
  /^\s*(?:- (?:["']?[\w./-]+["']?[:=].*|["']?[a-z\d][\w./-]*["']?(?: "[^"]*")?(?: \[[^\]]*\])*:?|["'\d].*)|->\s.*)$/;
/** A record on a line, and brackets that open or close one. */
const RECORD = /^\s*(?:["']?[\w.-]+["']?: ?)?[[{].*[\]}],?$|^[^;(){}=]*[[{]$|^\s*[\]})]+[,;]?$/;
/** A branch that is drawn: `├── name`. */
const BRANCH = /^[\s│]*[├└]/;
const TAG = /^\s*<[\w!?/]/;
/** An item of a list that begins with a key alone, or an element without attributes. The first line below it names it. */
const UNNAMED_ITEM = /^\s*(?:-(?: [^:]*:)?|<[\w:.-]+>)\s*$/;
const COMMENT = /^\s*(?:#(?![\w-]+ \{)|\/\/|\/?\*|<!--)/;
/** Code has keys and brackets, too. */
const OF_CODE =
  /=>|\)\s*\{$|;\s*$(?<!:[^;]*;\s*)|^\s*(?:const|let|var|function|class|if|else|for|while|return|import|export (?!(?:const|default)\b.*[[{]$)|interface|struct|enum|impl|fn|func|def|try|public|private|static)\b(?!.*[[{]$)/;
const CLOSING = /^\s*(?:[)\]}]+[;,]*|<\/[\w:-]+>)\s*$/;
const CELL =
  /(?:^|[\s,{(;])["']?([A-Za-z_][\w.-]{0,40})["']?\s?[:=]\s?("[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s,;{}"']{1,200})/g;
const ELEMENT = /<([A-Za-z_][\w.:-]{0,40})>([^<>\n]{1,200})<\//g;
const FEWEST_LINES = 5;
const FEWEST_PARAGRAPHS = 3;
const MOSTLY = 0.85;
const INDENTED = 0.3;

/** A record or branch with more characters is taken apart: a share of the room, between these. */
const ROOM_SHARE = 0.3;
const LEAST_UNIT = 60;
const MOST_UNIT = 600;
/** Most characters of a line for each token of the room, if lines are below it, which it stays with. */
const LINE_SHARE = 0.4;
const LEAST_LINE = 100;
const LAST_LINES = 2;
/** Lines that stand out matter less beside a question. */
const ASKED = 0.3;
const MOST_ABOVE = 4;
const LONGEST_NAME = 120;
/** Least share of paragraphs that begin alike, if they are records. */
const ALIKE = 0.8;

/** Lines below other lines: YAML, snapshots of pages, descriptions, plans, style sheets, records. Each keeps those above it. */
export const tree = {
  name: 'tree',
  recognise(given) {
    const lines = withoutNumbers(given);
    const filled = lines.filter((line) => line.trim() !== '' && !COMMENT.test(line));
    if (filled.length < FEWEST_LINES) return 0;
    const paragraphs = paragraphsIn(lines);
    const areRecords = beginAlike(paragraphs, lines) && filled.length >= 2 * paragraphs.length;
    if (areRecords && paragraphs.length >= FEWEST_LINES) return 0.75;
    const isTagged = TAG.test(filled[0] as string);
    const told = filled.filter(
      (line) =>
        BRANCH.test(line) ||
        (isTagged && TAG.test(line)) ||
        ((KEYED.test(line) || ITEM.test(line) || RECORD.test(line)) && !OF_CODE.test(line)),
    );
    const indented = filled.filter((line) => /^[\s│├└]/.test(line)).length;
    if (indented < INDENTED * filled.length && !areRecords) return 0;
    // A command may say that it is one.
    return told.length < MOSTLY * filled.length ? 0.05 : 0.9;
  },
  add(outline, text, place, { maxTokens = 4000 }) {
    const given = text.split('\n');
    const lines = withoutNumbers(given);
    const unit = Math.min(MOST_UNIT, Math.max(LEAST_UNIT, maxTokens * ROOM_SHARE));
    const read = lines.map(logLine);
    const rated = rateLines(read, LAST_LINES);
    const rare = lines.map(() => 0);
    // A rare value of a key stands out among all values of the key.
    const keyed = lines.flatMap((line, at) =>
      cellsIn(line)
        .slice(0, 1)
        .map((cell) => ({ at, cell })),
    );
    for (const group of groupBy(keyed, ({ cell: [key] }) => key).values())
      for (const [place, rarity] of raritiesOf(group.map(({ cell }) => [cell])).entries()) {
        const { at } = group[place] as (typeof group)[number];
        rare[at] = Math.max(rare[at] as number, rarity);
      }
    const { nodeAt, closing } = nodesIn(lines);
    const longest = Math.max(LEAST_LINE, maxTokens * LINE_SHARE);
    const shown = given.map((line, at) =>
      line.length > longest && nodeAt.get(at)?.first !== undefined
        ? `${beginningOf(line, longest).trimEnd()} …`
        : line,
    );
    const ends = [0];
    for (const line of lines) ends.push((ends.at(-1) as number) + line.length + 1);
    const blocks: LineBlock[] = [];
    const blockOf = new Map<Node, number>();
    for (let at = 0; at < lines.length; at++) {
      const node = nodeAt.get(at);
      if (node === undefined) {
        // A closing line is with the line that it closes, and a blank one is nothing by itself.
        if (!closing.has(at)) blocks.push({ first: at + 1, last: at + 1, priority: 0, isSilent: true });
        continue;
      }
      const { parent, close } = node;
      const isWhole = node.last === at || (ends[node.last + 1] as number) - (ends[at] as number) <= unit;
      const last = isWhole ? node.last : at;
      const own = rated.slice(at, last + 1).reduce((most, { priority }) => Math.max(most, priority), 0);
      const best = rare.slice(at, last + 1).reduce((most, each) => Math.max(most, each), own);
      const above = parent && blockOf.get(parent);
      const named = node.item?.first;
      const name = named && named.at < at ? blockOf.get(named) : undefined;
      blockOf.set(node, blocks.length);
      blocks.push({
        ...{ first: at + 1, last: last + 1, priority: ASKED * own, rarity: best },
        ...(above === undefined ? {} : { needs: name === undefined ? [above] : [above, name] }),
        ...(isWhole || close === undefined ? {} : { end: [close + 1, close + 1] as const }),
        text: [...namesAbove(node, lines), ...lines.slice(at, last + 1)].join('\n'),
      });
      at = last;
    }
    addLines(outline, text, place, { shown, blocks });
  },
} as const satisfies Kind;

interface Node {
  readonly at: number;
  readonly parent: Node | undefined;
  /** The nearest item above it that its first line names. */
  readonly item: Node | undefined;
  /** The first node below it. */
  first?: Node;
  /** The last line of it and of all below it. */
  last: number;
  /** The line that closes it. */
  close?: number;
}

/** The nodes by their lines, and the lines that close nodes. */
function nodesIn(lines: readonly string[]): { nodeAt: Map<number, Node>; closing: Set<number> } {
  const nodeAt = new Map<number, Node>();
  const closing = new Set<number>();
  const open: { node: Node; depth: number }[] = [];
  const heads = paragraphsIn(lines);
  const isHead = new Set(beginAlike(heads, lines) ? heads : []);
  let head = Number.NaN;
  let before = 0;
  const close = (least: number) => {
    while ((open.at(-1)?.depth ?? -1) >= least) (open.pop() as (typeof open)[number]).node.last = before;
  };
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const indent = 2 * columnsOf(/^[\s│├└─┬]*/.exec(line)?.[0] ?? '');
    if (isHead.has(at)) head = indent;
    // The other lines of a record are below its first one, and the items of a list below its key.
    const below = indent === head && !isHead.has(at) ? 0.5 : 0;
    const depth = indent + below + (/^\s*- /.test(line) ? 1 : 0);
    if (CLOSING.test(line)) {
      close(depth + 1);
      const last = open.at(-1);
      if (last?.depth === depth && last.node.at < before) {
        closing.add(at);
        last.node.close = at;
        before = at;
        close(depth);
        continue;
      }
    }
    close(depth);
    const parent = open.at(-1)?.node;
    const isNamed = parent === undefined || !UNNAMED_ITEM.test(lines[parent.at] as string);
    const node: Node = { at, parent, item: isNamed ? parent?.item : parent, last: at };
    if (parent !== undefined) parent.first ??= node;
    nodeAt.set(at, node);
    open.push({ node, depth });
    before = at;
  }
  close(0);
  return { nodeAt, closing };
}

/** The first lines of the paragraphs. */
const paragraphsIn = (lines: readonly string[]): number[] =>
  lines.flatMap((line, at) => (line.trim() !== '' && (lines[at - 1] ?? '').trim() === '' ? [at] : []));

/** Whether most paragraphs begin with one word or form. */
function beginAlike(heads: readonly number[], lines: readonly string[]): boolean {
  if (heads.length < FEWEST_PARAGRAPHS) return false;
  const counts = countsOf(
    heads.map((at) => templateOf((lines[at] as string).slice(0, LONGEST_NAME)).split(/[:=\s]/, 1)[0] ?? ''),
  );
  return Math.max(...counts.values()) >= ALIKE * heads.length;
}

/** The lines above a node, the outermost first. */
function namesAbove({ parent }: Node, lines: readonly string[]): string[] {
  const names: string[] = [];
  for (let node = parent; node !== undefined && names.length < MOST_ABOVE; node = node.parent)
    names.unshift((lines[node.at] as string).trim().slice(0, LONGEST_NAME));
  return names;
}

const cellsIn = (text: string): Cell[] =>
  [...text.matchAll(CELL), ...text.matchAll(ELEMENT)].map(
    ([, key = '', value = '']): Cell => [key, value.replace(/^["']|["']$/g, '')],
  );
