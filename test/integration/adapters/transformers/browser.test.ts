/** The three kinds of models in Chromium, with WebAssembly, against the same models in Node. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { causalModel, crossEncoder, sentenceEncoder } from 'context-shaping/transformers';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Item, items, requestOf } from '../../../adapters/logprobs/items.js';
import { folderOfFile, isInstalled, mustBeInstalled } from '../../../adapters/transformers/engine.js';
import type { Outputs } from '../../../adapters/transformers/in-page.js';
import {
  writeCausalModel,
  writeCrossEncoder,
  writeSentenceEncoder,
} from '../../../adapters/transformers/tiny-models.js';
import { CHROMIUM, launchChromium } from '../../../chromium.js';
import { mustHaveAll } from '../../../must-have-all.js';

mustBeInstalled();

const folder = folderOfFile();
const served: Record<string, string | Uint8Array> = {
  '/': '<!doctype html><script type="module" src="/page.js"></script>',
};
const TYPES: [RegExp, string][] = [
  [/\.m?js$/, 'text/javascript'],
  [/\.wasm$/, 'application/wasm'],
  [/\/$/, 'text/html'],
];

const server = createServer(({ url = '/' }, response) => {
  const file = url.startsWith('/models/') ? join(folder, url.slice('/models/'.length)) : undefined;
  const body = file === undefined ? served[url] : existsSync(file) ? readFileSync(file) : undefined;
  const type = TYPES.find(([ending]) => ending.test(url))?.[1] ?? 'application/octet-stream';
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': type });
  response.end(body);
});

beforeAll(async () => {
  if (!isInstalled) return;
  writeCrossEncoder(join(folder, 'cross-encoder'));
  writeSentenceEncoder(join(folder, 'encoder'));
  writeCausalModel(join(folder, 'causal'));
  // The package's own dependency, wherever it was installed.
  const own = createRequire(createRequire(import.meta.url).resolve('@huggingface/transformers'));
  const wasm = dirname(own.resolve('onnxruntime-web'));
  for (const ending of ['mjs', 'wasm']) {
    const name = `ort-wasm-simd-threaded.asyncify.${ending}`;
    served[`/wasm/${name}`] = readFileSync(join(wasm, name));
  }
  const { outputFiles } = await build({
    stdin: {
      contents: `import * as transformers from '@huggingface/transformers';
        import { run } from './test/adapters/transformers/in-page.js';
        globalThis.run = (...args) => run(transformers, ...args);`,
      resolveDir: '.',
    },
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['context-shaping-source'],
  });
  served['/page.js'] = outputFiles[0]?.text ?? '';
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

test.skipIf(!isInstalled || (!existsSync(CHROMIUM) && !mustHaveAll))(
  'models give the same in Chromium as in Node',
  async () => {
    const { prompt: query } = requestOf(items[0] as Item);
    const texts = [' the bridge was opened in 1932', ' cats sleep', ' Zürich 🙂'];
    const browser = await launchChromium();
    let outputs: Outputs;
    try {
      const page = await browser.newPage();
      page.on('console', (message) => console.log(message.text()));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await page.waitForFunction('globalThis.run !== undefined');
      outputs = await page.evaluate(
        ([query, texts]) =>
          (globalThis as never as { run(...args: unknown[]): Promise<Outputs> }).run(query, texts),
        [query, texts] as const,
      );
    } finally {
      await browser.close();
    }
    await using reranker = await crossEncoder({ model: join(folder, 'cross-encoder') });
    await using encoder = await sentenceEncoder({ model: join(folder, 'encoder') });
    await using model = await causalModel({ model: join(folder, 'causal') });
    const near = (value: unknown) => expect.closeTo(value as number, 3);
    const scored = await model.score(texts.map((continuation) => ({ prompt: query, continuation })));
    const generated = await model.generate([{ prompt: query, maxTokens: 4 }]);
    expect(outputs).toEqual({
      scores: (await reranker.rerank(query, texts)).scores.map(near),
      vectors: (await encoder.embed(texts, {})).map((vector) => Array.from(vector, near)),
      logprobs: scored.results.map((each) => near('logprob' in each && each.logprob)),
      text: generated.results.map((each) => 'text' in each && each.text),
      names: [
        'transformers.js:/models/cross-encoder@main:fp32',
        'transformers.js:/models/causal@main:fp32',
        expect.stringContaining('transformers.js:/models/encoder@main:fp32:'),
      ],
    });
  },
);
