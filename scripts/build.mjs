/**
 * Builds dist/esm, the modules with their declarations. The core and the adapter for LangChain are in dist/node once
 * more, in few files: Node loads those in a fraction of the time. Bundlers get the modules: they leave out the parts that
 * are not used, and share zod with the rest of a page. dist/cjs is one file for programs that cannot load ES modules by
 * `require`, Jest above all.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build, transformSync } from 'esbuild';
import { buildPackage, bundleCommonJs } from './build-package.mjs';
import { noticesOf } from './notices.mjs';

/** Modules on demand that few calls need. */
const SELDOM = ['ecs/measure', 'relevance/history', 'stages/custom/custom', 'stages/semantic-dedup/prefer'];
/** The others, all stages among them: nearly every process needs them in its first call. */
const FIRST_CALL = readdirSync('src', { recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) =>
    Array.from(
      readFileSync(join('src', name), 'utf8').matchAll(/=> import\('(\.[^']+)\.js'\)/g),
      ([, module]) => join(dirname(name), module),
    ),
  )
  .filter((module, at, all) => all.indexOf(module) === at && !SELDOM.includes(module))
  .sort();

const { bin, exports: exported, imports } = JSON.parse(readFileSync('package.json', 'utf8'));

rmSync('dist', { recursive: true, force: true });
compile('tsconfig.build.json');
await bundleCommonJs(resolve('.'), exported);
await bundleCore('dist/esm/src', 'dist/node');
withoutComments('dist/esm/src');
adaptersByName('dist/esm/adapters');
await bundleAdapters('dist/esm/adapters');
chmodSync('dist/esm/adapters/cli/main.js', 0o755);
removeUnreached(resolve('dist'));
// They import this package by its name, so it is built before them; and `mcp` imports `agents`.
for (const name of ['agents', 'devtools', 'mcp', 'server']) await buildPackage(resolve('packages', name));

function compile(project) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], { stdio: 'inherit' });
}

/** Comments are for readers of the sources; the declarations keep theirs, which editors show. */
function withoutComments(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const file = join(folder, name);
    const { code } = transformSync(readFileSync(file, 'utf8'), { target: 'es2023', charset: 'utf8' });
    writeFileSync(file, code);
  }
}

/**
 * Bundles one file, with the parts of small packages that it uses, zod above all. Imports on demand become files of
 * their own.
 */
async function bundleCore(from, outdir) {
  const { metafile } = await build({
    entryPoints: {
      index: join(from, 'index.js'),
      internal: 'internal',
      langchain: 'dist/esm/adapters/langchain/index.js',
    },
    // The internal entry reaches everything that the public entry reaches. Otherwise esbuild splits their modules into
    // twice as many files, and Node needs a third of a millisecond to load each file.
    plugins: [
      virtual('internal', `export * from './internal.js'; export { createShaper } from './index.js';`, from),
      await together('first-call', FIRST_CALL, from),
      await together('seldom', SELDOM, from),
      adapterIn(from),
    ],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    external: ['@langchain/core/*', '../esm/*'],
    metafile: true,
  });
  writeFileSync(join(outdir, 'LICENSES.txt'), noticesOf(Object.keys(metafile.inputs)));
}

/**
 * Each adapter in one file, and the parts that several share in files of their own, in the place of its modules. The core
 * and all packages stay outside.
 */
async function bundleAdapters(folder) {
  const modules = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js'));
  const entries = targetsOf({ bin, exported, imports }).map((path) => relative(folder, path));
  const { outputFiles } = await build({
    entryPoints: [...new Set(entries)]
      .filter((name) => modules.includes(name))
      .map((name) => join(folder, name)),
    outbase: folder,
    outdir: folder,
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'node20',
    charset: 'utf8',
    packages: 'external',
    external: ['#*'],
    write: false,
  });
  for (const name of modules) rmSync(join(folder, name));
  mkdirSync(join(folder, 'shared'), { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, text);
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

/**
 * Loads several modules as one when any of them is demanded: Node needs most of a millisecond for each file, and esbuild
 * a file for each set of modules that demand the same one.
 */
async function together(name, modules, from) {
  const files = modules.map((module) => resolve(from, `${module}.js`));
  const exported = (await Promise.all(files.map((file) => import(file)))).flatMap(Object.keys);
  // Two modules that export one name would cancel each other.
  if (new Set(exported).size < exported.length)
    throw new Error(`Twice in ${name}: ${exported.sort().join(' ')}`);
  const { setup } = virtual(name, files.map((file) => `export * from '${file}';`).join('\n'), from);
  return {
    name,
    setup(build) {
      setup(build);
      build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
        kind === 'dynamic-import' && files.includes(resolve(resolveDir, path))
          ? { path: name, namespace: name }
          : undefined,
      );
    },
  };
}

/**
 * An adapter in the bundle imports each internal name from its own module, because `internal.js` would load all of them.
 * It loads other adapters on demand from their place beside the bundle.
 */
function adapterIn(from) {
  const moduleOf = new Map();
  for (const [, names, module] of readFileSync(join(from, 'internal.js'), 'utf8').matchAll(
    /export \{ (.*?),? \} from '(.*)';/g,
  ))
    for (const name of names.split(', ')) moduleOf.set(name.split(' as ').at(-1), { name, module });
  const importOf = (each) => {
    const { name, module } = moduleOf.get(each);
    return `import { ${name} } from ${JSON.stringify(resolve(from, module))};`;
  };
  return {
    name: 'adapter',
    setup({ onLoad }) {
      onLoad({ filter: /esm\/adapters\/.*\.js$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8')
          .replace(/import \{ (.*?),? \} from '[./]+\/src\/internal\.js';/, (_, names) =>
            names.split(', ').map(importOf).join('\n'),
          )
          .replaceAll(/'\.\.\/((?:langgraph|llamaindex)\/index\.js)'/g, `'../esm/adapters/$1'`),
      }));
    },
  };
}

/** Removes what no entry point reaches: declarations of internal modules, and modules that have types alone. */
function removeUnreached(dist) {
  const targets = targetsOf({ bin, exported, imports });
  const found = new Set(targets.map((path) => resolve(path)));
  for (const file of found) {
    if (!file.startsWith(dist)) continue;
    for (const [, to] of readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom|\bimport|\b(?:import|require)\()\s*['"](\.[^'"]+)['"]/g,
    )) {
      const path = join(dirname(file), to);
      found.add(file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path);
    }
  }
  for (const name of readdirSync(dist, { recursive: true })) {
    const file = join(dist, name);
    if (/\.(?:js|ts)$/.test(name) && !found.has(file)) rmSync(file);
  }
}

/** Every path in a value of `package.json`. */
function targetsOf(value) {
  return typeof value === 'string' ? [value] : Object.values(value).flatMap(targetsOf);
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
