/**
 * Counts the house, room by room: `npm run count`. Lines are raw, with comments. A constant is a number with a name in
 * capitals, a cast is `as number`, state is what a module keeps between calls: a `let` or a `WeakMap` outside functions.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ROOM =
  /^(src\/[^/]+(?=\/)|src|adapters\/[^/]+|packages\/[^/]+\/(?:src|page|test)|test)\/.*\.(?:ts|tsx|mjs|css)$/;
const COUNTED: Readonly<Record<string, RegExp>> = {
  exports: /^export (?:(?:abstract|async) )?(?:const|let|function\*?|class|interface|type|enum) /gm,
  state: /^(?:export )?(?:let |const \w+ = new WeakMap)/gm,
  casts: /\bas number\b/g,
  constants: /^(?:export )?const [A-Z][A-Z0-9_]*(?:: \w+)? = -?[\d.]/gm,
};

const rooms = new Map<string, Record<string, number>>();
for (const file of execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')) {
  const room = ROOM.exec(file)?.[1];
  if (room === undefined) continue;
  const text = readFileSync(file, 'utf8');
  for (const name of [room, `${room.split('/')[0]} in all`]) {
    const row = rooms.get(name) ?? {};
    const add = (column: string, count: number) => {
      row[column] = (row[column] ?? 0) + count;
    };
    add('lines', text.split('\n').length - 1);
    add('files', 1);
    for (const [column, pattern] of Object.entries(COUNTED)) add(column, text.match(pattern)?.length ?? 0);
    rooms.set(name, row);
  }
}
console.table(Object.fromEntries([...rooms].sort()));
