/** A result of a tool as passages. */
import { Outline, ROOT, type Structure } from '../structures/index.js';
import { type ReadContext, readText } from '../tool-results/kinds/index.js';
import { tagIn } from './handles.js';
import type { Content, Passage, ResultPart } from './messages.js';
import { noteIn, RECALL_TOOL } from './note.js';
import type { Settings } from './options.js';
import { aroundOf, renderedOf } from './stored.js';
import { contentText, SEPARATOR } from './tokens.js';

/** Content that shows passages. */
export interface Piece {
  /** Index in the content. */
  at: number;
  /** Absent for documents: the rendered passages, with blank lines between them. */
  structure?: Structure | undefined;
}

export interface Shown {
  passage: Passage;
  /** As the content shows it. */
  rendered: string;
  /** Index of its piece, and its place there. */
  piece: number;
  place: number;
}

export interface ReadResult {
  content: readonly Content[];
  /** Passages that the tool reported, or blocks of its texts. */
  are: 'documents' | 'blocks';
  pieces: readonly Piece[];
  shown: readonly Shown[];
  /** Number of the passages that the tool found. */
  total: number;
  /** An earlier shaping made this content. */
  isShaped: boolean;
  /** Number of the passages that an earlier shaping left out of this result. They are in the store. */
  leftOut: number;
  /** The same in all its handles. */
  tag: string;
}

/**
 * Undefined if there is nothing to shape: an error, or content without text.
 *
 * @param input the arguments of its call. The same result with the same arguments has the same blocks.
 * @param smaller in smaller pieces: nothing that has a large part of the room stays whole, or a text is lines.
 */
export function readResult(
  result: ResultPart,
  thread: string,
  { handles, maxToolTokens: maxTokens }: Pick<Settings, 'handles' | 'maxToolTokens'>,
  input: unknown,
  smaller?: 'tight' | 'lines',
): ReadResult | undefined {
  const { id, tool, content, failed, passages } = result;
  const all = contentText(content);
  if (failed || all.trim() === '') return undefined;
  const written = noteIn(all);
  // A note with a handle of the result shows that this package made the content.
  const handle = written?.handle ?? '';
  const isOurs = written !== undefined && handles.isOf(handle, thread, id);
  // The note in a recalled text has the handle of another result.
  const isShaped = isOurs || tool === RECALL_TOOL;
  const texts = textsOf(content, isShaped ? (written?.note ?? '') : '');
  const known = {
    ...{ content, isShaped, leftOut: isOurs ? written.leftOut : 0 },
    tag: isOurs ? tagIn(handle) : handles.tagOf(all),
  };
  if (passages !== undefined && isShownBy(passages, texts))
    return {
      ...known,
      are: 'documents',
      pieces: texts.map(({ at }) => ({ at })),
      shown: documentsIn(passages, texts),
      total: isOurs ? written.total : passages.length,
    };
  const context = { tool, arguments: input, maxTokens, isTight: smaller !== undefined };
  const pieces = texts.map((text) => pieceOf(text, context, smaller === 'lines' ? 'log' : undefined));
  const shown = pieces
    .flatMap(({ structure }, piece) => (structure === undefined ? [] : blocksIn(structure, piece)))
    .filter(({ passage }) => !isShaped || passage.text.trim() !== OMISSION);
  return { ...known, are: 'blocks', pieces, shown, total: isOurs ? written.total : shown.length };
}

/** A rebuilt text has this where it leaves blocks out. */
const OMISSION = '…';

interface Text {
  at: number;
  text: string;
  /** The value of JSON content. */
  json?: { value: unknown };
}

/** The texts of the content, without the note at the end. */
function textsOf(content: readonly Content[], note: string): Text[] {
  const last = content.findLastIndex(({ type }) => type === 'text');
  return content.flatMap((each, at): Text[] => {
    if (each.type === 'other') return [];
    if (each.type === 'json') return [{ at, text: JSON.stringify(each.value) ?? '', json: each }];
    const text = at === last ? withoutNote(each.text, note) : each.text;
    return text.trim() === '' ? [] : [{ at, text }];
  });
}

const withoutNote = (text: string, note: string): string =>
  note !== '' && text.endsWith(note) ? text.slice(0, -note.length).replace(/\n\n$/, '') : text;

/** The content of a tool may differ from the documents that it found. */
const isShownBy = (passages: readonly Passage[], texts: readonly Text[]): boolean =>
  passages.length > 0 && passages.every(({ text }) => texts.some((each) => isIn(text, each)));

const isIn = (text: string, piece: Text): boolean =>
  piece.json === undefined && piece.text.includes(text.trim());

const documentsIn = (passages: readonly Passage[], texts: readonly Text[]): Shown[] =>
  passages.map((passage, place) => ({
    passage,
    rendered: passage.rendered ?? passage.text,
    piece: Math.max(
      0,
      texts.findIndex((each) => isIn(passage.text, each)),
    ),
    place,
  }));

function pieceOf({ at, text, json }: Text, call: ReadContext, kind: 'log' | undefined): Piece {
  const { structure } = readText(text, call, json === undefined ? kind : 'json');
  const isWhole = structure.blocks.length === 0;
  return { at, structure: isWhole ? wholeOf(text, structure.kind) : structure };
}

/** A text that cannot be split is one block. */
function wholeOf(text: string, kind: Structure['kind']): Structure {
  const outline = new Outline();
  const group = outline.group([ROOT]);
  outline.block(group, { text, shown: text, cuttable: false, list: 0 });
  outline.piece(group, text);
  return outline.structure(kind);
}

function blocksIn(structure: Structure, piece: number): Shown[] {
  return structure.blocks.map(({ text: own, shown, title, lines, priority }, place) => {
    const metadata = {
      ...(title === undefined ? {} : { title }),
      ...(priority === undefined || lines === undefined ? {} : { lines }),
    };
    return {
      passage: {
        id: '',
        text: own,
        // Recalled alone, it names its subject.
        ...(title === undefined || own.includes(title) ? {} : { rendered: `${title}\n\n${own}` }),
        ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      },
      rendered: shown,
      piece,
      place,
    };
  });
}

/** Passages as a result of one text. Documents are shaped as they are, blocks as a structure. */
export function passagesResult(
  passages: readonly Passage[],
  are: ReadResult['are'],
  cuttable: boolean,
): ReadResult {
  const structure = are === 'documents' ? {} : { structure: structureOfPassages(passages, cuttable) };
  return {
    content: [{ type: 'text', text: '' }],
    are,
    pieces: [{ at: 0, ...structure }],
    shown: passages.map((passage, place) => ({
      passage,
      rendered: renderedOf(passage),
      piece: 0,
      place,
    })),
    leftOut: 0,
    tag: '',
    total: passages.length,
    isShaped: false,
  };
}

function structureOfPassages(passages: readonly Passage[], cuttable: boolean): Structure {
  const outline = new Outline();
  for (const [place, passage] of passages.entries()) {
    const group = outline.group([ROOT]);
    const shown = renderedOf(passage);
    const lines = linesOf(passage);
    const next = passages[place + 1];
    outline.block(group, { text: passage.text, shown, cuttable, isText: lines !== undefined, list: 0 });
    outline.piece(group, shown, {
      layout: {
        within: ROOT,
        after: next === undefined ? '' : lines === undefined ? SEPARATOR : '\n',
        mark: lines === undefined ? '' : OMISSION,
      },
      write(cut) {
        const [before, after] = aroundOf(passage) ?? ['', ''];
        return before + cut + after;
      },
    });
  }
  return outline.structure('text');
}

/** The first line of a passage in its result and the last one, from 1, if the result is read line by line. */
export function linesOf({ metadata }: Passage): readonly [first: number, last: number] | undefined {
  const lines = metadata?.lines;
  return Array.isArray(lines) && lines.length === 2 && lines.every(Number.isInteger)
    ? (lines as [number, number])
    : undefined;
}

/** All passages that the content shows, and the frames of data around them. */
export const wholePassages = ({ shown, pieces }: ReadResult): Passage[] => [
  ...pieces.flatMap(frameOf),
  ...shown.map(({ passage }) => passage),
];

/** The frames of texts, which go with the last passage of their piece. */
export const lostFrames = ({ pieces, shown }: ReadResult, kept: readonly { index: number }[]): Passage[] =>
  pieces.flatMap((piece, number) => {
    const isEmpty = !kept.some(({ index }) => shown[index]?.piece === number);
    return isEmpty && piece.structure?.kind === 'text' ? frameOf(piece) : [];
  });

/** The text of a structure beside its blocks, such as headings, or the other fields of an object that holds a list. */
function frameOf({ structure }: Piece): Passage[] {
  if (structure === undefined) return [];
  const { text } = structure.rebuild([]);
  return /[\p{L}\p{N}]/u.test(text) ? [{ id: '', text }] : [];
}
