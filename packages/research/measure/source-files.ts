/**
 * The time that the results of tools take on real source files: `npm run research -- measure/source-files FOLDER…
 * [--files 20] [--limit 30]`
 *
 * Reads the folders and those below them, and takes files of each language that it finds, of all sizes up to 1 MB.
 * Each file is shaped to three sizes in a process of its own, which is ended after `limit` seconds. Prints the
 * slowest file of each language, and the ten slowest of all, in milliseconds of processor time for 100 kB.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { shapeToolResult } from 'context-shaping-agents';

const LANGUAGES: Readonly<Record<string, string>> = {
  C: '.c .h',
  'C++': '.cc .cpp .cuh .hpp .inl .ipp .tcc',
  CSS: '.css',
  CSV: '.csv',
  Erlang: '.erl .hrl',
  Go: '.go',
  Java: '.java',
  JavaScript: '.cjs .js .mjs',
  Lisp: '.el .lisp .scm',
  Lua: '.lua',
  Perl: '.pl .pm',
  PHP: '.php',
  Python: '.py',
  Ruby: '.rb',
  Rust: '.rs',
  Shell: '.sh',
  SQL: '.sql',
  Tcl: '.tcl',
  TypeScript: '.cts .mts .ts .tsx',
  Vim: '.vim',
};
const SIZES = { least: 4_000, most: 1_000_000 };
const BUDGETS = [300, 3000, 20_000];
const UNIT = 100_000;
/** The argument of the process that shapes. */
const SHAPES = '--shapes';

interface Job {
  readonly file: string;
  readonly maxTokens: number;
}

async function shapeFiles(): Promise<void> {
  // The first calls load and compile the code.
  for (let times = 0; times < 3; times++) await milliseconds(import.meta.filename, 300);
  process.on('message', async ({ file, maxTokens }: Job) => {
    process.send?.(await milliseconds(file, maxTokens));
  });
  process.send?.(0);
}

async function milliseconds(file: string, maxTokens: number): Promise<number> {
  const content = readFileSync(file, 'utf8');
  const before = process.cpuUsage();
  await shapeToolResult({ content, maxTokens });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function measure(folders: readonly string[], most: number, limit: number): Promise<void> {
  const languageOf = new Map(
    Object.entries(LANGUAGES).flatMap(([name, ends]) => ends.split(' ').map((end) => [end, name] as const)),
  );
  const found = new Map<string, { file: string; size: number }[]>();
  for (const file of folders.flatMap((folder) => [...filesIn(folder)])) {
    const language = languageOf.get(extname(file));
    if (language === undefined) continue;
    const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size < SIZES.least || size > SIZES.most) continue;
    const files = found.get(language) ?? [];
    found.set(language, files);
    files.push({ file, size });
  }
  const rows: { language: string; file: string; size: number; maxTokens: number; took: number }[] = [];
  let shaping = await started();
  for (const [language, files] of [...found].sort()) {
    files.sort((a, b) => b.size - a.size || (a.file < b.file ? -1 : 1));
    const step = Math.max(1, files.length / most);
    for (let at = 0; at < files.length; at += step) {
      const { file, size } = files[Math.floor(at)] as (typeof files)[number];
      for (const maxTokens of BUDGETS) {
        const took = await answerOf(shaping, { file, maxTokens }, limit);
        rows.push({ language, file, size, maxTokens, took: took ?? Infinity });
        if (took === undefined) {
          shaping.kill('SIGKILL');
          shaping = await started();
        }
      }
    }
    const own = rows.filter((row) => row.language === language);
    const worst = own.reduce((one, other) => (rateOf(other) > rateOf(one) ? other : one));
    console.log(
      `${language.padEnd(12)}${String(own.length / BUDGETS.length).padStart(4)} files  ${told(worst)}`,
    );
  }
  shaping.kill('SIGKILL');
  console.log('\nThe slowest:');
  for (const row of rows.sort((a, b) => rateOf(b) - rateOf(a)).slice(0, 10)) console.log(told(row));
}

const rateOf = ({ size, took }: { size: number; took: number }) => (took * UNIT) / Math.max(UNIT, size);
const told = (row: { file: string; size: number; maxTokens: number; took: number }) =>
  `${rateOf(row).toFixed(0)} ms for 100 kB  ${row.file} (${row.size} bytes, ${row.maxTokens} tokens)`;

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

async function started(): Promise<ChildProcess> {
  const shaping = fork(import.meta.filename, [SHAPES]);
  await new Promise((resolve, reject) => shaping.once('message', resolve).once('error', reject));
  return shaping;
}

/** Undefined: the limit is reached. */
function answerOf(shaping: ChildProcess, job: Job, limit: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const end = (took: unknown) => {
      clearTimeout(timer);
      shaping.removeAllListeners();
      resolve(took as number | undefined);
    };
    const timer = setTimeout(end, limit * 1000);
    shaping.once('message', end).once('exit', () => end(undefined));
    shaping.send(job);
  });
}

if (process.argv[2] === SHAPES) await shapeFiles();
else {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { files: { type: 'string', default: '20' }, limit: { type: 'string', default: '30' } },
  });
  if (positionals.length === 0)
    throw new Error('Give folders: npm run research -- measure/source-files FOLDER…');
  await measure(positionals, Number(values.files), Number(values.limit));
}
