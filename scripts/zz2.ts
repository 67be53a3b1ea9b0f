import { structureOf, structureOfJson } from '../adapters/structures/index.js';

const time = (name: string, make: () => string) => {
  const t = make();
  const a = performance.now();
  const s = structureOf(t);
  const b = performance.now();
  const r = s.rebuild(s.blocks.map((_, index) => ({ index }))).text === t;
  const r0 = s.rebuild([]).text.length;
  console.log(
    name,
    t.length,
    s.blocks.length,
    Math.round(b - a),
    'ms',
    Math.round(performance.now() - b),
    r,
    r0,
  );
};
const n = 100_000;
for (const m of [1, 2]) {
  const N = n * m;
  time('open brackets', () => '['.repeat(N));
  time('nested arrays', () => '['.repeat(N) + ']'.repeat(N));
  time('nested objects', () => '{"a":'.repeat(N) + '1' + '}'.repeat(N));
  time('pipes', () => '|'.repeat(N));
  time('pipe lines', () => '|\n'.repeat(N));
  time('plus', () => ' | \n--+--\n'.repeat(N / 10));
  time('spaces', () => ' '.repeat(N) + 'x\n');
  time('dashes', () => '--   '.repeat(N / 5) + 'x');
  time('tr', () => '<table>' + '<tr'.repeat(N / 3));
  time('tr close', () => '<table>' + '<tr</tr'.repeat(N / 7));
  time('tables', () => '<table>'.repeat(N / 7));
  time('table closed', () => '<table><tr><td>1<tr><td>2</table>'.repeat(N / 30));
  time('backticks', () => '`'.repeat(N) + '\nx');
  time('fences', () => '```\n'.repeat(N / 4));
  time('quotes csv', () => 'a,b,c\n' + '"x,y,z\n'.repeat(N / 7));
  time('hash', () => '# ' + '-'.repeat(N) + 'x');
  time('headings', () => '# a\n## b\n'.repeat(N / 9));
  time('newlines', () => '\n'.repeat(N));
  time('rows', () => JSON.stringify(Array.from({ length: N / 4 }, (_, i) => ({ i }))));
  time('one string', () => JSON.stringify({ a: 'x y. '.repeat(N / 5) }));
  time('escapes', () => JSON.stringify({ a: '\u0001\n"'.repeat(N / 3) }));
  time('map', () =>
    JSON.stringify(Object.fromEntries(Array.from({ length: N / 10 }, (_, i) => [`k${i}`, i]))),
  );
  time('ndjson', () => '{"a":1}\n'.repeat(N / 8));
  time('csv', () => 'a,b,c\n' + '1,2,3\n'.repeat(N / 6));
  time('columns', () => 'A   B   C\n' + '1   2   3\n'.repeat(N / 10));
  time('log', () => '2024-01-01 10:00:00 INFO x\n'.repeat(N / 27));
  time('code', () => '```\n' + 'x = 1;\n'.repeat(N / 7) + '```\n');
  time('list', () => '- a\n  - b\n'.repeat(N / 10));
  time('nested list', () => Array.from({ length: 400 * m }, (_, i) => ' '.repeat(i) + '- a\n').join(''));
  time('prose', () => 'One two. Three four.\n'.repeat(N / 20));
  time(
    'json in fence',
    () => '```json\n' + JSON.stringify(Array.from({ length: N / 12 }, (_, i) => ({ id: i }))) + '\n```\n',
  );
}
