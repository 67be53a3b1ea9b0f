/** Compiles the inner loop of src/math/gram/gram.ts, and writes it down as a module that holds its bytes. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MEMORY } from '../src/math/gram/layout.js';

const PAGE_BYTES = 65_536;
const PAGES = String((MEMORY * Float32Array.BYTES_PER_ELEMENT) / PAGE_BYTES);
const SOURCES = ['assembly/gram.ts', 'src/math/gram/layout.ts'];
const FLAGS = [
  ...['--runtime', 'stub', '--enable', 'simd', '--optimizeLevel', '3', '--shrinkLevel', '1', '--converge'],
  ...['--noAssert', '--initialMemory', PAGES, '--maximumMemory', PAGES],
];
const COMPILER = 'tools/node_modules/assemblyscript/bin/asc.js';

/** The compiler is one of the tools that `npm ci` does not install. */
export const hasCompiler = (): boolean => existsSync(COMPILER);

/** The first lines of the module. They change when the sources or the flags of the compiler change. */
export function gramHeader(): string {
  const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g;
  const code = SOURCES.map((file) =>
    readFileSync(file, 'utf8').replaceAll(comments, '').replaceAll(/\s+/g, ' '),
  );
  const digest = createHash('sha256').update(JSON.stringify([...code, ...FLAGS]));
  return `// Generated from assembly/gram.ts by "npm run generate". A test fails when it is out of date.
// SHA-256 of the code that it was compiled from: ${digest.digest('hex')}
`;
}

export function gramModule(): string {
  if (!hasCompiler())
    throw new Error(`${SOURCES[0]} changed, and its compiler is not installed. Run: npm run setup:all`);
  const folder = mkdtempSync(join(tmpdir(), 'gram-'));
  try {
    const file = join(folder, 'gram.wasm');
    execFileSync(process.execPath, [COMPILER, SOURCES[0] as string, '--outFile', file, ...FLAGS], {
      stdio: 'pipe',
    });
    return `${gramHeader()}export const MODULE =
  '${readFileSync(file).toString('base64')}';
`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
