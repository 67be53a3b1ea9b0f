/**
 * Builds a package of `packages/` into its folder `dist`: the modules with their declarations, and for entries that CommonJS
 * may require, one file of CommonJS with a small file for each entry. It imports the plugin by its name, so that is built
 * before it. `node scripts/build-package.mjs agents`; without a name, the package of the current folder.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { noticesOf } from './notices.mjs';

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
  await bundleCommonJs(folder, exported);
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

/**
 * All entries that CommonJS may require in one file, each run when it is first required, and a small file for each entry. One
 * file has one core, whichever entries a program requires. The licences of the packages in it are in `dist`.
 */
export async function bundleCommonJs(folder, exported) {
  const outdir = join(folder, 'dist/cjs');
  const files = Object.values(exported)
    .filter((target) => target.require !== undefined)
    .map(({ require: { default: file }, types, ...target }) => ({
      name: basename(file, '.cjs'),
      module: resolve(folder, target['context-shaping-source']),
      types: resolve(folder, types),
    }));
  if (files.length === 0) return;
  const { metafile } = await build({
    stdin: {
      contents: files
        .map(
          ({ name, module }) =>
            `exports[${JSON.stringify(name)}] = () => require(${JSON.stringify(module)});`,
        )
        .join('\n'),
      resolveDir: folder,
    },
    outfile: join(outdir, 'all.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    minify: true,
    keepNames: true,
    // Jest cannot import in CommonJS either.
    supported: { 'dynamic-import': false },
    metafile: true,
    // A package of ES modules alone.
    plugins: [packagesOutside(/^@noble\/hashes/)],
  });
  writeFileSync(join(folder, 'dist/LICENSES.txt'), noticesOf(Object.keys(metafile.inputs)));
  for (const { name, types } of files) {
    const file = join(outdir, name);
    writeFileSync(`${file}.cjs`, `module.exports = require('./all.cjs')[${JSON.stringify(name)}]();\n`);
    writeFileSync(
      `${file}.d.cts`,
      `export * from '${relative(outdir, types).replace(/\.d\.ts$/, '.js')}';\n`,
    );
  }
}

/** Packages stay outside a bundle, but for those that are named here. */
export function packagesOutside(inside) {
  return {
    name: 'packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[@\w]/ }, ({ path, kind }) =>
        kind === 'entry-point' || isAbsolute(path) || inside.test(path)
          ? undefined
          : { path, external: true },
      );
    },
  };
}

const [, program, name] = process.argv;
if (program === fileURLToPath(import.meta.url)) {
  const folder = name === undefined ? process.cwd() : join(root, 'packages', name);
  if (!existsSync(join(folder, 'tsconfig.build.json')) || dirname(folder) !== join(root, 'packages'))
    throw new Error(`There is no package to build in ${folder}.`);
  await buildPackage(folder);
}
