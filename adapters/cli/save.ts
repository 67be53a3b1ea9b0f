/** `--save FILE`: the question, the chunks and the options of a run, as the input of `context-shaping shape`. */
import type { ShapingInput, ShapingOptions } from '../../src/index.js';
import { checkWritable, writeText } from './files.js';
import { type Io, printable, write } from './terminal.js';

const OTHER_FILE = 'Name another file with --save.';

/** Checks the file, and returns what writes a run to it. Without a file it writes nothing. */
export async function saveTo(
  file: string | undefined,
  io: Io,
): Promise<(run: Pick<ShapingInput, 'query' | 'chunks'> & { options: ShapingOptions }) => Promise<void>> {
  if (file === undefined) return async () => {};
  await checkWritable(file, OTHER_FILE);
  return async ({ query, chunks, options }) => {
    await writeText(file, `${JSON.stringify({ query, chunks, options }, undefined, 2)}\n`, OTHER_FILE);
    await write(io.stderr, `Wrote ${printable(file)}.\n`);
  };
}
