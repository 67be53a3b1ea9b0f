/**
 * Builds a package of `packages/` into its folder `dist`: the modules with their declarations, and for entries that CommonJS
 * may require, one file of CommonJS with a small file for each entry. It imports the plugin by its name, so that is built
 * before it. `node scripts/build-package.mjs agents`; without a name, the package of the current folder.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function buildPackage(folder) {
  const dist = join(folder, 'dist');
  const {
    bin = {},
    exports: exported,
    imports = {},
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  rmSync(dist, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' });
  const entries = Object.values(exported).filter((target) => target.require !== undefined);
  if (entries.length > 0) await bundleCommonJs(folder, entries);
  for (const file of Object.values(bin)) chmodSync(join(folder, file), 0o755);
  // A page takes its program from a file beside it.
  const app = imports['#inspector-app'];
  if (app !== undefined) {
    const texts = Object.entries(
      await import(pathToFileURL(join(folder, app['context-shaping-source'])).href),
    );
    const lines = texts.map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`);
    writeFileSync(join(folder, app.default), lines.join(''));
  }
}

/** One file has one core of the package, whichever entries a program requires. */
async function bundleCommonJs(folder, entries) {
  const out = join(folder, 'dist/cjs');
  const files = entries.map(({ require: { default: file, types }, default: module }) => ({
    file,
    types,
    module,
  }));
  await build({
    stdin: {
      contents: files
        .map(
          ({ file, module }) =>
            `exports[${JSON.stringify(file)}] = () => require(${JSON.stringify(resolve(folder, module))});`,
        )
        .join('\n'),
      resolveDir: folder,
    },
    outfile: join(out, 'all.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    minify: true,
    keepNames: true,
    // Jest cannot import in CommonJS either.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.resolve': 'undefined' },
    plugins: [
      {
        name: 'packages',
        setup({ onResolve }) {
          // Packages stay outside, but for those that are ES modules alone.
          onResolve({ filter: /^[@\w#]/ }, ({ path }) =>
            path.startsWith('@noble/hashes') || path.startsWith(folder)
              ? undefined
              : { path, external: true },
          );
        },
      },
    ],
  });
  for (const { file, types, module } of files) {
    writeFileSync(join(folder, file), `module.exports = require('./all.cjs')[${JSON.stringify(file)}]();\n`);
    const declared = module.replace('./dist/', '../');
    writeFileSync(join(folder, types), `export * from '${declared}';\n`);
  }
}

const [, program, name] = process.argv;
if (program === fileURLToPath(import.meta.url)) {
  const folder = name === undefined ? process.cwd() : join(root, 'packages', name);
  if (!existsSync(join(folder, 'tsconfig.build.json')) || dirname(folder) !== join(root, 'packages'))
    throw new Error(`There is no package to build in ${folder}.`);
  await buildPackage(folder);
}
