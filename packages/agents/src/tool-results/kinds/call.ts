/** The call of a tool tells about its result: the file that it shows, or the program that ran. */
import { isObject } from 'context-shaping/kit';
import { isCodePath } from '../code/read-code.js';
import type { ReadContext } from './kind.js';

/** Commands that show files or pages, and say nothing of their own. */
const SHOWS = /^(?:cat|bat|head|tail|sed|nl|less|more|type|Get-Content|man|curl|wget|echo|printf)\b/i;
const PATH = /(?<![\w./\\~@-])[\w./\\~@-]+\.\w+(?=["']?\s*$)/;
/** Words that may stand before the name of a program. */
const BEFORE = /^(?:sudo|time|env|npx|bunx|pnpm exec|yarn|uv run|poetry run|python3? -m|\w+=\S*)\s+/;

type Known = 'diff' | 'listing' | 'grep' | 'tree' | 'compiler' | 'log' | 'table' | 'code' | 'markdown';

/** Programs by the form of their output. The first that matches counts. */
const PROGRAMS: readonly (readonly [RegExp, Known])[] = [
  [/^(?:git (?:diff|show)|diff)\b/, 'diff'],
  [/^(?:(?:git )?grep|rg|ag|ack|egrep|fgrep)\b/, 'grep'],
  [/^(?:find|fd|ls|tree|git ls-files)\b/, 'listing'],
  [
    /^(?:kubectl|oc) describe\b|^systemctl status\b|^terraform (?:plan|show)\b|^git status\b|\bexplain\b/i,
    'tree',
  ],
  [/^(?:kubectl|oc) get\b.* -o ?(?:yaml|json)\b/, 'tree'],
  [
    /^(?:(?:kubectl|oc) get|(?:docker|podman) (?:ps|images|stats)|helm list|ps|df|psql|mysql|sqlite3)\b/,
    'table',
  ],
  [/^(?:strace|ltrace|journalctl|dmesg|ansible(?:-playbook)?|(?:docker|kubectl|podman) logs)\b/, 'log'],
  [
    /^(?:tsc|eslint|ruff|flake8|pylint|mypy|pyright|gcc|clang|shellcheck|golangci-lint|biome|oxlint)\b/,
    'compiler',
  ],
];

/** Forms of files by their endings. */
const ENDINGS: readonly (readonly [RegExp, Known])[] = [
  [/\.(?:css|scss|less|ya?ml|toml|ini|conf|cfg|properties|tf|hcl|html?|xml|svg|plist)$/i, 'tree'],
  [/\.(?:md|markdown|mdx|rst)$/i, 'markdown'],
  [/\.(?:csv|tsv)$/i, 'table'],
  [/\.(?:log|out|err)$/i, 'log'],
];

/** Tools by their names. */
const TOOLS: readonly (readonly [RegExp, Known])[] = [
  [/(?:^|[_.-])(?:grep|ripgrep|search_(?:files|code))$/i, 'grep'],
  [/(?:^|[_.-])(?:glob|ls|list_(?:dir(?:ectory)?|files)|directory_tree)$/i, 'listing'],
  [/(?:^|[_.-])(?:browser_)?snapshot$/i, 'tree'],
];

/** The kind that the call tells. `isSure`: no text of the result can say otherwise, unless it is JSON. */
export function kindOfCall(context: ReadContext): { kind: Known; isSure: boolean } | undefined {
  const { tool = '' } = context;
  const command = commandIn(context);
  const found =
    TOOLS.find(([each]) => each.test(tool)) ??
    (command === undefined ? undefined : PROGRAMS.find(([each]) => each.test(command)));
  if (found !== undefined) return { kind: found[1], isSure: false };
  const path = pathIn(context);
  if (path === undefined) return undefined;
  const kind = isCodePath(path) ? 'code' : ENDINGS.find(([each]) => each.test(path))?.[1];
  return kind && { kind, isSure: true };
}

/** The name of the file: an argument, or that of a command such as `cat src/a.py`. */
export function pathIn(context: ReadContext): string | undefined {
  const { arguments: given } = context;
  if (!isObject(given)) return undefined;
  const named = [given.path, given.file_path, given.file, given.filename].find(
    (each) => typeof each === 'string',
  ) as string | undefined;
  const shows = commandIn(context);
  return named ?? (shows !== undefined && SHOWS.test(shows) ? PATH.exec(shows)?.[0] : undefined);
}

/** Whether the result is the output of a program. */
export function isOutput(context: ReadContext): boolean {
  const command = commandIn(context);
  return command !== undefined && !SHOWS.test(command);
}

/** The last command of a line of a shell, of its pipe the first, without what may stand before its name. */
function commandIn({ arguments: given }: ReadContext): string | undefined {
  const command = isObject(given) ? given.command : undefined;
  if (typeof command !== 'string' || command.trim() === '') return undefined;
  const [pipe = ''] = command
    .trim()
    .split(/&&|\|\||[;\n]/)
    .slice(-1);
  let last = (pipe.split('|')[0] as string).trim();
  for (let before = BEFORE.exec(last); before !== null; before = BEFORE.exec(last))
    last = last.slice(before[0].length);
  return last;
}
