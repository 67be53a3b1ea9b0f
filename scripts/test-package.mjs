/**
 * Checks the package as its users get it: packs it, installs the tarball into an empty project without any
 * peer, uses `.` from ESM, CommonJS and TypeScript, bundles it for a browser, and prints the sizes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Upper bound on what a page loads for `.`, in bytes after gzip. */
const MAX_GZIP = 60 * 1024;

const project = mkdtempSync(join(tmpdir(), 'context-shaping-'));
let passed = 0;
let failed = 0;

async function check(what, run) {
  try {
    const said = await run();
    passed++;
    console.log(`ok    ${what}${said ? `: ${said}` : ''}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${what}\n${error.stdout ?? ''}${error.stderr ?? error.stack}`);
  }
}

const run = (file, args, cwd = project) =>
  execFileSync(file, args, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
const bin = (name) => resolve('node_modules/.bin', name);
const use = `
const { chunks, report } = await createShaper({ budget: { maxTokens: 20 }, tokenizer: 'o200k_base', cluster: { linkage: 'median' } }).shape({
  query: 'Where is the cat?',
  chunks: [
    { id: 'a', text: 'The cat sat on the mat.' },
    { id: 'b', text: 'the cat sat on the mat' },
    { id: 'c', text: 'Dogs chase balls in the park on most sunny afternoons, whatever their owners say.' },
    { id: 'd', text: 'A dog chases a ball in the park on sunny afternoons.' },
  ],
});
if (report.evicted.length + chunks.length !== 4 || chunks[0].id !== 'a') throw new Error(JSON.stringify(report));
`;

const tarball = JSON.parse(
  run('npm', ['pack', '--json', '--pack-destination', project], process.cwd()).replace(/^[^[]*/, ''),
)[0];
writeFileSync(join(project, 'package.json'), '{ "private": true }');
run('npm', ['install', '--omit=peer', '--omit=optional', join(project, tarball.filename)]);
const installed = readdirSync(join(project, 'node_modules'));

await check('no peer was installed', () => {
  if (installed.includes('@langchain') || installed.includes('llamaindex'))
    throw new Error(installed.join(' '));
  return `${tarball.entryCount} files, ${Math.round(tarball.size / 1024)} kB packed, ${installed.filter((name) => !name.startsWith('.')).length} packages`;
});
await check('ESM', () => {
  writeFileSync(join(project, 'use.mjs'), `import { createShaper } from 'context-shaping';${use}`);
  run(process.execPath, ['use.mjs']);
});
await check('CommonJS', () => {
  const body = `const { createShaper } = require('context-shaping');(async () => {${use}})().catch((error) => { console.error(error); process.exit(1); });`;
  writeFileSync(join(project, 'use.cjs'), body);
  run(process.execPath, ['use.cjs']);
});
await check('TypeScript, strict, declarations checked', () => {
  writeFileSync(
    join(project, 'use.mts'),
    `import { createShaper, type ShapingReport, type Eviction } from 'context-shaping';
     import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
     const { report }: { report: ShapingReport } = await createShaper({ k: 3 }).shape({ query: 'q', chunks: [] });
     const reasons: Eviction['reason'][] = report.evicted.map((eviction) => eviction.reason);
     new ContextShapingPostprocessor({ k: 3 });
     export { reasons };`,
  );
  run(process.execPath, [
    resolve('node_modules/typescript/bin/tsc'),
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    'false',
    '--types',
    '',
    '--lib',
    'es2023,dom',
    '--module',
    'nodenext',
    'use.mts',
  ]);
});
await check('command line', () => {
  const body = JSON.stringify({ query: 'cat', chunks: [{ id: 'a', text: 'The cat.' }] });
  writeFileSync(join(project, 'body.json'), body);
  const { chunks } = JSON.parse(
    run(join(project, 'node_modules/.bin/context-shaping'), ['shape', 'body.json', '--format', 'json']),
  );
  if (chunks[0].id !== 'a') throw new Error('wrong answer');
});
await check('report schema', () => {
  const schema = JSON.parse(
    readFileSync(join(project, 'node_modules/context-shaping/report.schema.json'), 'utf8'),
  );
  if (schema.properties.evicted === undefined) throw new Error('no evictions in it');
});
await check('bundle for a browser', async () => {
  writeFileSync(
    join(project, 'page.mjs'),
    `import { createShaper } from 'context-shaping'; globalThis.shaper = createShaper();`,
  );
  const { metafile, outputFiles } = await build({
    entryPoints: [join(project, 'page.mjs')],
    outdir: join(project, 'bundle'),
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    write: false,
  });
  // What the page loads at once is the entry and what it imports statically; the rest comes when asked for.
  const output = Object.entries(metafile.outputs);
  const [entry] = output.find(([, { entryPoint }]) => entryPoint?.endsWith('page.mjs'));
  const atOnce = new Set([entry]);
  for (const name of atOnce) {
    for (const { path, kind } of metafile.outputs[name].imports)
      if (kind === 'import-statement') atOnce.add(path);
  }
  const sizes = outputFiles.map(({ path, contents }) => ({
    path: output.find(([name]) => path.endsWith(name.split('/').pop()))[0],
    raw: contents.length,
    gzip: gzipSync(contents, { level: 9 }).length,
  }));
  const first = sizes.filter(({ path }) => atOnce.has(path));
  const gzip = first.reduce((sum, size) => sum + size.gzip, 0);
  const raw = first.reduce((sum, size) => sum + size.raw, 0);
  const later = sizes
    .filter(({ path }) => !atOnce.has(path))
    .map(({ path, gzip }) => `${path.split('/').pop()} ${kB(gzip)}`);
  if (gzip > MAX_GZIP) throw new Error(`${kB(gzip)} gzip, more than ${kB(MAX_GZIP)}`);
  return `${kB(raw)} minified, ${kB(gzip)} gzip (at most ${kB(MAX_GZIP)}); loaded only when asked for: ${later.join(', ')}`;
});
await check('publint', () => run(bin('publint'), ['--strict'], process.cwd()).split('\n').at(-1));
await check('are the types wrong', () => {
  run(
    bin('attw'),
    [join(project, tarball.filename), '--profile', 'node16', '--format', 'ascii', '--no-emoji'],
    process.cwd(),
  );
});

rmSync(project, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function kB(bytes) {
  return `${(bytes / 1024).toFixed(1)} kB`;
}
