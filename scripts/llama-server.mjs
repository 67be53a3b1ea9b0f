/**
 * Builds llama.cpp’s own server for the tests that need a real one, and prints the path of the program. The source is in
 * the npm package node-llama-cpp. The build takes five minutes or more on two cores, and 400 MB of disk. The program is kept: in
 * `$CONTEXT_SHAPING_CACHE/llama-server`, else in `~/.cache/context-shaping/llama-server`. It needs git, tar, CMake and a
 * compiler for C++.
 *
 * Usage: npm run -s setup:llama-server
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';

/** The package, and the version of llama.cpp in it. */
const PACKAGE = 'node-llama-cpp@3.22.1';
const TAG = 'v0.5.0';

const PROGRAM = process.platform === 'win32' ? 'llama-server.exe' : 'llama-server';

/** A static program without downloads, for any processor of this kind. */
const FLAGS = {
  CMAKE_BUILD_TYPE: 'Release',
  BUILD_SHARED_LIBS: 'OFF',
  GGML_NATIVE: 'OFF',
  LLAMA_BUILD_EXAMPLES: 'OFF',
  LLAMA_BUILD_MTMD: 'OFF',
  LLAMA_BUILD_SERVER: 'ON',
  LLAMA_BUILD_TESTS: 'OFF',
  LLAMA_BUILD_UI: 'OFF',
  LLAMA_CURL: 'OFF',
  LLAMA_OPENSSL: 'OFF',
};

const cache = process.env.CONTEXT_SHAPING_CACHE ?? join(homedir(), '.cache', 'context-shaping');
const folder = join(cache, 'llama-server', TAG);
const program = join(folder, PROGRAM);
if (!existsSync(program)) {
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, 'build-'));
  try {
    renameSync(build(work), program);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
console.log(program);

/** @returns the path of the program. */
function build(work) {
  /** The programs print to the error stream; the output is the path alone. */
  const run = (command, ...args) => execFileSync(command, args, { cwd: work, stdio: ['ignore', 2, 2] });
  run('npm', 'pack', PACKAGE, '--silent');
  const [name, version] = PACKAGE.split('@');
  run('tar', '-xzf', `${name}-${version}.tgz`, 'package/llama/gitRelease.bundle');
  run('git', 'clone', '--quiet', 'package/llama/gitRelease.bundle', 'source');
  const flags = Object.entries(FLAGS).map(([flag, value]) => `-D${flag}=${value}`);
  run('cmake', '-S', 'source', '-B', 'build', ...flags);
  const jobs = String(availableParallelism());
  run('cmake', '--build', 'build', '--config', 'Release', '--target', 'llama-server', '--parallel', jobs);
  const paths = [join('bin', PROGRAM), join('bin', 'Release', PROGRAM)].map((path) =>
    join(work, 'build', path),
  );
  return paths.find(existsSync) ?? paths[0];
}
