/**
 * Builds the package: its entries with the parts that they share in `dist/esm`, for Node and for bundlers; one file with all
 * entries in `dist/cjs`, for programs that cannot load ES modules by `require`, Jest above all; declarations in `dist/types`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { buildPackage, bundleCommonJs, packagesOutside } from './build-package.mjs';
import { noticesOf } from './notices.mjs';

/** The start of a process would take half as long again if Node had to find and load the files of these packages. */
const INSIDE = /^(?:zod\/mini|@noble\/hashes\/.*|@orama\/stemmers\/.*)$/;
/** Functions of the language whose results a bundler may leave out if nothing uses them. */
const PURE = [
  ...[
    'DataView',
    'Int32Array',
    'Map',
    'RegExp',
    'Set',
    'TextEncoder',
    'Uint8Array',
    'Uint32Array',
    'WeakMap',
  ],
  ...['Object.entries', 'Object.freeze', 'Object.fromEntries', 'Object.keys'],
];

const { bin, exports: exported } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.values(exported).filter((target) => target.default !== undefined);

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  stdio: 'inherit',
});
removeUnreached(entries.map(({ types }) => resolve(types)));
const { metafile } = await build({
  entryPoints: {
    main: 'adapters/cli/main.ts',
    ...Object.fromEntries(
      entries.map((target) => [basename(target.default, '.js'), target['context-shaping-source']]),
    ),
  },
  outdir: 'dist/esm',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  target: 'node20',
  charset: 'utf8',
  pure: PURE,
  plugins: [packagesOutside(INSIDE)],
  metafile: true,
});
await bundleCommonJs(resolve('.'), exported);
// These are more packages than those in the file of CommonJS.
writeFileSync('dist/LICENSES.txt', noticesOf(Object.keys(metafile.inputs)));
for (const file of Object.values(bin)) chmodSync(file, 0o755);
// They import this package by its name, so it is built before them; and `mcp` imports `agents`.
for (const name of ['agents', 'devtools', 'mcp', 'server']) await buildPackage(resolve('packages', name));

/** Removes declarations that no entry reaches. */
function removeUnreached(files) {
  const found = new Set(files);
  for (const file of found) {
    for (const [, to] of readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom|\bimport\()\s*['"](\.[^'"]+)\.js['"]/g,
    ))
      found.add(join(dirname(file), `${to}.d.ts`));
  }
  for (const name of readdirSync('dist/types', { recursive: true })) {
    const file = resolve('dist/types', name);
    if (name.endsWith('.ts') && !found.has(file)) rmSync(file);
  }
}
