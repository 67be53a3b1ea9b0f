/** `--save FILE`: the run in a file that `explain`, `inspect`, `replay` and `diff` take. */

import { formatLockfile, recordContext } from '../../packages/devtools/src/lockfile/index.js';
import type { ShapingResult } from '../../src/index.js';
import { checkWritable, writeText } from './files.js';
import { type Io, printable, write } from './terminal.js';

const OTHER_FILE = 'Name another file with --save.';

/** Checks the file, and returns what writes a run to it: a context lockfile with texts. Without a file it writes nothing. */
export async function saveTo(
  file: string | undefined,
  io: Io,
): Promise<(result: ShapingResult) => Promise<void>> {
  if (file === undefined) return async () => {};
  await checkWritable(file, OTHER_FILE);
  return async (result) => {
    await writeText(file, formatLockfile(await recordContext(result, { signal: io.signal })), OTHER_FILE);
    await write(io.stderr, `Wrote ${printable(file)}.\n`);
  };
}
