/** The arguments of a call tell about its result: the file that it shows, or that a program ran. */
import { isObject } from 'context-shaping/kit';
import type { ReadContext } from './kind.js';

/** Commands that show files or pages, and say nothing of their own. */
const SHOWS =
  /^\s*(?:sudo\s+)?(?:cat|bat|head|tail|sed|nl|less|more|type|Get-Content|man|curl|wget|echo|printf)\b/i;
const PATH = /(?<![\w./\\~@-])[\w./\\~@-]+\.\w+(?=["']?\s*$)/;

/** The name of the file: an argument, or that of a command such as `cat src/a.py`. */
export function pathIn({ arguments: given }: ReadContext): string | undefined {
  if (!isObject(given)) return undefined;
  const named = [given.path, given.file_path, given.file, given.filename].find(
    (each) => typeof each === 'string',
  ) as string | undefined;
  const shows = commandIn(given);
  return named ?? (shows !== undefined && SHOWS.test(shows) ? PATH.exec(shows)?.[0] : undefined);
}

/** Whether the result is the output of a program. */
export function isOutput({ arguments: given }: ReadContext): boolean {
  const command = isObject(given) ? commandIn(given) : undefined;
  return command !== undefined && !SHOWS.test(command);
}

/** The last command of a line of a shell: of its pipe the first. */
function commandIn({ command }: Record<string, unknown>): string | undefined {
  if (typeof command !== 'string' || command.trim() === '') return undefined;
  return command
    .trim()
    .split(/&&|\|\||[;\n]/)
    .at(-1)
    ?.split('|')[0];
}
