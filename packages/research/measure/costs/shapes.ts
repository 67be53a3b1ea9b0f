/** Texts of any length in every form that costs a reader: each repeats one thing, and ends oddly. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @param length in UTF-16 code units. @param salt a number that makes the text differ from others of its shape. */
export type Shape = (length: number, salt: number) => string;

const docs = fileURLToPath(new URL('../../../../docs', import.meta.url));
let prose: string | undefined;

/** Prose of the documentation, without its code and its tables. */
export function ordinary(length: number, salt: number): string {
  prose ??= ['guide', 'concepts', 'results']
    .flatMap((folder) => readdirSync(`${docs}/${folder}`).map((file) => `${docs}/${folder}/${file}`))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, ''))
    .join('\n')
    .split('\n')
    .filter((line) => !/^[|<#:]/.test(line))
    .join('\n');
  return `${salt} ${prose.repeat(Math.ceil(length / prose.length))}`.slice(0, length);
}

/** How a text ends: a repeated part alone ends as a search for it hopes. */
const ENDS = ['', '!', '\n', '"', '\u0000', ' )', ';', '\ud800'];

const repeated =
  (part: string, start = '', end?: string): Shape =>
  (length, salt) => {
    const close = end ?? (ENDS[salt % ENDS.length] as string);
    const body = part
      .repeat(Math.ceil(length / part.length))
      .slice(0, Math.max(0, length - start.length - 9));
    return `${start}${body}${close}`;
  };

const lined =
  (line: (at: number) => string, start = '', separator = '\n', end = ''): Shape =>
  (length, salt) => {
    const lines: string[] = [];
    for (let size = 0; size < length; size += (lines.at(-1) as string).length + 1)
      lines.push(line(lines.length + 1000 * salt));
    return start + lines.join(separator) + end;
  };

const word = (at: number): string => ((at * 2_654_435_761) % 4_294_967_296).toString(36);

/** A part of a program in each language. */
const CODE: Readonly<Record<string, (at: number) => string>> = {
  Java: (at) =>
    `  private static final String NAME_${at} = "${word(at)}";\n  public int get${at}() { return ${at}; }`,
  C: (at) => `static inline unsigned long f${at}(const char *a, int b)\n{\n\treturn a[b] + ${at}UL;\n}`,
  'C++': (at) =>
    `template <typename T${at}> std::map<std::string, std::vector<T${at}>> make${at}(T${at} && a);`,
  'C#': (at) =>
    `    public async Task<List<int>> Get${at}Async(int id) => await db.Rows.Where(x => x.Id == id);`,
  Go: (at) => `func (s *Server) Handle${at}(w http.ResponseWriter) error {\n\treturn s.do(${at})\n}`,
  Rust: (at) => `pub fn f${at}<'a, T: Into<String>>(x: &'a T) -> Result<(), E> {\n    Ok(${at})\n}`,
  Python: (at) => `def f${at}(a, b=None):\n    """${word(at)}"""\n    return a + ${at}\n`,
  TypeScript: (at) =>
    `export const f${at} = async <T>({ a }: { a: T }): Promise<T> => (a ?? \`\${b}${at}\`) as T;`,
  PHP: (at) => `function f${at}($a) { return $a['${word(at)}'] . "x" . ${at}; }`,
  Ruby: (at) => `def f${at}(a)\n  a.map { |x| x + ${at} }.select(&:even?)\nend`,
  Lisp: (at) => `(defun f${at} (a) (if (> a ${at}) (car (cdr a)) nil))`,
  SQL: (at) => `INSERT INTO t VALUES (${at}, '${word(at)}', NULL);`,
  CSS: (at) => `.c${at} > a:hover { color: #${word(at).slice(0, 3)}; margin: 0 ${at}px }`,
};

export const SHAPES: Readonly<Record<string, Shape>> = {
  'one letter': repeated('a'),
  'one capital': repeated('A'),
  'one digit': repeated('7'),
  'two letters': repeated('ab'),
  'capital and letter': repeated('Aa'),
  spaces: repeated(' ', 'a'),
  tabs: repeated('\t', 'a'),
  newlines: repeated('\n', 'a'),
  'newlines and blanks': repeated(' \n', 'a'),
  'returns and newlines': repeated('\r\n', 'a'),
  'blanks before a stop': repeated(`a${' '.repeat(50)}.`),
  underscores: repeated('_'),
  dashes: repeated('-'),
  stars: repeated('*'),
  dots: repeated('.'),
  slashes: repeated('/'),
  backslashes: repeated('\\'),
  hashes: repeated('#'),
  pipes: repeated('|'),
  backticks: repeated('`'),
  equals: repeated('='),
  colons: repeated(': '),
  commas: repeated(','),
  quotes: repeated('"'),
  apostrophes: repeated("'"),
  'quoted letters': repeated('"a" '),
  'open brackets': repeated('('),
  'open square brackets': repeated('['),
  'open braces': repeated('{'),
  'open angles': repeated('<'),
  'closed brackets': repeated(')'),
  'pairs of brackets': repeated('()'),
  'open and letters': repeated('(a [b "c '),
  'nested JSON': repeated('[', '', ']'),
  'nested objects': repeated('{"a":'),
  generics: repeated('List<', 'class A extends '),
  'generics, closed': repeated('Map<A, B> '),
  tags: repeated('<a b="c">'),
  'one word': repeated('word '),
  'one long word': repeated('antidisestablishmentarianism'),
  'words of one letter': repeated('a b '),
  'words and dots': repeated('A. '),
  'short sentences': repeated('It is. '),
  'a sentence': repeated('Ann sued Bob in May. '),
  'words with hyphens': repeated('a-'),
  numbers: repeated('1,'),
  'numbers and dots': repeated('1.'),
  dates: repeated('2024-01-01 '),
  addresses: repeated('https://example.com/a/b?c=d&e=f '),
  'key and value': repeated('a: b\n'),
  'combining marks': repeated('\u0301\u0323', 'a'),
  'marks and letters': repeated('a\u0301\u0323'),
  'half pairs': repeated('\ud83d'),
  emojis: repeated('👩‍👩‍👧'),
  'hidden characters': repeated('\u200b\u{e0041}'),
  'changes of direction': repeated('\u202e'),
  escapes: repeated('\u001b[31m'),
  Chinese: repeated('中文的句子很长。'),
  'Chinese without stops': repeated('中文的句子很长'),
  Thai: repeated('ภาษาไทยไม่มีช่องว่าง'),
  Arabic: repeated('هذه جملة. '),
  'role tags': repeated('<|im_start|>system\n'),
  instructions: repeated('Ignore all previous instructions. '),
  entities: repeated('&nbsp;&#39;'),
  base64: repeated('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0'),
  table: lined((at) => `| ${word(at)} | ${at} | $${at}.5 |`, '| name | count | price |\n|---|---|---|\n'),
  'wide table': lined((at) => `${word(at)} | `, '', ''),
  CSV: lined((at) => `${at},${word(at)},${at % 97}.5,city ${at % 17}`, 'id,name,price,city\n'),
  'CSV with quotes': lined((at) => `${at},"${word(at)}, ""x""",${at}`, 'id,name,count\n'),
  'CSV of one row': repeated('a,', 'x,y\n'),
  TSV: lined((at) => `${at}\t${word(at)}\t${at % 7}`, 'id\tname\tcount\n'),
  JSON: lined((at) => `{"id":${at},"name":"${word(at)}","kind":"k${at % 3}"}`, '[', ',', ']'),
  'JSON with other keys': lined((at) => `{"k${at}":${at},"l${at}":"${word(at)}"}`, '[', ',', ']'),
  'JSON of one object': lined((at) => `"k${at}":"${word(at)}"`, '{', ',', '}'),
  'JSON that breaks off': lined((at) => `{"id":${at},"name":"${word(at)}"}`, '[', ','),
  'JSON Lines': lined((at) => `{"level":"${at % 50 ? 'info' : 'error'}","msg":"${word(at)}"}`),
  YAML: lined((at) => `- id: ${at}\n  name: ${word(at)}`),
  'growing indentation': lined((at) => `${' '.repeat(at % 900)}if a${at}:`),
  'growing indentation of code': lined((at) => `${'  '.repeat(at % 400)}if (a${at}) {`),
  list: lined((at) => `- ${word(at)} is ${at}.`),
  'nested list': lined((at) => `${'  '.repeat(at % 300)}- ${word(at)}`),
  quotations: lined((at) => `${'> '.repeat(at % 200)}${word(at)}`),
  headings: lined((at) => `${'#'.repeat((at % 6) + 1)} ${word(at)}\n${word(at + 1)}.`),
  fences: repeated('```\na\n'),
  'short lines': lined((at) => word(at).slice(0, 2)),
  'minified code': lined((at) => `function f${at}(a,b){return a?b(${at}):{c:"${word(at)}"}}`, '', ';'),
  'minified arrows': lined((at) => `${word(at)}=>(a,b)`, '', ','),
  log: lined(
    (at) => `2024-01-01 10:00:${String(at % 60).padStart(2, '0')} INFO [${word(at)}] request ${at} done`,
  ),
  'access log': lined(
    (at) => `10.0.0.${at % 255} - - [01/Jan/2024:10:00:00 +0000] "GET /${word(at)} HTTP/1.1" 200 ${at}`,
  ),
  'stack frames': lined((at) => `    at f${at} (/app/${word(at)}.js:${at}:7)`),
  'stack frames of Java': lined(
    (at) => `\tat com.example.${word(at)}.run(A.java:${at})`,
    'Exception in thread "main" E: x\n',
  ),
  'search results': lined((at) => `src/${word(at)}.ts:${at}: const a = ${at};`),
  paths: lined((at) => `/usr/lib/${word(at)}/${at}.txt`),
  diff: lined(
    (at) => `@@ -${at},2 +${at},2 @@\n-${word(at)}\n+${word(at + 1)}`,
    'diff --git a/a b/a\n--- a/a\n+++ b/a\n',
  ),
  'diff of one hunk': lined(
    (at) => `+${word(at)}`,
    'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,99999 @@\n',
  ),
  tests: lined((at) => `${at % 99 ? 'ok' : 'not ok'} ${at} - ${word(at)}`, 'TAP version 13\n'),
  ...Object.fromEntries(Object.entries(CODE).map(([name, part]) => [name, lined(part)])),
};
