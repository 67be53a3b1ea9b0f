/** A cross-encoder in Chromium, with WebAssembly, against the same model in Node. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { crossEncoder } from 'context-shaping/rerankers';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  folderOfFile,
  isInstalled,
  mustBeInstalled,
} from '../../../adapters/rerankers/cross-encoder/engine.js';
import { writeCrossEncoder } from '../../../adapters/rerankers/cross-encoder/tiny-models.js';
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
  // The package's own dependency, wherever it was installed.
  const own = createRequire(createRequire(import.meta.url).resolve('@huggingface/transformers'));
  const wasm = dirname(own.resolve('onnxruntime-web'));
  for (const ending of ['mjs', 'wasm']) {
    const name = `ort-wasm-simd-threaded.asyncify.${ending}`;
    served[`/wasm/${name}`] = readFileSync(join(wasm, name));
  }
  const { outputFiles } = await build({
    stdin: {
      contents: `import { run } from './test/adapters/rerankers/cross-encoder/in-page.js';
        globalThis.run = run;`,
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
  'a model gives the same in Chromium as in Node',
  async () => {
    const query = 'When was the bridge opened?';
    const texts = [' the bridge was opened in 1932', ' cats sleep', ' Zürich 🙂'];
    const browser = await launchChromium();
    let scores: unknown;
    try {
      const page = await browser.newPage();
      page.on('console', (message) => console.log(message.text()));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await page.waitForFunction('globalThis.run !== undefined');
      scores = await page.evaluate(
        ([query, texts]) =>
          (globalThis as never as { run(...args: unknown[]): Promise<unknown> }).run(query, texts),
        [query, texts] as const,
      );
    } finally {
      await browser.close();
    }
    const { AutoTokenizer, AutoModelForSequenceClassification, Tensor } = await import(
      '@huggingface/transformers'
    );
    const files = join(folder, 'cross-encoder');
    const reranker = crossEncoder({
      name: 'tiny',
      tokenizer: await AutoTokenizer.from_pretrained(files),
      model: await AutoModelForSequenceClassification.from_pretrained(files, { dtype: 'fp32' }),
      Tensor,
    });
    const own = await reranker.rerank(query, texts);
    expect(scores).toEqual(own.scores.map((score) => expect.closeTo(score as number, 3)));
  },
);
