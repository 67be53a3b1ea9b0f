import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { crossEncoder, type TransformersModule } from 'context-shaping/rerankers';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  folderOfFile,
  isInstalled,
  mustBeInstalled,
} from '../../../adapters/rerankers/cross-encoder/engine.js';
import {
  writeCrossEncoder,
  writeModel,
  writeSentenceEncoder,
} from '../../../adapters/rerankers/cross-encoder/tiny-models.js';

mustBeInstalled();

const loadEngine = async () => (await import('@huggingface/transformers' as string)) as TransformersModule;

describe.skipIf(!isInstalled)('opening a model', () => {
  const folder = folderOfFile();
  const model = join(folder, 'cross-encoder');
  beforeAll(() => {
    writeCrossEncoder(model);
  });

  /** A copy of the model with files changed; `undefined` takes a file away. */
  function copied(name: string, files: Record<string, unknown> = {}): string {
    const copy = join(folder, name);
    cpSync(model, copy, { recursive: true });
    for (const [file, content] of Object.entries(files)) {
      if (content === undefined) rmSync(join(copy, file));
      else writeModel(copy, { [file]: content });
    }
    return copy;
  }
  const json = (file: string): Record<string, unknown> => JSON.parse(readFileSync(join(model, file), 'utf8'));

  test('a folder is found from where the program runs, and named by a digest of its files', async () => {
    await using one = await crossEncoder({ model });
    await using other = await crossEncoder({ model: relative('.', copied('copy')) });
    expect(one.modelId).toBe('cross-encoder');
    expect(one.provider).toBe('transformers.js');
    const name = await one.identify();
    expect(name).toMatch(/^transformers\.js:sha256:[0-9a-f]{64}$/);
    expect(await other.identify()).toBe(name);
  });

  test.each(['config.json', 'tokenizer.json', 'tokenizer_config.json'])(
    'another %s is another model',
    async (file) => {
      await using one = await crossEncoder({ model });
      await using other = await crossEncoder({
        model: copied(`other ${file}`, { [file]: { ...json(file), x: 1 } }),
      });
      expect(await other.identify()).not.toBe(await one.identify());
    },
  );

  test('the file of another number format is another model', async () => {
    const both = copied('both');
    cpSync(join(both, 'onnx/model.onnx'), join(both, 'onnx/model_quantized.onnx'));
    await using one = await crossEncoder({ model: both });
    const name = await one.identify();
    await using other = await crossEncoder({ model: both, loading: { dtype: 'q8' } });
    expect(await other.identify()).not.toBe(name);
    await using same = await crossEncoder({ model });
    expect(await same.identify()).toBe(name);
  });

  test('a file that is away for a while can be named when it is back', async () => {
    const own = copied('away');
    await using reranker = await crossEncoder({ model: own });
    const file = join(own, 'tokenizer.json');
    mkdirSync(join(folder, 'elsewhere'));
    renameSync(join(own, 'onnx'), join(folder, 'elsewhere/onnx'));
    await expect(reranker.identify()).rejects.toMatchObject({
      kind: 'service',
      field: own,
      problem: 'cannot be read to identify the model',
    });
    renameSync(join(folder, 'elsewhere/onnx'), join(own, 'onnx'));
    expect(await reranker.identify()).toMatch(/sha256/);
    expect(file).toContain(own);
  });

  test.each<[what: string, options: () => object, expected: object]>([
    [
      'a folder that is not there',
      () => ({ model: './nowhere' }),
      { kind: 'invalid-input', field: './nowhere', problem: 'is neither a folder nor the id of a model' },
    ],
    [
      'a folder without a model',
      () => ({ model: copied('no model', { 'onnx/model.onnx': undefined }) }),
      { kind: 'invalid-input', problem: 'cannot be loaded' },
    ],
    [
      'a folder without a tokenizer',
      () => ({ model: copied('no tokenizer', { 'tokenizer_config.json': undefined }) }),
      { kind: 'invalid-input', problem: 'cannot be loaded' },
    ],
    [
      'a number format that the folder does not have',
      () => ({ model, loading: { dtype: 'fp16' } }),
      { kind: 'invalid-input', problem: 'cannot be loaded' },
    ],
    [
      'a device that does not exist',
      () => ({ model, loading: { device: 'abacus' } }),
      { kind: 'invalid-input', problem: 'cannot be loaded', value: expect.stringContaining('abacus') },
    ],
    [
      'another architecture',
      () => ({
        model: copied('llama', { 'config.json': { ...json('config.json'), model_type: 'whisper' } }),
      }),
      { kind: 'invalid-input', problem: 'cannot be loaded', value: expect.stringContaining('whisper') },
    ],
    [
      'a file that is no model',
      () => ({ model: copied('text', { 'onnx/model.onnx': Buffer.from('text') }) }),
      { kind: 'invalid-input', problem: 'cannot be loaded' },
    ],
  ])('refuses %s', async (_, options, expected) => {
    await expect(crossEncoder(options() as never)).rejects.toMatchObject(expected);
  });

  test('refuses a model that was exported for another task', async () => {
    const encoder = join(folder, 'encoder');
    writeSentenceEncoder(encoder);
    await expect(crossEncoder({ model: encoder })).rejects.toMatchObject({
      kind: 'invalid-input',
      field: encoder,
      value: 'last_hidden_state',
      problem: 'has no output logits',
    });
  });

  test('a module that is given is the one that is used', async () => {
    const engine = await loadEngine();
    const asked: [string, object][] = [];
    const watched = (name: 'AutoTokenizer' | 'AutoModelForSequenceClassification') =>
      Object.assign(() => {}, {
        async from_pretrained(id: string, options: object) {
          asked.push([id, options]);
          return (engine[name] as { from_pretrained(model: string): unknown }).from_pretrained(model);
        },
      });
    const transformers = {
      ...engine,
      AutoTokenizer: watched('AutoTokenizer'),
      AutoModelForSequenceClassification: watched('AutoModelForSequenceClassification'),
    };
    const loading = {
      revision: 'abc',
      dtype: 'q4',
      device: 'cpu',
      session_options: { intraOpNumThreads: 1 },
    };
    await using reranker = await crossEncoder({ model: 'owner/model', loading, transformers });
    expect(asked).toEqual([
      ['owner/model', loading],
      ['owner/model', loading],
    ]);
    expect(reranker.modelId).toBe('owner/model');
    expect(await reranker.identify()).toBe('transformers.js:owner/model@abc:fp32');
  });
});

test.each([
  [{}, 'model', 'must be a string'],
  [{ model: 'a/b', batchSize: 0 }, 'batchSize', 'must be at least 1'],
  [{ model: 'a/b', maxLength: 0 }, 'maxLength', 'must be at least 8'],
  [{ model: 'a/b', dtype: 'fp16' }, 'dtype', 'is not an option'],
  [{ model: 'a/b', transformers: {} }, 'transformers', 'must be the module @huggingface/transformers'],
])('options are checked: %j', async (options, field, problem) => {
  await expect(crossEncoder(options as never)).rejects.toMatchObject({
    kind: 'invalid-options',
    field,
    problem: expect.stringContaining(problem),
  });
});

test('no bundle of the entry has Transformers.js', async () => {
  const { metafile } = await build({
    entryPoints: ['adapters/rerankers/index.ts'],
    write: false,
    bundle: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    external: ['#*'],
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect([...Object.keys(metafile.inputs), ...imported].join()).not.toContain('huggingface');
});

test('without the package it says what to install', async () => {
  const hooks = `export async function resolve(specifier, context, next) {
    if (specifier !== '@huggingface/transformers') return next(specifier, context);
    throw Object.assign(new Error("Cannot find package '@huggingface/transformers'"), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
  const script = `import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
    const { crossEncoder } = await import(${JSON.stringify(resolve('adapters/rerankers/index.ts'))});
    await crossEncoder({ model: 'owner/model' }).catch(({ kind, field, value, remedy }) =>
      console.log(JSON.stringify({ kind, field, value, remedy })));`;
  const args = [
    '--conditions=context-shaping-source',
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    script,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual({
    kind: 'missing-dependency',
    field: 'crossEncoder',
    value: '@huggingface/transformers',
    remedy: 'Run: npm install @huggingface/transformers',
  });
});
