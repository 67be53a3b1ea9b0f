/** Runs the blocks of a page, in a folder of its own in a new project, with this package and those that its readers install. */
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { transform } from 'esbuild';
import { expect } from 'vitest';
import { PACKAGES_OF_HOSTS } from '../../packages/agents/test/hosts/installed.js';
import { TINY, writeModel } from '../adapters/embeddings/static-model.js';
import { type Block, blocksOf, fileOf, isRun } from './page.js';
import { startServices } from './services.js';

const {
  bin: packageBin,
  dependencies,
  devDependencies,
  peerDependencies,
  name,
  scripts,
} = JSON.parse(readFileSync('package.json', 'utf8'));

/** Programs and files that no test can fetch. */
const NOT_RUN = /^(?:docker|ollama|vllm|llama-server|git|kubectl|sudo|apt-get) /;
/** Packages that pages install and this project does not import: workspaces, programs, types, engines of megabytes. */
const OTHER_PACKAGES = [
  ...['agents', 'devtools', 'mcp', 'server'].map((each) => `context-shaping-${each}`),
  ...['@modelcontextprotocol/client', '@modelcontextprotocol/server'],
  ...['@types/node', 'node-llama-cpp', 'tsx', 'typescript'],
];
const PACKAGES = new Set([
  ...Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }),
  ...[name, ...OTHER_PACKAGES, ...PACKAGES_OF_HOSTS],
]);

/** Options that a new project has: nothing but `strict`, and how Node finds modules. */
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
    types: ['node'],
    skipLibCheck: true,
    noEmit: true,
  },
};

/** The folder of a page, under `parent`, with its files: those of TypeScript are there in JavaScript as well. */
export async function layOut(page: string, parent: string): Promise<{ folder: string; blocks: Block[] }> {
  const folder = join(parent, page.replace(/\.md$/, ''));
  const blocks = blocksOf(page);
  mkdirSync(folder, { recursive: true });
  for (const block of blocks) {
    if (block.file === undefined && block.language !== 'ts') continue;
    const file = join(folder, fileOf(block));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, block.code);
    if (!file.endsWith('.ts')) continue;
    const { code } = await transform(block.code, {
      loader: 'ts',
      target: 'node20',
      sourcefile: fileOf(block),
    });
    writeFileSync(inJavaScript(file), code);
  }
  return { folder, blocks };
}

const inJavaScript = (file: string) => file.replace(/\.ts$/, '.js');

/** The messages of the compiler about all pages under a folder: empty if they compile under `strict`. */
export async function compile(folder: string): Promise<string> {
  // The engines are no dependencies of this project, for their size.
  copyFileSync('test/engines.d.ts', join(folder, 'engines.d.ts'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...TSCONFIG, include: ['**/*.ts'] }));
  const tsc = promisify(execFile)('node_modules/.bin/tsc', ['-p', folder], { encoding: 'utf8' });
  return tsc.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => stdout + stderr,
  );
}

/** Runs a page that is laid out; returns how many of its blocks ran, or are commands of npm that were checked. */
export async function runPage(page: string, folder: string, blocks: readonly Block[]): Promise<number> {
  await using services = await startServices(readFileSync(page, 'utf8'));
  const env = {
    ...process.env,
    ...services.env,
    PATH: `${commands(folder)}${delimiter}${process.env.PATH}`,
    NO_COLOR: '1',
  };
  let ran = 0;
  for (const block of blocks.filter(isRun)) {
    if (block.language === 'sh' && NOT_RUN.test(block.code)) continue;
    ran++;
    if (block.language === 'sh' && isInstallation(page, block)) continue;
    const [file, args] =
      block.language === 'ts'
        ? [process.execPath, [inJavaScript(fileOf(block))]]
        : ['sh', ['-ec', block.code]];
    const at = `${page}:${block.line}`;
    const { stdout } = await promisify(execFile)(file, args, { cwd: folder, env, encoding: 'utf8' }).catch(
      (error) => {
        throw new Error(`${at}\n${error.stdout}\n${error.stderr}`);
      },
    );
    if (block.output !== undefined) expect(tidy(stdout), at).toBe(tidy(block.output));
  }
  return ran;
}

const tidy = (text: string) =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

/** Whether a block installs packages, or calls a script of a clone. Names of both are checked. */
function isInstallation(page: string, { code, line }: Block): boolean {
  if (!/^npm /m.test(code) && !/&& npm /.test(code)) return false;
  const commands = code.split(/&&|\n/).map((each) => each.trim().split(/\s+/));
  for (const [program, command = '', ...words] of commands) {
    if (program !== 'npm') continue;
    const named = words.filter((each) => !each.startsWith('-')).map((each) => each.replace(/(?<=.)@.*$/, ''));
    if (/^(?:i|install|add)$/.test(command))
      for (const each of named) expect(PACKAGES, `${page}:${line} ${each}`).toContain(each);
    if (command === 'run') expect(Object.keys(scripts), `${page}:${line}`).toContain(named[0]);
  }
  return true;
}

/**
 * A folder with `npx` that runs this package and TypeScript, and nothing else; and with `hf`, which leaves a small model
 * where `hf download OWNER/MODEL FILE… --local-dir FOLDER` leaves the real one.
 */
function commands(folder: string): string {
  const bin = resolve(folder, '.bin');
  mkdirSync(bin, { recursive: true });
  const node = `'${process.execPath}'`;
  const installed = createRequire(join(bin, 'npx')).resolve(`${name}/package.json`);
  const program = `${node} '${join(dirname(installed), packageBin[name])}'`;
  const npx = `#!/bin/sh
program="$1"
shift
case "$program" in
  context-shaping) exec ${program} "$@" ;;
  context-shaping-*) exec ${node} '${join(dirname(installed), 'packages')}'/"\${program#context-shaping-}"/dist/main.js "$@" ;;
  tsx) exec ${node} --import '${import.meta.resolve('tsx')}' "$@" ;;
  *) echo "npx $program is not known to the tests of the documentation" >&2; exit 127 ;;
esac
`;
  writeFileSync(join(bin, 'npx'), npx);
  const model = join(bin, 'model');
  writeModel(model, TINY);
  const hf = `#!/bin/sh
for target; do :; done
mkdir -p "$target"
shift 2
while [ "$1" != --local-dir ]; do cp '${model}'/"$1" "$target"; shift; done
`;
  writeFileSync(join(bin, 'hf'), hf);
  for (const program of ['npx', 'hf']) chmodSync(join(bin, program), 0o755);
  return bin;
}
