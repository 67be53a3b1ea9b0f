/** Outputs of tools in forty forms. Each is a function of a size and a seed, and each line of one is unlike its others. */
import { seededRandom } from '../../../../../test/random.js';

const WORDS = ['order', 'cart', 'stock', 'price', 'mail', 'search', 'report', 'user', 'media', 'auth'];

type Line = (at: number, word: () => string, number: (most: number) => number) => string | readonly string[];
type Form = (size: number, seed: number) => string;

/** A text of so many lines or stretches of lines. */
function lines(line: Line, { head = [], tail = [] }: { head?: string[]; tail?: string[] } = {}): Form {
  return (size, seed) => {
    const random = seededRandom(seed);
    const number = (most: number) => Math.floor(random() * most);
    const word = () => WORDS[number(WORDS.length)] as string;
    return [...head, ...Array.from({ length: size }, (_, at) => line(at, word, number)).flat(), ...tail].join(
      '\n',
    );
  };
}

const records = (size: number, seed: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: size }, (_, id) => ({
    id,
    name: `${WORDS[id % 7]} ${Math.floor(random() * 1e6)}`,
    level: id === size >> 1 ? 'error' : 'info',
    tags: [WORDS[id % 3], WORDS[id % 5]],
    note: id % 9 === 0 ? `It says "${WORDS[id % 10]}".\nThen \\ it ends.` : null,
  }));
};
const two = (at: number) => String(at % 60).padStart(2, '0');

/** Below each line that is indented, or closed, stands its parent. */
export const TREES: Record<string, Form> = {
  yaml: lines(
    (at, word) => [`${word()}_${at}:`, `  image: ${word()}:${at}`, '  env:', `    - NAME_${at}=${word()}`],
    {
      head: ['version: 3'],
    },
  ),
  snapshot: lines(
    (at, word) => [
      `  - list "${word()} ${at}":`,
      `    - listitem [ref=e${at}]:`,
      `      - link "${word()} l${at}" [cursor=pointer]`,
      `      - text: ${word()} t${at}`,
    ],
    { head: ['- document:'] },
  ),
  plan: lines((at, word, number) => [
    `  ->  Nested Loop  (cost=${at}.1..${at}.9 rows=${number(99)})`,
    `        ->  Index Scan using ${word()}_${at} on ${word()}  (cost=0.1..${at}.2 rows=1)`,
    `              Index Cond: (id = ${at})`,
  ]),
  description: lines((at, word) => [
    `Container_${at}:`,
    `    Image:   ${word()}:${at}`,
    '    State:   Running',
    `      Started:   2026-03-${at}`,
  ]),
};

const JSON_FORMS: Record<string, Form> = {
  'json pretty': (size, seed) => JSON.stringify(records(size, seed), null, 2),
  'json of one record': (size, seed) =>
    JSON.stringify(Object.fromEntries(records(size, seed).map(({ id, name }) => [`key_${id}`, name]))),
  'json of columns': (size, seed) => {
    const rows = records(size, seed);
    return JSON.stringify({
      ids: rows.map(({ id }) => id),
      names: rows.map(({ name }) => name),
      total: size,
    });
  },
  'json of rows': (size, seed) =>
    JSON.stringify([['id', 'name'], ...records(size, seed).map(({ id, name }) => [`r${id}`, name])]),
};

export const FORMS: Record<string, Form> = {
  ...TREES,
  ...JSON_FORMS,
  'json lines': (size, seed) =>
    records(size, seed)
      .map((row) => JSON.stringify(row))
      .join('\n'),
  'console.log': (size, seed) =>
    `[\n${records(size, seed)
      .map(({ id, name }) => `  { id: ${id}, name: '${name}', level: 'info' }`)
      .join(',\n')}\n]`,
  'key and value': lines((at, word) => [`id: ${at}`, `name: ${word()}-${at}`, 'level: info', '']),
  'build log': lines((at, word) => `Downloading ${word()} ${at} of 400`, {
    tail: ['error: no such file', 'exit code 2'],
  }),
  'stamped log': lines((at, word) => `2026-01-05T10:00:${two(at)}.123Z INFO ${word()} ${at} is ready`),
  'access log': lines(
    (at, word, number) =>
      `10.0.0.${at} - - [05/Jan/2026:10:00:${two(at)} +0000] "GET /${word()}/${at} HTTP/1.1" ${at === 3 ? 500 : 200} ${number(999)}`,
  ),
  'system calls': lines((at, _, number) => `read(3, "${at}"..., 4096) = ${number(4096)}`, {
    tail: ['+++ exited with 1 +++'],
  }),
  tests: lines((at, word) => `tests/test_${word()}.py::test_${at} ${at === 5 ? 'FAILED' : 'PASSED'}`, {
    tail: ['1 failed'],
  }),
  'trace of JavaScript': lines((at, word) => `    at ${word()}${at} (/app/src/${word()}.js:${at}:5)`, {
    head: ['TypeError: order is not defined'],
  }),
  'trace of Python': lines(
    (at, word) => [`  File "/app/${word()}${at}.py", line ${at}, in f${at}`, `    f(${at})`],
    {
      head: ['Traceback (most recent call last):'],
      tail: ["KeyError: 'price'"],
    },
  ),
  tsc: lines((at, word) => `src/${word()}${at}.ts(${at},5): error TS2304: Cannot find name 'x${at}'.`),
  eslint: lines((at, word) => [
    `/repo/src/${word()}${at}.ts`,
    `  ${at}:5  warning  Unexpected ${word()} ${at}  no-x`,
    '',
  ]),
  diff: lines((at, word) => [
    `diff --git a/${word()}${at}.ts b/f${at}.ts`,
    `--- a/f${at}.ts`,
    `+++ b/f${at}.ts`,
    '@@ -1,2 +1,2 @@',
    `-old ${at}`,
    `+new ${at}`,
    ` same ${at}`,
  ]),
  'a new file': lines((at, word) => `+row ${at} ${word()}`, {
    head: ['--- /dev/null', '+++ b/data.txt', '@@ -0,0 +1,999 @@'],
  }),
  grep: lines((at, word) => `src/${word()}.ts:${at}:  call${at}(${word()});`),
  find: lines((at, word) => `./src/${word()}/${word()}${at}.ts`),
  'ls -R': lines((at, word) => (at % 9 === 0 ? ['', `./${word()}${at}:`] : [`${word()}${at}.ts`]), {
    head: ['./a:'],
  }),
  tree: lines((at, word) => `│   ├── ${word()}${at}.ts`, { head: ['.', '├── src'], tail: ['└── end'] }),
  psql: lines((at, word) => ` ${at} | ${word()} | ${at * 7}`, {
    head: [' id | name | sum', '----+------+----'],
  }),
  csv: lines((at, word) => `${at},${word()},${at * 7}`, { head: ['id,name,sum'] }),
  'long rows': lines((at, word) => `${at},"${Array.from({ length: 300 }, word).join(' ')}"`, {
    head: ['id,text'],
  }),
  'markdown table': lines((at, word) => `| ${at} | ${word()} |`, {
    head: ['| id | name |', '| --- | --- |'],
  }),
  columns: lines((at, word) => `${word()}-${at}   1/1   Running   ${at}d`, {
    head: ['NAME   READY   STATUS   AGE'],
  }),
  'style sheet': lines((at, word) => [
    `.${word()}-${at} {`,
    `  margin: ${at}px;`,
    `  color: ${word()};`,
    '}',
    '',
  ]),
  script: lines((at, word) => [
    `function ${word()}${at}(a, b) {`,
    `  const c = a + ${at};`,
    `  return c * b;`,
    '}',
    '',
  ]),
  python: lines((at, word) => [`def ${word()}_${at}(a):`, `    b = a + ${at}`, '    return b', '']),
  'module of data': lines((at, word) => `  ${word()}${at}: { size: ${at}, color: '#${at}' },`, {
    head: ['export const DATA = {'],
    tail: ['};'],
  }),
  'dump of a database': lines((at, word) => `INSERT INTO orders VALUES (${at}, '${word()}');`),
  minified: (size, seed) =>
    lines((at, word) => `function f${at}(a){return a*${at}||"${word()}"}`)(size, seed).replace(/\n/g, ''),
  markdown: lines((at, word) => [`## Part ${at}`, '', `The ${word()} has ${at} parts. It is ${word()}.`, '']),
  prose: lines((at, word) => `The ${word()} number ${at} leaves at noon. The ${word()} is late. `),
  subtitles: lines((at, word) => [
    `${at}`,
    `00:${two(at)}:01,000 --> 00:${two(at)}:03,000`,
    `the ${word()} ${at}`,
    '',
  ]),
  encoded: lines((at) => `${String(at).padStart(6, '0')}aGVsbG8gd29ybGQ`.repeat(3)),
};

/** Texts around or inside another one. */
export const NESTINGS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  'a warning before it': (text) => `(node:81) Warning: this is experimental\n${text}`,
  'a line behind it': (text) => `${text}\nDone in 2.3 s`,
  'in a fence': (text) => `# Output\n\nThis is it:\n\n\`\`\`\n${text}\n\`\`\`\n`,
  'in JSON': (text) => JSON.stringify({ stdout: text, exitCode: 1 }),
  'in JSON of MCP': (text) => JSON.stringify({ content: [{ type: 'text', text }], isError: false }),
  'in JSON in JSON': (text) => JSON.stringify({ result: JSON.stringify({ output: text }) }),
};

export const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};
