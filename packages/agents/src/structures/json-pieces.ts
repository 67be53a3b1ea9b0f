/**
 * Adds a JSON text to an outline: elements of its arrays, entries of its maps, and paragraphs of its long texts can go.
 * Kept parts are copied from the input, so numbers keep their notation and keys their order.
 */
import { tableLayout } from 'context-shaping/internal';
import type { JsonNode } from './json-nodes.js';
import { labelOf, namesIn, readableOf } from './json-text.js';
import { joinedTitles, type Lead, type Outline, ROOT } from './outline.js';
import { addText } from './text-pieces.js';

/** A value is taken apart if it is longer than this share of the whole, within these bounds, in characters. */
const SHARE = 1 / 40;
const LEAST_LENGTH = 400;
const MOST_LENGTH = 4000;
/** A shorter text is not cut. */
const LEAST_TEXT = 600;
/** An object with so many similar values is a map, and its keys are data. */
const LEAST_ENTRIES = 30;
/** Values deeper than this stay whole. */
const DEEPEST = 32;

/** An element of an array or an entry of a map; of parallel arrays, the elements with the same index. */
interface Element {
  readonly start: number;
  readonly node: JsonNode;
}

export function addJson(
  outline: Outline,
  text: string,
  root: JsonNode,
  { group = ROOT, title }: { group?: number; title?: string | undefined } = {},
): void {
  new JsonWriter(outline, text, root).value(root, { group, depth: 0, title, isList: true });
}

interface Place {
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
  #cursor = 0;
  #lead: Lead | undefined;

  constructor(
    private readonly outline: Outline,
    private readonly text: string,
    root: JsonNode,
  ) {
    this.#large = Math.min(MOST_LENGTH, Math.max(LEAST_LENGTH, (root.end - root.start) * SHARE));
  }

  value(root: JsonNode, place: Place): void {
    this.#visit(root, place);
    this.#flush(this.text.length, place.group);
  }

  /** Writes the text from the last offset to this one. */
  #flush(end: number, group: number): void {
    this.outline.piece(group, this.text.slice(this.#cursor, end), { lead: this.#lead });
    this.#lead = undefined;
    this.#cursor = end;
  }

  #visit(node: JsonNode, place: Place): void {
    if (!this.#divides(node, place)) return;
    if (node.kind === 'string') this.#text(node, place);
    else if (this.#isList(node, place)) this.#list(node, place);
    else this.#fields(node, place);
  }

  #fields(node: JsonNode, place: Place): void {
    const { columns } = place;
    const parallel = node.kind === 'object' ? this.#parallel(node, place) : [];
    const elementGroups: number[] = [];
    const below = { ...place, depth: place.depth + 1, isList: false };
    for (const child of node.children) {
      if (parallel.includes(child)) this.#parallelList(child, below, { elementGroups, all: parallel });
      else {
        const names = child.kind === 'array' ? columnsIn(node, child, this.text) : undefined;
        this.#visit(child, { ...below, columns: names ?? columns });
      }
    }
  }

  /** The fields of a record that stay with any of its parts are a block: they may be the answer. */
  #ownFields(record: JsonNode, place: Place, { holder, list }: { holder: number; list: number }): void {
    const own = record.kind === 'object' ? this.#undivided(record, place) : [];
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

  #undivided(node: JsonNode, place: Place): JsonNode[] {
    const parallel = this.#parallel(node, place);
    const below = { ...place, depth: place.depth + 1, isList: false };
    return node.children.flatMap((field) => {
      if (parallel.includes(field)) return [];
      if (!this.#divides(field, below)) return [field];
      return field.kind === 'object' && !this.#isList(field, below) ? this.#undivided(field, below) : [];
    });
  }

  /** Whether something inside the value can go. */
  #divides(node: JsonNode, place: Place): boolean {
    const { depth } = place;
    const length = node.end - node.start;
    if (depth > DEEPEST) return false;
    if (node.kind === 'string') return length > Math.max(LEAST_TEXT, this.#large / 2);
    if (this.#isList(node, place)) return true;
    if (length <= this.#large / 2 && place.isList !== true) return false;
    return node.children.some((child) => this.#divides(child, { ...place, depth: depth + 1, isList: false }));
  }

  #isList(node: JsonNode, { isList }: Place): boolean {
    const { kind, children, start, end } = node;
    if (isList !== true && end - start <= this.#large / 2) return false;
    return kind === 'array' ? children.length > 1 : kind === 'object' && this.#isMap(node);
  }

  #isMap({ children }: JsonNode): boolean {
    if (children.length < LEAST_ENTRIES) return false;
    const [first] = children;
    return (
      children.every(({ kind }) => kind === first?.kind) &&
      new Set(children.map(({ key }) => key)).size === children.length
    );
  }

  #list(node: JsonNode, place: Place): void {
    const { children, kind } = node;
    const { group, depth, columns } = place;
    const list = this.outline.lists++;
    const elements = children.map(
      (child): Element => ({ start: kind === 'object' ? child.keyStart : child.start, node: child }),
    );
    const table = columns === undefined ? this.#tableOf(node) : undefined;
    const names = columns ?? table?.columns ?? [];
    const contextOf: number[] = [];
    for (const [index, { start, node: child }] of elements.entries()) {
      this.#separate(elements, index, node, list, group);
      const below = { group, depth: depth + 1, title: place.title };
      const isLarge = child.end - child.start > this.#large;
      const context = table?.contextOf(index).flatMap((row) => contextOf[row] ?? []) ?? [];
      const holder = this.outline.group([group, ...context]);
      if (table?.isContext(index)) {
        contextOf[index] = holder;
        this.#flush(child.end, holder);
        continue;
      }
      if (isLarge && this.#divides(child, below)) {
        const title = joinedTitles(place.title, labelOf(child, this.text));
        this.#ownFields(child, below, { holder, list });
        this.#visit(child, { ...below, group: holder, title });
        this.#flush(child.end, holder);
        continue;
      }
      const shown = this.text.slice(start, child.end);
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
  #separate(elements: readonly Element[], index: number, node: JsonNode, list: number, group: number): void {
    const first = elements[0] as Element;
    const { start } = elements[index] as Element;
    if (index === 0) this.#flush(node.start + 1, group);
    this.#lead = {
      list,
      first: this.text.slice(node.start + 1, first.start),
      other: index === 0 ? '' : this.text.slice((elements[index - 1] as Element).node.end, start),
    };
    this.#cursor = start;
  }

  /** The text of a scalar; empty for null, arrays and objects. */
  #scalar({ kind, start, end }: JsonNode): string {
    const source = this.text.slice(start, end);
    if (kind === 'string') return JSON.parse(source) as string;
    return kind === 'other' && source !== 'null' ? source : '';
  }

  /** Arrays of one object with as many elements, of which some are scalars: columns of one table. */
  #parallel(node: JsonNode, place: Place): JsonNode[] {
    const arrays = node.children.filter(
      (child) =>
        child.kind === 'array' &&
        child.children.length > 2 &&
        this.#isList(child, { ...place, isList: true }),
    );
    const isNames = (array: JsonNode) =>
      arrays.some(
        (other) =>
          other !== array &&
          other.children.every(
            (row) => row.kind === 'array' && row.children.length === array.children.length,
          ),
      );
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

  #parallelList(
    node: JsonNode,
    { group, title }: Place,
    { elementGroups, all }: { elementGroups: number[]; all: readonly JsonNode[] },
  ): void {
    const list = this.outline.lists++;
    const elements = node.children.map((child): Element => ({ start: child.start, node: child }));
    for (const [index, { node: child }] of elements.entries()) {
      this.#separate(elements, index, node, list, group);
      let own = elementGroups[index];
      if (own === undefined) {
        own = this.outline.group([group]);
        elementGroups[index] = own;
        const cells = all.map((array) => array.children[index] as JsonNode);
        this.outline.block(own, {
          text: all
            .map((array, at) => `${array.key}: ${readableOf(cells[at] as JsonNode, this.text, [])}`)
            .join('; '),
          shown: cells.map(({ start, end }) => this.text.slice(start, end)).join(', '),
          cuttable: false,
          title,
          list,
        });
      }
      this.#flush(child.end, own);
    }
  }

  /** A long text: its paragraphs can go, and be cut. */
  #text(node: JsonNode, { group, title }: Place): void {
    const source = this.text.slice(node.start + 1, node.end - 1);
    const decoded = JSON.parse(this.text.slice(node.start, node.end)) as string;
    this.#flush(node.start + 1, group);
    const offsets = offsetsIn(source, decoded.length);
    addText(this.outline, decoded, {
      within: group,
      title,
      write: (start, end) => source.slice(offsets[start], offsets[end]),
      encode: (cut) => JSON.stringify(cut).slice(1, -1),
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
