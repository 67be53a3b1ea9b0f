/** Functions with a sentence that says what they do: the question, which is taken out of their file. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { drawOf } from '../draw.js';

export interface CodeQuestion {
  /** The file without such sentences. */
  text: string;
  path: string;
  language: 'javascript' | 'typescript' | 'python';
  question: string;
  /** The lines of the function that is asked for, from 0, the last included. */
  answer: Lines;
  /** All functions of the file, for rivals that know them. */
  functions: readonly Lines[];
}

export interface Lines {
  first: number;
  last: number;
}

interface Found {
  first: number;
  last: number;
  /** Lines of the function from its own first, without comments above it. */
  doc?: Doc | undefined;
}

interface Doc {
  /** The lines of the comment, from 0, the last included. */
  first: number;
  last: number;
  /** Its first paragraph. */
  sentence: string;
}

/** Bounds of the characters of a file. */
const [SMALLEST, LARGEST] = [12_000, 120_000];
const FEWEST_WORDS = 5;
/** A function of fewer lines is no body of evidence. */
const FEWEST_LINES = 5;
/** Questions from one package or folder. */
const MOST_OF_A_PACKAGE = 8;
/** A process that reads files takes so many. */
const BATCH = 200;

/** Collections of files. Each gives one question of each of so many of its files, drawn by their names. */
export const CODE = {
  'Python’s library': (count) => {
    const paths = readdirSync('/usr/lib')
      .filter((folder) => folder.startsWith('python3.'))
      .flatMap((folder) => pythonIn(`/usr/lib/${folder}`))
      .filter((path) => !path.includes('/dist-packages/'));
    return drawn(paths, count, pythonFunctions);
  },
  'packages of npm': (count) => {
    const paths = filesIn('node_modules').filter(
      (path) =>
        /\.(?:ts|js|mjs|cjs)$/.test(path) &&
        !/\.d\.[mc]?ts$|\.min\.|\/(?:umd|bundle|bundles|__tests__|test|tests)\//.test(path),
    );
    return drawn(paths, count, () => scriptFunctions);
  },
  /** Those that a system has in its own folder: none on some systems. */
  'packages of Python': (count) => {
    const folder = '/usr/lib/python3/dist-packages';
    return existsSync(folder) ? drawn(pythonIn(folder), count, pythonFunctions) : [];
  },
} satisfies Record<string, (count: number) => CodeQuestion[]>;

const pythonIn = (folder: string) =>
  filesIn(folder).filter(
    (path) => /\.py$/.test(path) && !/\/(?:test|tests|idlelib|lib2to3|pydoc_data)\//.test(path),
  );

/** Links are not followed: packages of this workspace are linked. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() && mayHaveSize(path) ? [path] : [];
  });
}

/** A character of JavaScript has 1 to 3 bytes in a file. */
function mayHaveSize(path: string): boolean {
  const { size } = statSync(path);
  return size >= SMALLEST && size <= 3 * LARGEST;
}

function drawn(
  paths: readonly string[],
  count: number,
  reader: (paths: readonly string[]) => (path: string, text: string) => Found[],
): CodeQuestion[] {
  const order = paths
    .map((path) => ({ path, draw: drawOf(path) }))
    .sort((a, b) => a.draw - b.draw || (a.path < b.path ? -1 : 1));
  const questions: CodeQuestion[] = [];
  const asked = new Set<string>();
  const packages = new Map<string, number>();
  let functionsOf = reader([]);
  for (const [at, { path }] of order.entries()) {
    if (questions.length === count) break;
    if (at % BATCH === 0) functionsOf = reader(order.slice(at, at + BATCH).map((each) => each.path));
    const owner =
      /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)|python3[^/]*\/(?:dist-packages\/)?([^/]+)/
        .exec(path)
        ?.slice(1)
        .find(Boolean) ?? '';
    if ((packages.get(owner) ?? 0) >= MOST_OF_A_PACKAGE) continue;
    const text = readFileSync(path, 'utf8');
    if (text.length < SMALLEST || text.length > LARGEST || text.includes('\r') || /[^\n]{2000}/.test(text))
      continue;
    const functions = functionsOf(path, text);
    const candidates = functions.filter(
      ({ first, last, doc }) =>
        doc !== undefined &&
        last - first + 1 >= FEWEST_LINES &&
        doc.sentence.split(/\s+/).length >= FEWEST_WORDS &&
        !asked.has(doc.sentence),
    );
    const answer = candidates[drawOf(`${path} answer`) % Math.max(1, candidates.length)];
    if (answer?.doc === undefined) continue;
    const { sentence } = answer.doc;
    asked.add(sentence);
    packages.set(owner, (packages.get(owner) ?? 0) + 1);
    const lines = text.split('\n');
    // If the others kept theirs, a function would be found by the sentence of another.
    const gone = new Set(functions.flatMap(({ doc }) => (doc === undefined ? [] : paragraphIn(lines, doc))));
    const places = lines.map((_, at) => at).filter((at) => !gone.has(at));
    const moved = new Map(places.map((at, place) => [at, place] as const));
    const linesOf = ({ first, last }: Lines): Lines => {
      const kept = places.filter((at) => at >= first && at <= last);
      return { first: moved.get(kept[0] ?? first) ?? 0, last: moved.get(kept.at(-1) ?? last) ?? 0 };
    };
    questions.push({
      text: places.map((at) => lines[at]).join('\n'),
      path,
      language: path.endsWith('.py') ? 'python' : path.endsWith('ts') ? 'typescript' : 'javascript',
      question: sentence,
      answer: linesOf(answer),
      functions: functions.map(linesOf),
    });
  }
  return questions;
}

/** The lines of the first paragraph of a comment: all of its lines if it has no other, else those between its marks. */
function paragraphIn(lines: string[], { first, last }: Doc): number[] {
  const isText = (line: string) => /[\p{L}\p{N}]/u.test(line);
  const gone: number[] = [];
  for (let at = first; at <= last; at++) {
    const line = lines[at] as string;
    if (isText(line) && !/^\s*\*?\s*@/.test(line)) gone.push(at);
    else if (gone.length > 0) break;
  }
  const all = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  if (!all.some((at) => !gone.includes(at) && isText(lines[at] as string))) return all;
  // The line with the opening mark stays.
  const opening = /^(\s*(?:[rRuU]*(?:"""|''')|\/\*\*))/.exec(lines[first] as string)?.[1];
  if (gone[0] !== first || opening === undefined) return gone;
  lines[first] = opening;
  return gone.slice(1);
}

const READ_PYTHON = `
import ast, json, sys
files = {}
for path in sys.stdin.read().split("\\n"):
    files[path] = []
    try:
        tree = ast.parse(open(path, encoding="utf-8").read())
    except Exception:
        continue
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)): continue
        first = min([node.lineno] + [each.lineno for each in node.decorator_list])
        found = {"first": first - 1, "last": node.end_lineno - 1}
        doc = node.body[0]
        if len(node.body) > 1 and isinstance(doc, ast.Expr) and isinstance(doc.value, ast.Constant) and isinstance(doc.value.value, str):
            found["doc"] = [doc.lineno - 1, doc.end_lineno - 1, doc.value.value]
        files[path].append(found)
print(json.dumps(files))
`;

/** One process reads a batch of files. */
function pythonFunctions(paths: readonly string[]): (path: string) => Found[] {
  const { stdout } = spawnSync('python3', ['-c', READ_PYTHON], {
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const files = JSON.parse(stdout || '{}') as Record<
    string,
    { first: number; last: number; doc?: [first: number, last: number, text: string] }[]
  >;
  return (path) =>
    (files[path] ?? []).map(({ first, last, doc }) => {
      const sentence = doc && paragraphOf(doc[2]);
      return { first, last, doc: doc && sentence ? { first: doc[0], last: doc[1], sentence } : undefined };
    });
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const IS_DECLARED = /^(?:FunctionDeclaration|MethodDefinition)$/;
const IS_NAMED = /^(?:VariableDeclarator|AssignmentExpression|Property|PropertyDefinition)$/;
const IS_VALUE = /^(?:ArrowFunctionExpression|FunctionExpression)$/;

function scriptFunctions(path: string, text: string): Found[] {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) return [];
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineOf = (offset: number) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const docs = new Map(
    comments
      .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
      .map((comment) => [lineOf(comment.end) + 1, comment] as const),
  );
  const found: Found[] = [];
  const visit = (node: Node, outer: Node) => {
    const first = lineOf(outer.start);
    const value = (node.init ?? node.right ?? node.value) as Node | null | undefined;
    const isFunction =
      IS_DECLARED.test(node.type) || (IS_NAMED.test(node.type) && IS_VALUE.test(value?.type ?? ''));
    const last = lineOf((isFunction && node.type === 'VariableDeclarator' ? outer : node).end - 1);
    const hasBody =
      node.type !== 'MethodDefinition' || (node.value as { body?: unknown } | null)?.body != null;
    if (isFunction && last > first && hasBody) {
      const doc = docs.get(first);
      const sentence = doc && paragraphOf(doc.value.replace(/^\s*\*+ ?/gm, '').replace(/^@[\s\S]*/m, ''));
      found.push({
        first,
        last,
        doc: doc && sentence ? { first: lineOf(doc.start), last: first - 1, sentence } : undefined,
      });
    }
    for (const [key, value] of Object.entries(node)) {
      if (key === 'parent') continue;
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string') {
          const each = child as Node;
          const wraps = /^Export/.test(node.type) || node.type === 'VariableDeclaration';
          visit(
            each,
            wraps
              ? outer.type === 'Program'
                ? node
                : /^Export|VariableDeclaration/.test(outer.type)
                  ? outer
                  : node
              : each,
          );
        }
    }
  };
  visit(program as unknown as Node, program as unknown as Node);
  return found;
}

const paragraphOf = (comment: string) =>
  comment
    .trim()
    .split(/\n\s*\n/)[0]
    ?.replace(/\s+/g, ' ')
    .trim();
