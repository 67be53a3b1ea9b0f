/**
 * Builds dist/esm and dist/cjs from one source, each with its own declarations; and of dist/esm the core once more, in
 * few files, for Node, which loads those in a fraction of the time. Bundlers get the modules: they leave out the
 * parts that are not used, and have zod in one copy with the rest of a page.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
for (const project of ['tsconfig.build.json', 'tsconfig.build-cjs.json']) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], { stdio: 'inherit' });
}
await bundleCore('dist/esm/src', 'dist/node');
adaptersByName('dist/esm/adapters');
// The nearest package.json decides how Node reads a .js file.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs", "sideEffects": false }\n');
chmodSync('dist/esm/adapters/cli/main.js', 0o755);

/**
 * Bundles one file, with the parts of small packages that it uses, zod above all. Imports on demand become files of
 * their own.
 */
async function bundleCore(from, outdir) {
  const { metafile } = await build({
    entryPoints: { index: join(from, 'index.js'), internal: 'internal' },
    // The internal entry reaches everything that the public entry reaches. Otherwise esbuild splits their modules into
    // twice as many files, and Node needs a third of a millisecond to load each file.
    plugins: [
      virtual('internal', `export * from './internal.js'; export { createShaper } from './index.js';`, from),
    ],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    // Vocabularies of megabytes, and a library in CommonJS: both are loaded when they are asked for.
    external: ['gpt-tokenizer', 'ml-hclust'],
    metafile: true,
  });
  const inlined = Object.keys(metafile.inputs).map(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0],
  );
  const notices = [...new Set(inlined.filter((folder) => folder !== undefined))].map(noticeOf);
  writeFileSync(join(outdir, 'LICENSES.txt'), notices.join('\n'));
}

/** A module that is only in memory. */
function virtual(name, contents, folder) {
  return {
    name,
    setup({ onLoad, onResolve }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ path }) => ({ path, namespace: name }));
      onLoad({ filter: /.*/, namespace: name }, () => ({ contents, resolveDir: resolve(folder) }));
    },
  };
}

/** Licences ask to go with every copy. */
function noticeOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = readdirSync(folder).filter((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}

/** Adapters import the core by name. So there is one core, whichever build of it that is. */
function adaptersByName(folder) {
  for (const each of readdirSync(folder, { recursive: true })) {
    if (!each.endsWith('.js')) continue;
    const code = readFileSync(join(folder, each), 'utf8');
    const named = code
      .replaceAll(/'(?:\.\.\/)+src\/index\.js'/g, `'context-shaping'`)
      .replaceAll(/'(?:\.\.\/)+src\/internal\.js'/g, `'#internal'`);
    writeFileSync(join(folder, each), named);
  }
}
