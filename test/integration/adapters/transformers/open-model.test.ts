import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { causalModel, crossEncoder, type LoadProgress, sentenceEncoder } from 'context-shaping/transformers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Engine, LoadOptions } from '../../../../adapters/transformers/engine.js';
import { folderOfFile, isInstalled, mustBeInstalled } from '../../../adapters/transformers/engine.js';
import {
  writeCrossEncoder,
  writeModel,
  writeSentenceEncoder,
} from '../../../adapters/transformers/tiny-models.js';

mustBeInstalled();

const loadEngine = async () => (await import('@huggingface/transformers' as string)) as Engine;

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
    await using other = await crossEncoder({ model: both, dtype: 'q8' });
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
      'a model that is not on the disk',
      () => ({ model: 'owner/nothing', localFilesOnly: true, cacheDir: folder }),
      { kind: 'invalid-input', field: 'owner/nothing', problem: 'is not on the disk' },
    ],
    [
      'a folder without a model',
      () => ({ model: copied('no model', { 'onnx/model.onnx': undefined }) }),
      { kind: 'invalid-input', problem: 'lacks a file, or does not exist' },
    ],
    [
      'a folder without a tokenizer',
      () => ({ model: copied('no tokenizer', { 'tokenizer_config.json': undefined }) }),
      { kind: 'invalid-input', problem: 'lacks a file, or does not exist' },
    ],
    [
      'a number format that the folder does not have',
      () => ({ model, dtype: 'fp16' }),
      { kind: 'invalid-input', problem: 'lacks a file, or does not exist' },
    ],
    [
      'a device that does not exist',
      () => ({ model, device: 'abacus' }),
      { kind: 'invalid-options', field: 'device', problem: 'is not on this machine' },
    ],
    [
      'another architecture',
      () => ({
        model: copied('llama', { 'config.json': { ...json('config.json'), model_type: 'whisper' } }),
      }),
      {
        kind: 'invalid-input',
        problem: 'has an architecture that Transformers.js does not run for this task',
      },
    ],
    [
      'a file that is no model',
      () => ({ model: copied('text', { 'onnx/model.onnx': Buffer.from('text') }) }),
      { kind: 'service', field: '@huggingface/transformers', problem: 'cannot load the model' },
    ],
    [
      'more tokens than the model has',
      () => ({ model, maxLength: 65 }),
      { kind: 'invalid-options', field: 'maxLength', problem: 'is more than the 64 tokens of the model' },
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
    await expect(sentenceEncoder({ model })).rejects.toMatchObject({ value: 'logits' });
    await expect(causalModel({ model })).rejects.toMatchObject({ kind: 'invalid-input' });
  });

  test('progress is reported in bytes, file by file', async () => {
    const told: LoadProgress[] = [];
    await using _ = await crossEncoder({ model, onProgress: (progress) => told.push(progress) });
    const last = new Map(told.map((each) => [each.file, each]));
    for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
      const size = readFileSync(join(model, file)).length;
      expect(last.get(file)).toEqual({ file, loaded: size, total: size });
    }
  });

  test('a module that is given is the one that is used', async () => {
    const engine = await loadEngine();
    const asked: [string, LoadOptions][] = [];
    const watched = (name: 'AutoTokenizer' | 'AutoModelForSequenceClassification') =>
      Object.assign(() => {}, {
        async from_pretrained(id: string, options: LoadOptions) {
          asked.push([id, options]);
          return engine[name].from_pretrained(model, {} as LoadOptions);
        },
      });
    const transformers = {
      ...engine,
      AutoTokenizer: watched('AutoTokenizer'),
      AutoModelForSequenceClassification: watched('AutoModelForSequenceClassification'),
    };
    await using reranker = await crossEncoder({
      model: 'owner/model',
      revision: 'abc',
      dtype: 'q4',
      device: 'cpu',
      threads: 1,
      cacheDir: 'cache',
      transformers,
    });
    const common = { revision: 'abc', local_files_only: false, cache_dir: 'cache' };
    expect(asked).toEqual([
      ['owner/model', common],
      ['owner/model', { ...common, dtype: 'q4', device: 'cpu', session_options: { intraOpNumThreads: 1 } }],
    ]);
    expect(reranker.modelId).toBe('owner/model');
    expect(await reranker.identify()).toBe('transformers.js:owner/model@abc:fp32');
  });

  test('without downloads a model of the hub comes from the cache, and keeps its name', async () => {
    const cacheDir = join(folder, 'cache');
    cpSync(model, join(cacheDir, 'owner/model'), { recursive: true });
    cpSync(model, join(cacheDir, 'owner/model/abc'), { recursive: true });
    const options = { model: 'owner/model', localFilesOnly: true, cacheDir };
    await using main = await crossEncoder(options);
    expect(await main.identify()).toBe('transformers.js:owner/model@main:fp32');
    await using other = await crossEncoder({ ...options, revision: 'abc' });
    expect(await other.identify()).toBe('transformers.js:owner/model@abc:fp32');
    await expect(crossEncoder({ ...options, revision: 'def' })).rejects.toMatchObject({
      problem: 'is not on the disk',
    });
  });
});

test.each([
  [crossEncoder, {}, 'model', 'must be a string'],
  [crossEncoder, { model: 'a/b', batchSize: 0 }, 'batchSize', 'must be at least 1'],
  [
    crossEncoder,
    { model: 'a/b', transformers: {} },
    'transformers',
    'must be the module @huggingface/transformers',
  ],
  [crossEncoder, { model: 'a/b', dtype: 'fp33' }, 'dtype', 'is not one of the known values'],
  [sentenceEncoder, { model: 'a/b', pooling: 'max' }, 'pooling', 'is not one of the known values'],
  [sentenceEncoder, { model: 'a/b', normalise: true }, 'normalise', 'is not an option'],
  [causalModel, { model: 'a/b', chatTemplate: 'yes' }, 'chatTemplate', 'must be a boolean'],
  [causalModel, { model: 'a/b', maxLength: 0 }, 'maxLength', 'must be at least 8'],
])('options are checked: %o %j', async (make, options, field, problem) => {
  await expect((make as typeof causalModel)(options as never)).rejects.toMatchObject({
    kind: 'invalid-options',
    field,
    problem: expect.stringContaining(problem),
  });
});

test('without the package it says what to install', async () => {
  const hooks = `export async function resolve(specifier, context, next) {
    if (specifier !== '@huggingface/transformers') return next(specifier, context);
    throw Object.assign(new Error("Cannot find package '@huggingface/transformers'"), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
  const script = `import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
    const { crossEncoder } = await import(${JSON.stringify(resolve('adapters/transformers/index.ts'))});
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
