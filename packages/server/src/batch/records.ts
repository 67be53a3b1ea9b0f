/** The lines of the outputs. */
import { isUtf8 } from 'node:buffer';
import { splitId } from '../workers/line-id.js';
import type { InputLine } from './read-lines.js';
import type { Outcome, Rejection } from './types.js';

const OPEN = '{'.charCodeAt(0);
const LINE_FEED = Buffer.from('\n');

/** A line of the output: the result, with the number of its line first. */
export function resultOf(line: number, { json }: Outcome & { is: 'shaped' }): Buffer {
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  if (bytes[0] !== OPEN) throw new TypeError(`The executor answered line ${line} with no object.`);
  return Buffer.concat([Buffer.from(`{"line":${line},`), bytes.subarray(1), LINE_FEED]);
}

/** A line of the rejects: the problem, and the line as it was, or its place in the input if it is too long or no text. */
export function rejectOf(
  { line, start, end, content }: InputLine,
  { detail, field, remedy }: Rejection,
): Buffer {
  const error = { detail, field, remedy };
  if (!(content instanceof Uint8Array) || !isUtf8(content))
    return record({ line, error, offset: start, bytes: end - start });
  const input = Buffer.from(content).toString();
  return record({ line, id: idOf(input), error, input });
}

const record = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);

/** The id, if the line is read far enough to have one. */
function idOf(input: string): string | number | undefined {
  try {
    return splitId(JSON.parse(input)).id;
  } catch {
    return undefined;
  }
}
