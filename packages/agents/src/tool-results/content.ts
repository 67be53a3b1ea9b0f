/** The forms that the content of a result has. */
import { ContextShapingError } from 'context-shaping';
import { messageOf } from 'context-shaping/kit';
import { areBlocks, blocksOf, contentOf } from '../blocks.js';
import type { Cleaning } from '../sanitising.js';
import { Outline, ROOT, type Structure } from '../structures/index.js';
import { type KindName, readText } from './kinds/index.js';
import type { ReadContext } from './kinds/kind.js';

/** A part of a content that can shrink. */
export interface Piece {
  readonly kind: KindName;
  readonly structure: Structure;
  /** As text, before and after it was sanitised. */
  readonly given: string;
  readonly text: string;
}

/** A content in parts, and how it is put together again. */
export interface ReadContent {
  readonly pieces: readonly Piece[];
  /** @param rebuilt a text for each piece. */
  readonly write: (rebuilt: readonly { readonly text: string }[]) => unknown;
}

/** @throws ContextShapingError `invalid-options`, if the content is no text and cannot be written as JSON. */
export function readContent(
  content: unknown,
  context: ReadContext,
  { kind, clean, cleanValue }: Cleaning & { kind?: KindName | undefined },
): ReadContent {
  const pieceOf = (given: string): Piece => {
    const text = clean(given);
    return { ...readText(text, context, kind), text, given };
  };
  if (typeof content === 'string') return { pieces: [pieceOf(content)], write: ([first]) => first?.text };
  if (areBlocks(content)) {
    const given = contentOf(content);
    const texts = given.flatMap((each) => (each.type === 'text' ? [each.text] : []));
    const besides = given.flatMap(({ beside = '' }) => (beside === '' ? [] : [fixedPiece(beside)]));
    const write: ReadContent['write'] = (rebuilt) => {
      const now = rebuilt.values();
      const shown = given.map((each) =>
        each.type === 'text' ? { ...each, text: now.next().value?.text ?? '' } : each,
      );
      const stays = shown.filter((each) => each.type !== 'text' || each.text !== '');
      return blocksOf<unknown>(content, stays, (text) => ({ type: 'text', text }));
    };
    return { pieces: [...texts.map(pieceOf), ...besides], write };
  }
  const { given, value } = cleanedValue(content, cleanValue);
  const text = value === content ? given : JSON.stringify(value);
  return {
    pieces: [{ ...readText(text, context, 'json'), given, text }],
    write: ([first]) => JSON.parse(first?.text ?? 'null') as unknown,
  };
}

/** The value, sanitised, and as it was given in JSON. */
function cleanedValue(value: unknown, cleanValue: Cleaning['cleanValue']) {
  try {
    return { given: JSON.stringify(value) ?? 'null', value: cleanValue(value) };
  } catch (cause) {
    throw new ContextShapingError('invalid-options', {
      field: 'content',
      value,
      is: `cannot be written as JSON: ${messageOf(cause)}`,
      remedy: 'Give a text, content items of MCP, or a value without circles and big integers.',
      cause,
    });
  }
}

/** A text that counts and never changes. */
function fixedPiece(text: string): Piece {
  const outline = new Outline();
  outline.piece(ROOT, text);
  return { kind: 'json', structure: outline.structure('text'), text, given: text };
}
