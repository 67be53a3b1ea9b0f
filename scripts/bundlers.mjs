/** Bundles one page with each of four bundlers, as their users call them. They are no dependencies of this package. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** To be installed in the folder that is given as `tools`. */
export const BUNDLERS_TO_INSTALL = ['webpack@5.112.2', 'vite@8.3.8', 'wrangler@4.86.0'];

/** Each returns the file to run. The page is `page.mjs` in `project`; for wrangler `worker.mjs`. */
export const bundlers = {
  async esbuild({ project, out }) {
    await build({
      entryPoints: [join(project, 'page.mjs')],
      outdir: out,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      minify: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      logLevel: 'silent',
    });
    return join(out, 'page.mjs');
  },

  async webpack({ project, tools, out }) {
    const { default: webpack } = await load(tools, 'webpack');
    const config = {
      mode: 'production',
      target: 'web',
      context: project,
      entry: './page.mjs',
      experiments: { outputModule: true },
      performance: false,
      output: {
        path: out,
        filename: 'page.mjs',
        chunkFilename: '[name].mjs',
        chunkFormat: 'module',
        library: { type: 'module' },
      },
    };
    const stats = await new Promise((done, failed) => {
      webpack(config, (error, result) => (error ? failed(error) : done(result)));
    });
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    const [problem] = [...errors, ...warnings];
    if (problem !== undefined) throw new Error(problem.message);
    return join(out, 'page.mjs');
  },

  async vite({ project, tools, out }) {
    const vite = await load(tools, 'vite');
    const warned = (message) => {
      throw new Error(message);
    };
    await vite.build({
      root: project,
      configFile: false,
      logLevel: 'silent',
      customLogger: { ...vite.createLogger('silent'), warn: warned, warnOnce: warned },
      build: {
        outDir: out,
        reportCompressedSize: false,
        emptyOutDir: false,
        lib: { entry: 'page.mjs', formats: ['es'], fileName: () => 'page.mjs' },
      },
    });
    return join(out, 'page.mjs');
  },

  async wrangler({ project, tools, out }) {
    writeFileSync(
      join(project, 'wrangler.json'),
      JSON.stringify({ name: 'page', main: 'worker.mjs', compatibility_date: '2026-01-01' }),
    );
    wrangle(project, tools, out);
    return join(out, 'worker.js');
  },
};

/** Calls the function `shape` of a bundle without Node's globals, as in a browser. Arguments and result are JSON. */
export function runWithoutNode(file, ...args) {
  const code = `const { log } = console;
    delete globalThis.process;
    delete globalThis.Buffer;
    const { shape } = await import(${JSON.stringify(pathToFileURL(file).href)});
    log(JSON.stringify(await shape(...${JSON.stringify(args)})));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return JSON.parse(said);
}

/** Bundles a Worker as its `wrangler.json` says, sends it a request in workerd, and returns the text of the answer. */
export async function askWorker({ project, tools, out }, body) {
  wrangle(project, tools, out);
  const { Miniflare } = await load(tools, 'miniflare');
  const worker = new Miniflare({
    modulesRoot: out,
    modules: [{ type: 'ESModule', path: join(out, 'worker.js') }],
    compatibilityDate: '2026-01-01',
  });
  try {
    const answer = await worker.dispatchFetch('http://localhost/', { method: 'POST', body });
    return await answer.text();
  } finally {
    await worker.dispose();
  }
}

/** Each in a folder of its own, without a package.json above that would decide how Node reads a `.js` file. */
export function outputFolder(project, name) {
  const out = join(project, 'bundles', name);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n');
  return out;
}

function wrangle(project, tools, out) {
  const command = join(tools, 'node_modules/wrangler/bin/wrangler.js');
  execFileSync(process.execPath, [command, 'deploy', '--dry-run', '--outdir', out], {
    cwd: project,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' },
  });
}

function load(tools, name) {
  return import(pathToFileURL(createRequire(join(tools, 'package.json')).resolve(name)).href);
}
