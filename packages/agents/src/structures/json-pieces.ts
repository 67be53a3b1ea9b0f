/**
 * Adds a JSON text to an outline: elements of its arrays, entries of its maps, and paragraphs of its long texts can go.
 * Kept parts are copied from the input, so numbers keep their notation and keys their order.
 */
import { tableLayout } from 'context-shaping/internal';
import type { JsonNode } from './json-nodes.js';
import { labelOf, namesIn, readableOf } from './json-text.js';
import { type AddText, joinedTitles, type Lead, type Outline, type Place } from './outline.js';
import type { Cell } from './rarity.js';

/** A value is taken apart if it is longer than this share of the whole, within these bounds, in characters. */
const SHARE = 1 / 40;
const LEAST_LENGTH = 400;
const MOST_LENGTH = 4000;
/** A shorter text is not cut. */
const LEAST_TEXT = 600;
/** An object with so many similar values is a map, and its keys are data. */
const LEAST_ENTRIES = 30;
/** Share of the room for a value that stays whole, and for the part of an object that always stays. */
const ROOM_SHARE = 1 / 4;
const LEAST_ROOM = 40;
/** Values deeper than this stay whole. */
const DEEPEST = 32;

export interface JsonOptions {
  /** Most characters of the shaped result: nothing that is much longer stays whole. Default: no limit. */
  readonly room?: number | undefined;
  /** Adds a long text of the value. */
  readonly addText: AddText;
}

/** @param text has `root` between other texts, or nothing else. */
export function addJson(
  outline: Outline,
  text: string,
  root: JsonNode,
  place: Place,
  options: JsonOptions,
): void {
  const { within, title } = place;
  new JsonWriter(outline, text, root, place, options).value(root, {
    ...{ group: within, depth: 0, title, isList: true },
  });
}

interface Position {
  /** The group that shows the value. */
  readonly group: number;
  readonly depth: number;
  /** The title of the record that holds the value. */
  readonly title: string | undefined;
  /** The length of a list does not matter. */
  readonly isList?: boolean;
  /** The names of the elements of a row. */
  readonly columns?: readonly string[] | undefined;
}

class JsonWriter {
  readonly #large: number;
  readonly #bound: number;
  readonly #fixed = new Map<JsonNode, number>();
  readonly #write: (start: number, end: number) => string;
  #cursor = 0;
  #lead: Lead | undefined;

  constructor(
    private readonly outline: Outline,
    private readonly text: string,
    root: JsonNode,
    private readonly place: Place,
    private readonly options: JsonOptions,
  ) {
    const { room = Number.POSITIVE_INFINITY } = options;
    this.#bound = Math.max(LEAST_ROOM, room * ROOM_SHARE);
    const share = (root.end - root.start) * SHARE;
    this.#large = Math.min(MOST_LENGTH, Math.max(LEAST_LENGTH, share), this.#bound);
    this.#write = place.write ?? ((start, end) => text.slice(start, end));
  }

  value(root: JsonNode, place: Position): void {
    this.#visit(root, place);
    this.#flush(this.text.length, place.group);
  }

  /** Writes the text from the last offset to this one. */
  #flush(end: number, group: number): void {
    this.outline.piece(group, this.#write(this.#cursor, end), { lead: this.#lead });
    this.#lead = undefined;
    this.#cursor = end;
  }

  #visit(node: JsonNode, place: Position): void {
    if (!this.#divides(node, place)) return;
    if (node.kind === 'string') this.#text(node, place);
    else if (this.#isList(node, place)) this.#list(node, place);
    else this.#fields(node, place);
  }

  #fields(node: JsonNode, place: Position): void {
    const { columns } = place;
    const parallel = node.kind === 'object' ? this.#parallel(node, place) : [];
    const elementGroups: number[] = [];
    const below = { ...place, depth: place.depth + 1, isList: false };
    for (const child of node.children) {
      if (parallel.includes(child)) this.#column(child, below, elementGroups, parallel);
      else {
        const names = child.kind === 'array' ? columnsIn(node, child, this.text) : undefined;
        this.#visit(child, { ...below, columns: names ?? columns });
      }
    }
  }

  /** The fields of a record that stay with any of its parts are a block: they may be the answer. */
  #ownFields(record: JsonNode, place: Position, { holder, list }: { holder: number; list: number }): void {
    const isObject = record.kind === 'object' && !this.#isList(record, place);
    const own = isObject ? this.#undivided(record, place) : [];
    if (own.length === 0) return;
    const source = ({ keyStart, end }: JsonNode) => this.text.slice(keyStart, end);
    this.outline.block(holder, {
      text: own.map((field) => `${field.key}: ${readableOf(field, this.text, [])}`).join('; '),
      shown: own.map(source).join(','),
      cuttable: false,
      title: joinedTitles(place.title),
      list,
    });
  }

  #undivided(node: JsonNode, place: Position): JsonNode[] {
    const parallel = this.#parallel(node, place);
    const below = { ...place, depth: place.depth + 1, isList: false };
    return node.children.flatMap((field) => {
      if (parallel.includes(field)) return [];
      if (!this.#divides(field, below)) return [field];
      return field.kind === 'object' && !this.#isList(field, below) ? this.#undivided(field, below) : [];
    });
  }

  /** Whether something inside the value can go. */
  #divides(node: JsonNode, place: Position): boolean {
    const { depth } = place;
    const length = node.end - node.start;
    if (depth > DEEPEST) return false;
    if (node.kind === 'string') return length > Math.max(Math.min(LEAST_TEXT, this.#bound), this.#large / 2);
    if (this.#isList(node, place)) return true;
    if (length <= this.#large / 2 && place.isList !== true) return false;
    return node.children.some((child) => this.#divides(child, { ...place, depth: depth + 1, isList: false }));
  }

  #isList(node: JsonNode, { isList, depth }: Position): boolean {
    const { kind, children, start, end } = node;
    if (isList !== true && end - start <= this.#large / 2) return false;
    return kind === 'array' ? children.length > 1 : kind === 'object' && this.#isMap(node, depth);
  }

  /** The characters that stay if a value is shown and all that can go from it is gone. */
  #fixedOf(node: JsonNode, place: Position): number {
    const known = this.#fixed.get(node);
    if (known !== undefined) return known;
    const below = { ...place, depth: place.depth + 1, isList: false };
    const own = node.start - node.keyStart + 2;
    const fixed = !this.#divides(node, place)
      ? node.end - node.keyStart
      : node.kind === 'string' || this.#isList(node, place)
        ? own
        : node.children.reduce((sum, child) => sum + this.#fixedOf(child, below), own);
    this.#fixed.set(node, fixed);
    return fixed;
  }

  /** A map, or an object of which too much would stay. */
  #isMap(node: JsonNode, depth: number): boolean {
    const { children } = node;
    const below = { group: 0, title: undefined, depth: depth + 1 };
    if (
      children.length > 1 &&
      node.end - node.start > this.#bound &&
      children.reduce((sum, child) => sum + this.#fixedOf(child, below), 0) > this.#bound
    )
      return true;
    if (children.length < LEAST_ENTRIES) return false;
    const [first] = children;
    return (
      children.every(({ kind }) => kind === first?.kind) &&
      new Set(children.map(({ key }) => key)).size === children.length
    );
  }

  #list(node: JsonNode, place: Position): void {
    const { children } = node;
    const { group, depth, columns } = place;
    const list = this.outline.lists++;
    const table = columns === undefined ? this.#tableOf(node) : undefined;
    const names = columns ?? table?.columns ?? [];
    const contextOf: number[] = [];
    /** The blocks of elements, and their short fields. */
    const blocks: number[] = [];
    const cells: (readonly Cell[])[] = [];
    for (const [index, child] of children.entries()) {
      this.#separate(index, node, list, group);
      const below = { group, depth: depth + 1, title: place.title };
      const isLarge = child.end - child.start > this.#large;
      const context = table?.contextOf(index).flatMap((row) => contextOf[row] ?? []) ?? [];
      const holder = this.outline.group([group, ...context]);
      if (table?.isContext(index)) {
        contextOf[index] = holder;
        this.#flush(child.end, holder);
        continue;
      }
      blocks.push(this.outline.blocks.length);
      cells.push(this.#cellsOf(child));
      if (isLarge && this.#divides(child, below)) {
        const title = joinedTitles(place.title, labelOf(child, this.text));
        this.#ownFields(child, below, { holder, list });
        this.#visit(child, { ...below, group: holder, title });
        this.#flush(child.end, holder);
        continue;
      }
      const shown = this.text.slice(child.keyStart, child.end);
      const readable = readableOf(child, this.text, names);
      this.outline.block(holder, {
        text: child.key === undefined ? readable : `${child.key}: ${readable}`,
        shown,
        cuttable: false,
        title: joinedTitles(place.title, table?.titleOf(index)),
        list,
      });
      this.#flush(child.end, holder);
    }
    this.outline.standOut(blocks, cells);
  }

  /** The scalars of an element and of the objects in it. */
  #cellsOf({ kind, children }: JsonNode): Cell[] {
    const scalars = (nodes: readonly JsonNode[], path: string): Cell[] =>
      nodes.flatMap((node, at) =>
        node.kind === 'string' || node.kind === 'other'
          ? [[`${path}${node.key ?? at}`, this.#scalar(node)]]
          : node.kind === 'object' && path === ''
            ? scalars(node.children, `${node.key ?? at}.`)
            : [],
      );
    return kind === 'object' || kind === 'array' ? scalars(children, '') : [];
  }

  /** Rows of cells below a header. A header and the titles of sections are shown with their rows, and are no rows. */
  #tableOf({ kind, children }: JsonNode) {
    const width = children[0]?.children.length ?? 0;
    const isRow = (row: JsonNode) =>
      row.kind === 'array' &&
      row.children.length === width &&
      row.children.every((cell) => cell.kind === 'string' || cell.kind === 'other');
    if (kind !== 'array' || width < 2 || !children.every(isRow)) return undefined;
    const cells = children.map((row) => row.children.map((cell) => this.#scalar(cell)));
    const { headerRows, titleOf } = tableLayout(cells);
    if (headerRows === 0) return undefined;
    const titles = new Set(titleOf);
    const contextOf = (row: number) => [Math.min(row, headerRows) - 1, titleOf[row] ?? -1];
    return {
      columns: (cells[0] as string[]).map((_, column) =>
        cells
          .slice(0, headerRows)
          .map((row) => row[column])
          .filter(Boolean)
          .join(' '),
      ),
      isContext: (row: number) => row < headerRows || titles.has(row),
      /** The rows that explain a row. */
      contextOf,
      titleOf: (row: number) => cells[titleOf[row] ?? -1]?.[0],
    };
  }

  /** Prepares the separator of an element. */
  #separate(index: number, { children, start }: JsonNode, list: number, group: number): void {
    const { keyStart } = children[index] as JsonNode;
    if (index === 0) this.#flush(start + 1, group);
    this.#lead = {
      list,
      first: this.#write(start + 1, (children[0] as JsonNode).keyStart),
      other: index === 0 ? '' : this.#write((children[index - 1] as JsonNode).end, keyStart),
    };
    this.#cursor = keyStart;
  }

  /** The text of a scalar; empty for null, arrays and objects. */
  #scalar({ kind, start, end }: JsonNode): string {
    const source = this.text.slice(start, end);
    if (kind === 'string') return JSON.parse(source) as string;
    return kind === 'other' && source !== 'null' ? source : '';
  }

  /** Arrays of one object with as many elements, of which some are scalars: columns of one table. */
  #parallel(node: JsonNode, place: Position): JsonNode[] {
    const arrays = node.children.filter(
      (child) =>
        child.kind === 'array' &&
        child.children.length > 2 &&
        this.#isList(child, { ...place, isList: true }),
    );
    const widths = new Set(arrays.map(({ children }) => children[0]?.children.length));
    const isNames = ({ children }: JsonNode) => widths.has(children.length);
    const sizes = new Map<number, JsonNode[]>();
    for (const array of arrays)
      if (!isNames(array))
        sizes.set(array.children.length, [...(sizes.get(array.children.length) ?? []), array]);
    const columns = [...sizes.values()].find(
      (group) =>
        group.length > 1 &&
        group.some(({ children }) => children.every(({ kind }) => kind === 'string' || kind === 'other')) &&
        group.some(({ start, end }) => end - start > this.#large / 2),
    );
    return columns ?? [];
  }

  /** @param groups those of the elements, by their index in all arrays. */
  #column(node: JsonNode, { group, title }: Position, groups: number[], all: readonly JsonNode[]): void {
    const list = this.outline.lists++;
    for (const [index, child] of node.children.entries()) {
      this.#separate(index, node, list, group);
      if (groups[index] === undefined) {
        groups[index] = this.outline.group([group]);
        const cells = all.map(({ key, children }) => ({ key, cell: children[index] as JsonNode }));
        this.outline.block(groups[index], {
          text: cells.map(({ key, cell }) => `${key}: ${readableOf(cell, this.text, [])}`).join('; '),
          shown: cells.map(({ cell }) => this.text.slice(cell.start, cell.end)).join(', '),
          cuttable: false,
          ...{ title, list },
        });
      }
      this.#flush(child.end, groups[index]);
    }
  }

  /** A long text is read by its own kind. */
  #text(node: JsonNode, { group, title }: Position): void {
    const begin = node.start + 1;
    const source = this.text.slice(begin, node.end - 1);
    const decoded = JSON.parse(this.text.slice(node.start, node.end)) as string;
    this.#flush(begin, group);
    const offsets = offsetsIn(source, decoded.length);
    const { encode = (text: string) => text } = this.place;
    this.options.addText(this.outline, decoded, {
      within: group,
      title,
      write: (start, end) =>
        this.#write(begin + (offsets[start] as number), begin + (offsets[end] as number)),
      encode: (text) => encode(JSON.stringify(text).slice(1, -1)),
    });
    this.#cursor = node.end - 1;
  }
}

/** The offset in its source at which each UTF-16 code unit of a decoded string begins. */
function offsetsIn(source: string, length: number): Uint32Array {
  const offsets = new Uint32Array(length + 1);
  let at = 0;
  for (let unit = 0; unit < length; unit++) {
    offsets[unit] = at;
    at += source[at] !== '\\' ? 1 : source[at + 1] === 'u' ? 6 : 2;
  }
  offsets[length] = at;
  return offsets;
}

/** The names of the columns of rows: an array beside them, with a name for each element of a row. */
function columnsIn(parent: JsonNode, rows: JsonNode, text: string): string[] | undefined {
  const width = rows.children[0]?.children.length ?? 0;
  if (
    width === 0 ||
    rows.children.some(({ kind, children }) => kind !== 'array' || children.length !== width)
  )
    return undefined;
  return parent.children
    .filter((child) => child !== rows && child.kind === 'array' && child.children.length === width)
    .map((child) => namesIn(child, text))
    .find((names) => names !== undefined);
}
