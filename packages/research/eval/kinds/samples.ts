/** Results of real tools, run on this repository, with what a reader of them needs. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { drawOf } from '../draw.js';
import { PROGRAMS } from './programs.js';

export interface Sample {
  id: string;
  /** Samples of one group are drawn as one. Default: its own. */
  group?: string;
  text: string;
  query?: string;
  /** Texts that are to be kept. */
  needed: readonly string[];
}

const [SMALLEST, LARGEST] = [3000, 400_000];
const MOST = 24;

const outputOf = (command: string, ...args: string[]): string =>
  spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout ?? '';

const hasSize = ({ length }: string) => length >= SMALLEST && length <= LARGEST;

const IDENTIFIER = /[A-Za-z_$][\w$]{5,}/g;

/** A word that only one of the texts has, drawn by the texts. */
function rareWord(texts: readonly string[], id: string): { word: string; at: number } | undefined {
  const places = new Map<string, Set<number>>();
  for (const [at, text] of texts.entries())
    for (const word of text.match(IDENTIFIER) ?? [])
      places.set(word, (places.get(word) ?? new Set()).add(at));
  const rare = [...places].filter(([, { size }]) => size === 1);
  const [word, at] = rare[drawOf(id) % Math.max(1, rare.length)] ?? [];
  return word === undefined || at === undefined ? undefined : { word, at: [...at][0] as number };
}

/** Changes of this repository between commits: the names of the files, and the hunk with a word. */
export function diffs(): Sample[] {
  const commits = outputOf('git', 'log', '--format=%H', '-n', '400').trim().split('\n');
  const samples: Sample[] = [];
  for (let at = 0; at + 5 < commits.length && samples.length < MOST; at += 15) {
    const id = commits[at + 5] as string;
    const text = outputOf('git', 'diff', id, commits[at] as string, '--', 'src', 'adapters', 'packages');
    if (!hasSize(text)) continue;
    const names = [...text.matchAll(/^\+\+\+ b\/(.*)$/gm)].flatMap(([, name]) => name ?? []);
    samples.push({ id, text, needed: names });
    const hunks = text.split(/^(?=diff --git |@@ )/m).filter((part) => part.startsWith('@@'));
    const rare = rareWord(hunks, id);
    const hunk = hunks[rare?.at ?? -1];
    if (rare !== undefined && hunk !== undefined && hunk.length < text.length / 20)
      samples.push({ id, text, query: `What changed in ${rare.word}?`, needed: [hunk.trimEnd()] });
  }
  return samples;
}

const SEARCHED = [
  'signal',
  'tokens',
  'throw',
  'readonly',
  'Map',
  'export function',
  'report',
  'query',
  'async',
  'filter',
];

/** Searches in this repository: the names of the files, and the line with a word. */
export function searches(): Sample[] {
  return SEARCHED.flatMap((word): Sample[] => {
    const text = outputOf('git', 'grep', '-n', word, '--', 'src', 'adapters').trimEnd();
    if (!hasSize(text)) return [];
    const lines = text.split('\n');
    const names = [...new Set(lines.map((line) => line.slice(0, line.indexOf(':'))))];
    const rare = rareWord(
      lines.map((line) => line.replace(/^[^:]*:\d+:/, '')),
      word,
    );
    return [
      { id: word, text, needed: names },
      ...(rare === undefined
        ? []
        : [{ id: word, text, query: `Where is ${rare.word}?`, needed: [lines[rare.at] as string] }]),
    ];
  });
}

const ROOTS = [
  'src',
  'adapters',
  'docs',
  'test',
  'packages',
  'node_modules/openai',
  'node_modules/zod',
  'node_modules/ai',
];

/** Files of this repository and of packages: the names of the folders. */
export function listings(): Sample[] {
  const commands = [['ls', '-R'], ['ls', '-lR'], ['find']] as const;
  return ROOTS.flatMap((root) =>
    commands.flatMap(([command, ...args]): Sample[] => {
      const text = outputOf(command, ...args, root).trimEnd();
      const folders = outputOf('find', root, '-mindepth', '1', '-maxdepth', '2', '-type', 'd')
        .trim()
        .split('\n');
      return hasSize(text) && folders.length > 1
        ? [{ id: `${command} ${args.join(' ')} ${root}`, text, needed: folders }]
        : [];
    }),
  );
}

const FLAGS = (
  '--ignoreConfig --noEmit --strict --target es2015 --lib es5 --module esnext --moduleResolution bundler ' +
  '--exactOptionalPropertyTypes --noUnusedParameters --isolatedDeclarations --declaration'
).split(' ');

/** Sources of this repository under settings that they are not written for: one of each code. */
export function compilations(): Sample[] {
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) =>
    ['false', 'true'].flatMap((pretty): Sample[] => {
      const files = readdirSync(`src/${name}`).filter((file) => file.endsWith('.ts'));
      const text = outputOf(
        'node_modules/.bin/tsc',
        ...FLAGS,
        '--pretty',
        pretty,
        ...files.map((file) => `src/${name}/${file}`),
      )
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal
        .replace(/\u001b\[[0-9;]*m/g, '');
      const codes = [...new Set(text.match(/\bTS\d+(?=:)/g) ?? [])];
      return hasSize(text) && codes.length > 2 ? [{ id: `tsc ${name} ${pretty}`, text, needed: codes }] : [];
    }),
  );
}

/** Programs that fail inside a library: the messages, and the frames of the program. */
export function traces(isAsked: (failure: string) => boolean): Sample[] {
  const folder = mkdtempSync(join(tmpdir(), 'traces-'));
  try {
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    return PROGRAMS.filter(({ failure }) => isAsked(failure)).flatMap(
      ({ failure, name, source, messages }): Sample[] => {
        const file = join(folder, name);
        writeFileSync(file, source);
        const [command, ...args] = name.endsWith('.py') ? ['python3'] : ['node', '--stack-trace-limit=50'];
        const text =
          spawnSync(command as string, [...args, file], { encoding: 'utf8' }).stderr?.trimEnd() ?? '';
        const own = [...text.matchAll(/\/[^\s"():]*\/(app_\w*\.(?:py|mjs))(?:", line |:)(\d+)/g)].map(
          ([place]) => place,
        );
        return messages.every((each) => text.includes(each))
          ? [{ id: name, group: failure, text, needed: [...new Set([...messages, ...own])] }]
          : [];
      },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
