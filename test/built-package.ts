/** This package as it is published. Programs that use it start in a fraction of the time that its sources need. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGES } from './published.js';

/** The files that a build reads. */
const SOURCES = [
  ...['src', 'adapters', 'scripts', 'package.json', 'packages/devtools/page'],
  ...['tsconfig.json', 'tsconfig.build.json'],
  ...PACKAGES.flatMap((name) =>
    ['src', 'package.json', 'tsconfig.build.json'].map((file) => `packages/${name}/${file}`),
  ),
];
/** The files beside a build that the built programs read. */
const LINKED = ['demo', 'options.schema.json', 'report.schema.json', 'node_modules'];
const BUILDS = '.tmp';
const HOUR = 3_600_000;

let built: Promise<string> | undefined;

/** The folder of the package, built from the sources as they are. The build is kept for as long as they stay so. */
export const builtPackage = (): Promise<string> => {
  built ??= build();
  return built;
};

async function build(): Promise<string> {
  const digest = createHash('sha256');
  for (const file of SOURCES.flatMap(filesIn))
    digest.update(file).update('\0').update(readFileSync(file)).update('\0');
  const built = resolve(BUILDS, `package-${digest.digest('hex').slice(0, 16)}`);
  if (existsSync(built)) return built;

  mkdirSync(BUILDS, { recursive: true });
  const folder = mkdtempSync(`${built}-`);
  for (const each of SOURCES) cpSync(each, join(folder, each), { recursive: true });
  for (const each of LINKED) symlinkSync(resolve(each), join(folder, each));
  // Else they would find the package of this tree, which may not be built.
  for (const name of PACKAGES) link(folder, `packages/${name}/node_modules/context-shaping`, '../../..');
  link(folder, 'packages/mcp/node_modules/context-shaping-agents', '../../agents');
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: folder });
  try {
    renameSync(folder, built);
  } catch (error) {
    // Another process has built the same.
    if (!existsSync(built)) throw error;
    rmSync(folder, { recursive: true });
  }
  for (const name of readdirSync(BUILDS).filter((each) => each.startsWith('package-'))) {
    const other = resolve(BUILDS, name);
    if (other !== built && statSync(other).mtimeMs < Date.now() - HOUR) rmSync(other, { recursive: true });
  }
  return built;
}

/** The folder of a new project, inside the tree, so that packages are found; this package is there as it is published. */
export async function newProject(): Promise<string> {
  const built = await builtPackage();
  const folder = mkdtempSync(join(BUILDS, 'project-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  link(folder, 'node_modules/context-shaping', built);
  for (const name of PACKAGES)
    link(folder, `node_modules/context-shaping-${name}`, join(built, 'packages', name));
  return folder;
}

function link(folder: string, name: string, target: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  symlinkSync(target, join(folder, name));
}

const filesIn = (path: string): string[] =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, encoding: 'utf8' })
        .map((each) => join(path, each))
        .filter((each) => statSync(each).isFile())
        .toSorted();
