import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type InputLine, readLines } from '../../src/batch/read-lines.js';

const TOO_LONG = 12;

async function* pieces(bytes: Uint8Array, cuts: readonly number[]) {
  let at = 0;
  for (const cut of [...cuts.map((each) => each % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
    yield bytes.subarray(at, cut);
    at = cut;
  }
}

/** By splitting the whole. */
function naive(bytes: Uint8Array): InputLine[] {
  const texts = Buffer.from(bytes).toString('latin1').split('\n');
  let start = 0;
  const lines = texts.map((text, at) => {
    const end = start + text.length + (at === texts.length - 1 ? 0 : 1);
    const content = Uint8Array.from(Buffer.from(text, 'latin1'));
    const found: InputLine = {
      line: at + 1,
      start,
      end,
      content: text.length > TOO_LONG ? 'too-long' : /^[ \t\r]*$/.test(text) ? 'blank' : content,
    };
    start = end;
    return found;
  });
  // After the last line break there is no line, unless it has bytes.
  if (texts.at(-1) === '') lines.pop();
  return lines;
}

const byte = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(10, 13, 32) }, fc.nat(255));
const input = fc.record({
  bytes: fc.array(byte, { maxLength: 120 }).map((each) => Uint8Array.from(each)),
  cuts: fc.array(fc.nat(), { maxLength: 8 }),
});

test('lines are those of the whole, however the bytes arrive', () =>
  fc.assert(
    fc.asyncProperty(input, async ({ bytes, cuts }) => {
      const found = await Readable.from(
        readLines(pieces(bytes, cuts), { line: 0, offset: 0 }, TOO_LONG),
      ).toArray();
      expect(found).toEqual(naive(bytes));
    }),
  ));

test('after any line, reading goes on with the next one', () =>
  fc.assert(
    fc.asyncProperty(input, fc.nat(), async ({ bytes, cuts }, turn) => {
      const lines = naive(bytes);
      const done = turn % (lines.length + 1);
      const offset = lines[done - 1]?.end ?? 0;
      const rest = pieces(bytes.subarray(offset), cuts);
      const found = await Readable.from(readLines(rest, { line: done, offset }, TOO_LONG)).toArray();
      expect(found).toEqual(lines.slice(done));
    }),
  ));

test('a line has a buffer of its own, so a thread gets no other bytes', async () => {
  const bytes = Buffer.from('first\nsecond\n');
  for await (const { content } of readLines(pieces(bytes, []), { line: 0, offset: 0 }, 100))
    expect((content as Uint8Array).buffer.byteLength).toBe((content as Uint8Array).length);
});
