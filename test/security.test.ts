/** Each promise of SECURITY.md names a test, and the test is there. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PROMISE = /^\| (?<promise>[^|]+) \| `(?<file>(?:packages\/\w+\/)?test\/[^`]+)`: `(?<name>[^`]+)` \|$/gm;
const rows = Array.from(
  readFileSync('SECURITY.md', 'utf8').matchAll(PROMISE),
  ({ groups }) => groups as Record<string, string>,
);

test('all promises are read', () => {
  const section = /## Promises([\s\S]*?)\n## /.exec(readFileSync('SECURITY.md', 'utf8'))?.[1] ?? '';
  expect(rows).toHaveLength(section.split('\n').filter((line) => line.startsWith('| ')).length - 1);
  expect(rows.length).toBeGreaterThan(10);
});

test.each(rows.map(({ promise, file, name }) => [promise, file, name] as const))('%s', (_, file, name) => {
  expect(readFileSync(file as string, 'utf8')).toContain(name as string);
});
