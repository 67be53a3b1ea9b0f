/**
 * Checks the package as its users get it. It packs it, and installs the tarball into an empty project without any peer.
 * It uses `.` and the entries without peers from ESM, CommonJS and TypeScript, bundles them for a browser, and prints the sizes. It
 * bundles a page with a LangChain compressor by four bundlers, and tests it by two test runners. Then it installs the
 * packages of `packages/`, LangChain and LangGraph, and checks what needs them.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { askWorker, BUNDLERS_TO_INSTALL, bundlers, outputFolder, runWithoutNode } from './bundlers.mjs';

/** Upper bound on what a page loads for `.`, in bytes after gzip; the weights of the token estimate are 27 kB of it. */
const MAX_GZIP = 65 * 1024;
/** Upper bound on one file with all of the core, in bytes: a third of it are the weights and words. */
const MAX_SMALL = 420 * 1024;
/** Upper bound on the inspector's page without runs, in bytes after gzip. It has the core in it. */
const MAX_PAGE = 242 * 1024;
const NEXT = ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'];
const TEST_RUNNERS = ['jest@30.5.2', 'vitest@4.1.12'];

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
/** Installed by `npm run setup:all`. */
const tool = (name) => resolve('tools/node_modules/.bin', name);
// Unchecked prose: a program with passages.
const use = `
const { chunks, report } = await createShaper({ budget: { maxTokens: 20 }, cluster: { linkage: 'ward' } }).shape({
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
const useLogprobs = `
const server = llamaServer({ baseUrl: 'http://127.0.0.1:9' });
const unreachable = await server.identify().catch((error) => error);
if (unreachable.kind !== 'service') throw unreachable;
const error = await nodeLlamaCpp({ model: {} }).catch((error) => error);
if (error.kind !== 'invalid-options') throw error;
`;
const useConversation = `
const shaper = createConversationShaper({ maxToolTokens: 60 });
const text = Array.from({ length: 20 }, (_, n) => 'The bridge over river number ' + n + ' was opened in 19' + n + '.').join('\\n\\n');
const result = { type: 'result', id: 'call', tool: 'search', content: [{ type: 'text', text }] };
const { content: [shown] } = await shaper.shapeResult(result, { thread: '', input: { query: 'river number 7' } });
const [handle] = /(?<=recall_passage )[\\w-]+/.exec(shown.text) ?? [];
const { found } = await shaper.recall({ handle, query: 'river number 9', thread: '', callId: 'recall' });
if (!shown.text.includes('number 7 ') || !found) throw new Error(shown.text);
`;
const useLockfile = `
const { createShaper } = await import('context-shaping');
const result = await createShaper({ k: 1 }).shape({ query: 'cat', chunks: [{ id: 'a', text: 'The cat.' }] });
const { isEqual } = await replayContext(parseLockfile(formatLockfile(await recordContext(result))));
if (!isEqual) throw new Error('another context');
`;
const useAiSdk = `
const text = Array.from({ length: 20 }, (_, n) => 'The bridge over river ' + n + ' was opened in 19' + n + '.').join('\\n\\n');
const part = { type: 'tool-result', toolCallId: 'c', toolName: 'search', output: { type: 'text', value: text } };
const middleware = shapingMiddleware({ maxToolTokens: 60 });
const { prompt: [message] } = await middleware.transformParams({ params: { prompt: [{ role: 'tool', content: [part] }] } });
if (!message.content[0].output.value.includes('recall_passage')) throw new Error(JSON.stringify(message));
`;
const useRerankers = `
const rerank = async (query, texts) => ({ scores: texts.map(() => 0), scale: 'logit', usage: { requests: 1 } });
const judge = rerankJudge({ identify: async () => 'r', rerank });
const { results: [verdict] } = await judge.judge([{ question: 'Where?', passage: 'Here.' }]);
if (verdict.yes !== 0.5 || await judge.identify() !== 'reranker:r') throw new Error(JSON.stringify(verdict));
const server = httpReranker({ dialect: 'tei', baseUrl: 'http://127.0.0.1:9', model: 'm' });
const unreachable = await server.rerank('Where?', ['Here.']).catch((error) => error);
if (unreachable.kind !== 'service') throw unreachable;
`;

/** Packs the package of a folder. */
const packed = (folder, to = project) =>
  JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', to], resolve(folder)).replace(/^[^[]*/, ''),
  )[0];
const tarball = packed('.');
writeFileSync(join(project, 'package.json'), '{ "private": true }');
run('npm', ['install', '--omit=peer', '--omit=optional', join(project, tarball.filename)]);
const installed = readdirSync(join(project, 'node_modules'));

await check('no peer was installed', () => {
  if (installed.includes('@langchain') || installed.includes('llamaindex'))
    throw new Error(installed.join(' '));
  return `${tarball.entryCount} files, ${Math.round(tarball.size / 1024)} kB packed, ${installed.filter((name) => !name.startsWith('.')).length} packages`;
});

// npm also weighs the peers of optional peers, so a range can keep packages apart that work together.
const others = ['agents', 'devtools'].map((name) => join(project, packed(`packages/${name}`).filename));
const tarballs = new Map([
  ['context-shaping', join(project, tarball.filename)],
  ...['agents', 'devtools'].map((name, at) => [`context-shaping-${name}`, others[at]]),
]);
const INSTALLATIONS = readdirSync('docs/guide').flatMap((page) =>
  Array.from(
    readFileSync(join('docs/guide', page), 'utf8').matchAll(
      /^npm install (context-shaping(?:-agents|-devtools)? .+)$/gm,
    ),
    ([, names]) => names,
  ),
);
for (const names of new Set(INSTALLATIONS))
  await check(`npm resolves it beside ${names}`, () => {
    const empty = mkdtempSync(join(tmpdir(), 'context-shaping-'));
    const named = names.split(' ').map((name) => tarballs.get(name) ?? name);
    const packages = [...new Set([join(project, tarball.filename), ...named])];
    try {
      run('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund', ...packages], empty);
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  });
// Each depends on exactly this version of the plugin, which is not in a registry.
run('npm', ['install', '--omit=peer', '--omit=optional', join(project, tarball.filename), ...others]);

for (const [what, names, body] of [
  ['', '{ createShaper }', use],
  ['/logprobs', '{ llamaServer, nodeLlamaCpp }', useLogprobs],
  ['/rerankers', '{ httpReranker, rerankJudge }', useRerankers],
  ['-agents', '{ createConversationShaper }', useConversation],
  ['-agents/ai-sdk', '{ shapingMiddleware }', useAiSdk],
  ['-devtools/lockfile', '{ formatLockfile, parseLockfile, recordContext, replayContext }', useLockfile],
]) {
  await check(`context-shaping${what} in ESM`, () => {
    const head = `import ${names} from 'context-shaping${what}'; import { readFileSync } from 'node:fs';`;
    writeFileSync(join(project, 'use.mjs'), head + body);
    run(process.execPath, ['use.mjs']);
  });
  await check(`context-shaping${what} in CommonJS`, () => {
    const head = `const ${names} = require('context-shaping${what}'); const { readFileSync } = require('node:fs');`;
    const wrapped = `(async () => {${body}})().catch((error) => { console.error(error); process.exit(1); });`;
    writeFileSync(join(project, 'use.cjs'), head + wrapped);
    run(process.execPath, ['use.cjs']);
  });
}
await check('TypeScript, strict, declarations checked', () => {
  writeFileSync(
    join(project, 'use.mts'),
    `import { createShaper, type ShapingReport, type Eviction } from 'context-shaping';
     import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
     import { type ModelFit } from 'context-shaping-devtools/evaluate';
import { llamaServer } from 'context-shaping/logprobs';
     const { report }: { report: ShapingReport } = await createShaper({ k: 3 }).shape({ query: 'q', chunks: [] });
     const reasons: Eviction['reason'][] = report.evicted.map((eviction) => eviction.reason);
     new ContextShapingPostprocessor({ k: 3 });
     const ecs = ({ options }: ModelFit) =>
       createShaper({ ecs: { model: llamaServer({ baseUrl: 'http://127.0.0.1:8080' }), ...options.ecs } });
     export { ecs, reasons };`,
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
for (const kind of ['ESM', 'CommonJS']) {
  await check(`the inspector's page, in ${kind}`, () => {
    const get =
      kind === 'ESM'
        ? `await import('context-shaping-devtools/inspector')`
        : `require('context-shaping-devtools/inspector')`;
    const body = `const { inspectorPage } = ${get}; process.stdout.write(inspectorPage([]));`;
    const file = kind === 'ESM' ? 'page-of.mjs' : 'page-of.cjs';
    writeFileSync(join(project, file), `(async () => {${body}})();`);
    const page = run(process.execPath, [file]);
    const gzip = gzipSync(page, { level: 9 }).length;
    if (!page.endsWith('</html>')) throw new Error(page.slice(-200));
    if (gzip > MAX_PAGE) throw new Error(`${kB(gzip)} gzip, more than ${kB(MAX_PAGE)}`);
    return `${kB(page.length)}, ${kB(gzip)} gzip (at most ${kB(MAX_PAGE)})`;
  });
}
await check('command line', () => {
  const body = JSON.stringify({ query: 'cat', chunks: [{ id: 'a', text: 'The cat.' }] });
  writeFileSync(join(project, 'body.json'), body);
  const { chunks } = JSON.parse(
    run(join(project, 'node_modules/.bin/context-shaping'), ['shape', 'body.json', '--format', 'json']),
  );
  if (chunks[0].id !== 'a') throw new Error('wrong answer');
});
await check('the demo without any framework, in an empty folder', () => {
  const empty = mkdtempSync(join(tmpdir(), 'context-shaping-demo-'));
  const page = run(join(project, 'node_modules/.bin/context-shaping'), ['demo'], empty);
  rmSync(empty, { recursive: true });
  const [line] = /^60 chunks, [\d,]+ tokens {2}→ {2}\d+ chunks, [\d,]+ of 1,500 tokens$/m.exec(page) ?? [];
  if (line === undefined || !page.includes('! Conflicts in the context: ')) throw new Error(page);
  return line;
});
await check('a command of another package names it', () => {
  const { status, stderr } = spawnSync(join(project, 'node_modules/.bin/context-shaping'), ['serve'], {
    cwd: project,
    encoding: 'utf8',
  });
  if (status !== 2 || !stderr.includes('Run npx context-shaping-server serve'))
    throw new Error(`${status}: ${stderr}`);
});
for (const kind of ['ESM', 'CommonJS']) {
  await check(`one core for all that is imported, in ${kind}`, () => {
    const get = (name) => (kind === 'ESM' ? `await import('${name}')` : `require('${name}')`);
    const body = `const { ContextShapingError } = ${get('context-shaping')};
      const { llamaServer } = ${get('context-shaping/logprobs')};
      try { llamaServer({ baseUrl: 1 }); } catch (error) { if (error instanceof ContextShapingError) process.exit(); }
      process.exit(1);`;
    const file = kind === 'ESM' ? 'one.mjs' : 'one.cjs';
    writeFileSync(join(project, file), `(async () => {${body}})();`);
    run(process.execPath, [file]);
  });
}
await check('import in Node', () => {
  const times = { nothing: [], package: [] };
  for (let round = 0; round < 10; round++) {
    for (const [what, code] of [
      ['nothing', ''],
      ['package', `import 'context-shaping'`],
    ]) {
      const start = performance.now();
      run(process.execPath, ['--input-type=module', '--eval', code]);
      times[what].push(performance.now() - start);
    }
  }
  const loaded = loadedAtOnce(join(project, 'node_modules/context-shaping/dist/esm/index.js'));
  const packages = loaded.filter((each) => !each.startsWith('/'));
  if (packages.length > 0) throw new Error(`it loads ${packages.join(' ')}`);
  const over = Math.min(...times.package) - Math.min(...times.nothing);
  return `${loaded.length} files, ${over.toFixed(0)} ms over an empty script`;
});
await check('bundle for a browser', async () => {
  const { atOnce, later, gzip } = await bundled(
    `import { createShaper } from 'context-shaping'; globalThis.shaper = createShaper();`,
  );
  if (gzip > MAX_GZIP) throw new Error(`${atOnce}, more than ${kB(MAX_GZIP)}`);
  return `${atOnce} (at most ${kB(MAX_GZIP)}); ${later}`;
});
const singleFile = async (name, page) => {
  const [entry, outfile] = [join(project, `${name}.mjs`), join(project, 'single', `${name}.mjs`)];
  writeFileSync(entry, page);
  await build({
    ...{ entryPoints: [entry], outfile, bundle: true, minify: true, format: 'esm', platform: 'node' },
    logLevel: 'silent',
  });
  return { size: readFileSync(outfile).length, run: () => run(process.execPath, [outfile]) };
};
const tell = (from) => `
  import { createShaper } from '${from}';
  const tell = async (tokenizer) => {
    const { chunks } = await createShaper({ tokenizer }).shape({ query: 'cat', chunks: [{ id: 'a', text: 'The cat.' }] });
    return chunks[0].tokens;
  };
  const error = await tell('o200k_base').catch((error) => error);
  console.log(JSON.stringify([await tell('estimate'), error.kind ?? error]));`;
const platforms = readFileSync('docs/guide/platforms.md', 'utf8');
await check('one file with all of the core', async () => {
  const { size, run } = await singleFile('whole', tell('context-shaping'));
  if (run() !== '[3,"missing-dependency"]') throw new Error(run());
  if (size > MAX_SMALL) throw new Error(`${kB(size)}, more than ${kB(MAX_SMALL)}`);
  const told = `\`context-shaping\` has ${(size / 1e6).toFixed(2)} MB`;
  if (!platforms.includes(told)) throw new Error(`docs/guide/platforms.md does not say ${told}.`);
  return kB(size);
});

const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const atTestedVersion = (name) => `${name}@${devDependencies[name]}`;

// A page with a compressor, in a project that has no other peer than the one that the compressor is a class of.
run('npm', ['install', '--legacy-peer-deps', '--omit=optional', atTestedVersion('@langchain/core')]);
const tools = join(project, 'tools');
mkdirSync(tools);
writeFileSync(join(tools, 'package.json'), '{ "private": true }');
run('npm', ['install', ...BUNDLERS_TO_INSTALL], tools);
writeFileSync(
  join(project, 'page.mjs'),
  `import { ContextShapingCompressor } from 'context-shaping/langchain';
   const documents = ['The cat sat on the mat.', 'Dogs bark.'].map((pageContent) => ({ pageContent, metadata: {} }));
   export async function shape() {
     const query = 'Where did the cat sit?';
     const { documents: kept } = await new ContextShapingCompressor({ k: 1 }).shape(documents, query);
     return kept.map(({ pageContent }) => pageContent);
   }`,
);
writeFileSync(
  join(project, 'worker.mjs'),
  `import { shape } from './page.mjs';
   export { shape };
   export default { fetch: async () => Response.json(await shape()) };`,
);
for (const [name, bundle] of Object.entries(bundlers)) {
  await check(`./langchain without LangGraph, bundled by ${name}`, async () => {
    const file = await bundle({ project, tools, out: outputFolder(project, name) });
    const said = runWithoutNode(file);
    const expected = ['The cat sat on the mat.'];
    if (said.join() !== expected.join()) throw new Error(JSON.stringify(said));
  });
}
// The programs of the page about platforms. The one for Next.js is below.
const programOf = (file) =>
  platforms
    .split(/^```/m)
    .flatMap((block) => (block.includes(`[${file}]\n`) ? [block.slice(block.indexOf('\n'))] : []))[0];
const bridges = Array.from({ length: 60 }, (_, n) => ({
  id: String(n),
  text: `The bridge over river number ${n + 10} was opened in 19${n + 10}, after years of work.`,
}));
const bridgeQuestion = 'When was the bridge over river number 17 opened?';
const platform = (name, files) => {
  const folder = join(project, name);
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (const file of files) writeFileSync(join(folder, file), programOf(file));
  return { project: folder, tools, out: outputFolder(folder, name) };
};
await check('a module of Vite', async () => {
  const app = platform('vite', ['src/shape.ts']);
  writeFileSync(join(app.project, 'page.mjs'), `export { shape } from './src/shape.ts';`);
  const kept = runWithoutNode(await bundlers.vite(app), bridgeQuestion, bridges);
  if (!kept[0]?.text.includes('number 17 ')) throw new Error(JSON.stringify(kept));
});
await check('a Cloudflare Worker in workerd', async () => {
  const app = platform('worker', ['src/worker.ts', 'wrangler.json']);
  const answer = await askWorker(app, JSON.stringify({ query: bridgeQuestion, chunks: bridges }));
  if (!answer.includes('number 17 ')) throw new Error(answer);
});
run('npm', ['install', '--legacy-peer-deps', '--omit=optional', atTestedVersion('gpt-tokenizer')]);
await check('a compressor with exact counts in one file', async () => {
  const { size, run } = await singleFile(
    'compressor',
    `import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
    import { ContextShapingCompressor } from 'context-shaping/langchain';
    const compressor = new ContextShapingCompressor({ k: 1, tokenizer: (text) => countTokens(text) });
    const { documents, report } = await compressor.shape([{ pageContent: 'A cat.', metadata: {} }], 'cat');
    console.log(JSON.stringify([documents.length, report.tokens.output]));`,
  );
  if (run() !== '[1,3]') throw new Error(run());
  return kB(size);
});
// Users test their programs. Calls that run at once import the same modules at once.
const runners = join(project, 'runners');
mkdirSync(runners);
writeFileSync(join(runners, 'package.json'), '{ "private": true }');
run('npm', ['install', ...TEST_RUNNERS, atTestedVersion('gpt-tokenizer')], runners);
const testOf = (kind, globals = '') => {
  const get = (names, from) =>
    kind === 'ESM' ? `import ${names} from '${from}';` : `const ${names} = require('${from}');`;
  return `${globals}
    ${get('{ createShaper }', 'context-shaping')}
    ${get('{ ContextShapingCompressor }', 'context-shaping/langchain')}
    const texts = ['The cat sat on the mat. It costs $9.', 'The cat sat on the mat. It costs $12.', 'Dogs bark. They run.'];
    test('calls at once', async () => {
      const options = [{ k: 1 }, { tokenizer: 'o200k_base' }, { tokenizer: 'cl100k_base' }, { cluster: false }, { extract: false }];
      const chunks = texts.map((text, index) => ({ id: String(index), text }));
      const results = await Promise.all(options.map((option) =>
        createShaper({ budget: { maxTokens: 12 }, ...option }).shape({ query: 'Where is the cat?', chunks })));
      for (const { chunks, report } of results)
        if (chunks[0].id !== '0' || report.degradations.length > 0) throw new Error(JSON.stringify(report));
    });
    test('a compressor', async () => {
      const documents = texts.map((pageContent) => ({ pageContent, metadata: {} }));
      const embeddings = { embedQuery: async () => [1, 0], embedDocuments: async (all) => all.map((_, i) => [1, i]) };
      const compressor = new ContextShapingCompressor({ k: 1, embedder: embeddings });
      const all = await Promise.all([1, 2].map(() => compressor.compressDocuments(documents, 'Where is the cat?')));
      if (all.some((kept) => kept.length !== 1)) throw new Error(JSON.stringify(all));
    });`;
};
const jest = join(runners, 'node_modules/jest/bin/jest.js');
for (const [name, file, text, args] of [
  [
    'Jest in ESM mode',
    'jest.test.mjs',
    testOf('ESM'),
    ['--experimental-vm-modules', jest, '--testTimeout', '600000', '--testMatch', '**/jest.test.mjs'],
  ],
  [
    'Jest in CommonJS mode',
    'jest.test.cjs',
    testOf('CommonJS'),
    [jest, '--testTimeout', '600000', '--testMatch', '**/jest.test.cjs'],
  ],
  [
    'Vitest',
    'vitest.test.mjs',
    testOf('ESM', `import { test } from 'vitest';`),
    [join(runners, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout', '600000', 'vitest.test.mjs'],
  ],
]) {
  await check(`tests by ${name}`, () => {
    writeFileSync(join(runners, file), text);
    run(process.execPath, args, runners);
  });
}

/** A package of `packages/` in an empty project, and its size. Its dependency on this version is the tarball. */
const installedPackage = (name) => {
  const empty = join(project, name);
  mkdirSync(empty);
  writeFileSync(join(empty, 'package.json'), '{ "private": true }');
  const { filename, size } = packed(`packages/${name}`, empty);
  const tarballs = [join(project, tarball.filename), ...others, join(empty, filename)];
  run('npm', ['install', '--engine-strict', ...tarballs], empty);
  return { empty, size };
};
await check('context-shaping-server: one install, one command, ended by npx', async () => {
  const { empty, size } = installedPackage('server');
  const npx = spawn('npx', ['context-shaping-server', '--port', '0', '--workers', '1'], {
    cwd: empty,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(npx, 'exit');
  let said = '';
  let url;
  try {
    for await (const data of npx.stderr) {
      said += data;
      if (/Listening on http/.test(said)) break;
    }
    url = /http:\S+\d/.exec(said)?.[0];
    const warnings = said.split('\n').filter((line) => /warn(?! Unknown \w+ config)/i.test(line));
    if (url === undefined || warnings.length > 0) throw new Error(said);
    const body = JSON.stringify({ query: 'cat', chunks: [{ id: 'a', text: 'The cat.' }] });
    const headers = { 'content-type': 'application/json' };
    for (const route of ['/v1/shape', '/v1/optimize']) {
      const answer = await fetch(url + route, { method: 'POST', headers, body });
      const { chunks } = await answer.json();
      if (chunks?.[0].id !== 'a') throw new Error(`${route} answered ${answer.status}`);
    }
    const description = await fetch(`${url}/openapi.json`);
    if ((await description.json()).openapi === undefined)
      throw new Error(`It answered ${description.status}`);
  } finally {
    npx.kill('SIGTERM');
  }
  await ended;
  const deadline = Date.now() + 30_000;
  while (await fetch(`${url}/health`).catch(() => undefined)) {
    if (Date.now() > deadline) throw new Error('the service runs on without npx');
    await new Promise((done) => setTimeout(done, 100));
  }
  return `${size} bytes packed`;
});

for (const kind of ['ESM', 'CommonJS']) {
  await check(`createService in ${kind}`, () => {
    const file = kind === 'ESM' ? 'http.mjs' : 'http.cjs';
    const get =
      kind === 'ESM' ? `await import('context-shaping-server')` : `require('context-shaping-server')`;
    const body = `const { createService } = ${get};
      const service = await createService({ workers: 0, logger: false });
      const answer = await service.app.inject({ url: '/health' });
      if (answer.json().status !== 'ok') throw new Error(answer.body);
      await service.close();`;
    writeFileSync(
      join(project, 'server', file),
      `(async () => {${body}})().catch((e) => { console.error(e); process.exit(1); });`,
    );
    run(process.execPath, [file], join(project, 'server'));
  });
}
// A server with one tool, whose result is longer than the proxy lets pass.
const MCP_SERVER = `
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
const text = Array.from({ length: 60 }, (_, n) => 'The bridge over river number ' + n + ' was opened in 19' + n + '.').join('\\n\\n');
serveStdio(() => {
  const server = new McpServer({ name: 'bridges', version: '1' });
  server.registerTool('search', {}, () => ({ content: [{ type: 'text', text }] }));
  return server;
});
`;
/** The answers of an MCP server, and its output on standard error. */
async function askMcp(command, args, requests) {
  const server = spawn(command, ['--store', 'memory', ...args]);
  const ended = once(server, 'close');
  let said = '';
  server.stderr.on('data', (data) => {
    said += data;
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const results = [];
  for (const [id, request] of [{ method: 'initialize', params }, ...requests].entries()) {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
    const { value = said } = await lines.next();
    results.push(JSON.parse(value).result);
    if (id === 0)
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  }
  server.stdin.end();
  await ended;
  if (said !== '') throw new Error(said);
  return results.slice(1);
}
await check('context-shaping-mcp: one install, one command, before a server', async () => {
  const { empty, size } = installedPackage('mcp');
  const command = join(empty, 'node_modules/.bin/context-shaping-mcp');
  const list = { method: 'tools/list' };
  const names = ({ tools }) => tools.map(({ name }) => name).join();
  const [own] = await askMcp(command, ['--serve'], [list]);
  if (names(own) !== 'shape_context,explain,recall_passage') throw new Error(names(own));

  writeFileSync(join(empty, 'server.mjs'), MCP_SERVER);
  const call = { method: 'tools/call', params: { name: 'search', arguments: { query: 'river number 7' } } };
  const server = ['--max-tokens', '120', '--', process.execPath, join(empty, 'server.mjs')];
  const [listed, { content }] = await askMcp(command, server, [list, call]);
  const shown = content.map(({ text }) => text).join('\n');
  if (names(listed) !== 'search,recall_passage') throw new Error(names(listed));
  if (!/number 7 /.test(shown) || !/recall_passage [\w-]+/.test(shown) || shown.length > 1000)
    throw new Error(shown);
  return `${size} bytes packed`;
});

// The edge runtime has functions of Node that throw when they are called.
await check('Next.js: a route on Node and one on the edge runtime', async () => {
  const app = join(project, 'next');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--omit=peer', '--omit=optional', join(project, tarball.filename)], app);
  run('npm', ['install', '--omit=optional', ...NEXT], app);
  for (const runtime of ['nodejs', 'edge']) {
    mkdirSync(join(app, 'app', runtime), { recursive: true });
    // JavaScript, so that Next.js installs no compiler.
    const { code } = await transform(programOf('app/shape/route.ts'), { loader: 'ts' });
    writeFileSync(join(app, 'app', runtime, 'route.js'), `${code}export const runtime = '${runtime}';\n`);
  }
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
  const next = join(app, 'node_modules/next/dist/bin/next');
  execFileSync(process.execPath, [next, 'build'], { cwd: app, env, stdio: 'pipe' });
  const server = spawn(process.execPath, [next, 'start', '--port', '0'], { cwd: app, env });
  const ended = once(server, 'exit');
  try {
    let said = '';
    for await (const data of server.stdout) {
      said += data;
      if (/Ready/.test(said)) break;
    }
    const [url] = /http:\/\/localhost:\d+/.exec(said) ?? [];
    if (url === undefined) throw new Error(said);
    const bodies = [];
    for (const runtime of ['nodejs', 'edge']) {
      const body = JSON.stringify({ query: bridgeQuestion, chunks: bridges });
      const answer = await fetch(`${url}/${runtime}`, { method: 'POST', body });
      bodies.push(await answer.text());
      if (answer.status !== 200 || !bodies.at(-1).includes('number 17 ')) throw new Error(bodies.at(-1));
    }
    if (bodies[0] !== bodies[1]) throw new Error(bodies.join('\n'));
  } finally {
    server.kill('SIGTERM');
  }
  await ended;
});

// The frameworks at the versions that the tests run on.
const FRAMEWORKS = [
  '@langchain/core',
  '@langchain/langgraph',
  '@langchain/langgraph-checkpoint',
  'langchain',
];
run('npm', [...['install', '--legacy-peer-deps', '--omit=optional'], ...FRAMEWORKS.map(atTestedVersion)]);
const useGraph = `
const crag = createCragGraph({ shaper: { k: 2 }, webSearch: async () => [{ pageContent: 'The grey cat Tom sleeps in the kitchen of the old house.', metadata: {} }] });
const { context, verdict } = await crag.invoke({ query: 'Where in the old house does the grey cat Tom sleep?', documents: [{ pageContent: 'Dogs bark.', metadata: {} }] });
if (verdict !== 'correct' || context.length !== 1) throw new Error(verdict);
const compressor = new ContextShapingCompressor();
if ((await compressor.compressDocuments(context, 'Where in the old house does the grey cat Tom sleep?')).length !== 1) throw new Error('compressor');
if (contextShapingMiddleware({ maxTokens: 1000 }).name === undefined) throw new Error('middleware');
`;
const NAMES = [
  ['{ createCragGraph }', 'context-shaping/langgraph'],
  ['{ ContextShapingCompressor }', 'context-shaping/langchain'],
  ['{ contextShapingMiddleware }', 'context-shaping-agents/langchain'],
];
await check('LangChain and LangGraph in ESM', () => {
  const head = NAMES.map(([names, from]) => `import ${names} from '${from}';\n`).join('');
  writeFileSync(join(project, 'graph.mjs'), head + useGraph);
  run(process.execPath, ['graph.mjs']);
});
await check('LangChain and LangGraph in CommonJS', () => {
  const head = NAMES.map(([names, from]) => `const ${names} = require('${from}');\n`).join('');
  const wrapped = `(async () => {${useGraph}})().catch((error) => { console.error(error); process.exit(1); });`;
  writeFileSync(join(project, 'graph.cjs'), head + wrapped);
  run(process.execPath, ['graph.cjs']);
});
await check('LangChain and LangGraph in TypeScript, strict, all declarations checked', () => {
  writeFileSync(
    join(project, 'graph.mts'),
    `import type { DocumentInterface } from '@langchain/core/documents';
     import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
     import type { ShapingReport } from 'context-shaping';
     import { contextShapingMiddleware } from 'context-shaping-agents/langchain';
     import { ContextShapingCompressor, ShapedRetriever } from 'context-shaping/langchain';
     import { createCragGraph, type Grader, pendingReviews, resume, type Verdict } from 'context-shaping/langgraph';
     import { createAgent } from 'langchain';
     const State = Annotation.Root({
       query: Annotation<string>,
       documents: Annotation<DocumentInterface[]>,
       context: Annotation<DocumentInterface[]>,
       verdict: Annotation<Verdict>,
       report: Annotation<ShapingReport>,
     });
     const grader: Grader = { name: 'mine', grade: async (requests) => requests.map(() => ({ grade: 1 })) };
     const crag = createCragGraph({ grader, review: true });
     const inner = new StateGraph(State).addNode('crag', crag).addEdge(START, 'crag').addEdge('crag', END).compile();
     const checkpointer = new MemorySaver();
     const outer = new StateGraph(State)
       .addNode('inner', inner)
       .addEdge(START, 'inner')
       .addEdge('inner', END)
       .compile({ checkpointer });
     const { report }: { report: ShapingReport } = await outer.invoke({ query: 'q', documents: [] });
     for (const review of await pendingReviews(checkpointer)) await resume(outer, review, 'approve');
     const retriever = new ShapedRetriever({ retriever: { invoke: async () => [] }, compressor: { k: 3 } });
     new ContextShapingCompressor({ k: 3 });
     createAgent({ model: 'm', tools: [], middleware: [contextShapingMiddleware({ maxTokens: 1000 })] });
     export { report, retriever };`,
  );
  run(process.execPath, [
    resolve('node_modules/typescript/bin/tsc'),
    // LangChain's own declarations need the library of disposables.
    ...['--noEmit', '--strict', '--skipLibCheck', 'false', '--types', ''],
    ...['--lib', 'es2023,esnext.disposable,dom'],
    ...['--module', 'nodenext', 'graph.mts'],
  ]);
});
await check('publint', () => run(tool('publint'), ['--strict'], process.cwd()).split('\n').at(-1));
await check('are the types wrong, also where modules are resolved as Node 10 did', () => {
  // CommonJS gets an ES module by require, or a bundle with the declarations of the ES module.
  for (const file of tarballs.values())
    run(tool('attw'), [
      ...[file, '--format', 'ascii', '--no-emoji', '--exclude-entrypoints', 'cli', 'internal', 'tool-calls'],
      ...['--ignore-rules', 'cjs-resolves-to-esm', 'false-esm'],
    ]);
});

rmSync(project, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function kB(bytes) {
  return `${(bytes / 1024).toFixed(1)} kB`;
}

/** Paths of the files that Node loads for one, and names of packages, without imports on demand. */
function loadedAtOnce(file) {
  const found = new Set([file]);
  for (const each of found) {
    if (!each.startsWith('/')) continue;
    for (const [, to] of readFileSync(each, 'utf8').matchAll(
      /^(?:import|\} from|export .* from) ?(?:.* from )?["'](.+)["'];$/gm,
    ))
      found.add(to.startsWith('.') ? join(dirname(each), to) : to);
  }
  return [...found];
}

/** A page loads the entry and its static imports at once, and the rest on demand. */
async function bundled(page) {
  writeFileSync(join(project, 'page.mjs'), page);
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
  const isAtOnce = ({ path }) => atOnce.has(path);
  const sum = (key) => sizes.filter(isAtOnce).reduce((total, size) => total + size[key], 0);
  const others = sizes.filter((size) => !isAtOnce(size));
  return {
    gzip: sum('gzip'),
    atOnce: `${kB(sum('raw'))} minified, ${kB(sum('gzip'))} gzip`,
    later: `loaded only when asked for: ${others.map(({ path, gzip }) => `${path.split('/').pop()} ${kB(gzip)}`).join(', ')}`,
  };
}
