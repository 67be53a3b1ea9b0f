/**
 * Every function that a user gives: whether it throws, rejects or answers late, no promise of it is left to reject alone.
 * The list comes from the schema of the core's options, and from the exported interfaces of the adapters.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createShaper, type ShapingOptions } from 'context-shaping';
import { ContextShapingCompressor } from 'context-shaping/langchain';
import { fakeJudge, fakeLogprobModel } from 'context-shaping/testing';
import { createConversationShaper } from 'context-shaping-agents';
import { aiSdkShaping, shapingMiddleware } from 'context-shaping-agents/ai-sdk';
import { evaluate } from 'context-shaping-devtools/evaluate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bridgeCase } from '../../packages/devtools/test/evaluate/cases.js';
import { optionsSchema } from '../../src/input/options.js';
import { documents, QUESTION } from './ports.js';

const rejections: unknown[] = [];
const note = (error: unknown) => void rejections.push(error);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

/** A function in place of each: it never works. */
type Broken = (...given: unknown[]) => never;
const FAULTS: Readonly<Record<string, Broken>> = {
  throws: () => {
    throw new Error('broken');
  },
  rejects: (() => Promise.reject(new Error('broken'))) as Broken,
  'rejects late': (() => pause(20).then(() => Promise.reject(new Error('broken')))) as Broken,
};
const INTERRUPT = Object.assign(new Error('wait'), { is_bubble_up: true });

type Use = (broken: Broken) => Promise<unknown> | unknown;
const chunks = documents().map(({ pageContent: text, id }) => ({ id: id as string, text }));
const shape = (options: object) =>
  createShaper({ k: 3, ...options } as ShapingOptions).shape({ query: QUESTION, chunks });
const trusted = { trust: 'always' } as const;

/** Functions and services of the core, by their paths in the options. */
const CORE: Readonly<Record<string, Use>> = {
  tokenizer: (broken) => shape({ tokenizer: broken }),
  pin: (broken) => shape({ pin: broken }),
  embedder: (broken) => shape({ embedder: { embed: broken } }),
  'ecs.model': (broken) => shape({ ecs: { ...trusted, model: { ...fakeLogprobModel(), score: broken } } }),
  'ecs.judge': (broken) =>
    shape({ ecs: { ...trusted, withoutAnswer: 'judge', judge: { ...fakeJudge(), judge: broken } } }),
  'ecs.prompt': (broken) => shape({ ecs: { ...trusted, model: fakeLogprobModel(), prompt: broken } }),
  stages: (broken) => shape({ stages: broken }),
  onReport: (broken) => shape({ onReport: broken }),
  onEvict: (broken) => shape({ onEvict: broken }),
  onStage: (broken) => shape({ onStage: broken }),
  telemetry: (broken) => shape({ telemetry: { begin: broken } }),
};

/** Functions of the adapters, by interface and name. A sentence: where else they are tested, or why nothing calls them here. */
const ADAPTERS: Readonly<Record<string, Use | string>> = {
  'EvaluateOptions.onProgress': (broken) => evaluate({ cases: [bridgeCase(1)], onProgress: broken }),
  'EvaluateOptions.cases': (broken) => evaluate({ cases: broken, total: 1 } as never),
  'DocumentOptions.getEmbedding': (broken) =>
    new ContextShapingCompressor({ k: 3, getEmbedding: broken }).shape(documents(), QUESTION),
  'DocumentOptions.render': (broken) =>
    new ContextShapingCompressor({ k: 3, render: broken }).shape(documents(), QUESTION),
  'ConversationShapingOptions.onRequest': (broken) =>
    createConversationShaper({ maxTokens: 100, onRequest: broken }).shapeRequest({
      thread: '',
      messages: [],
    }),
  'AiSdkShapingOptions.thread': (broken) =>
    shapingMiddleware(aiSdkShaping({ maxToolTokens: 20, thread: broken })).transformParams({
      params: { prompt: [] },
    }),
};

/** Paths of functions and services in a schema. */
function functionsIn(schema: unknown, path = ''): string[] {
  const { def } = (schema as { _zod: { def: Record<string, unknown> } })._zod;
  if (def.type === 'custom') return [path];
  if (def.type === 'object')
    return Object.entries(def.shape as object).flatMap(([name, each]) =>
      functionsIn(each, path === '' ? name : `${path}.${name}`),
    );
  const inner = [def.innerType, def.element, ...((def.options as unknown[] | undefined) ?? [])];
  return inner.filter((each) => each !== undefined).flatMap((each) => functionsIn(each, path));
}

/** `Interface.name` of the optional functions in exported interfaces whose names are those of options. */
function functionsOfInterfaces(): string[] {
  const found = new Set<string>();
  for (const folder of ['adapters', 'packages/mcp/src', 'packages/server/src'])
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const source = readFileSync(`${folder}/${name}`, 'utf8');
      for (const [, of, body = ''] of source.matchAll(
        /^export interface (\w+(?:Options|Fields|Like))\b[^{]*\{\n(.*?)^\}/gms,
      ))
        for (const [, member] of body.matchAll(/^ {2}(?:readonly )?(\w+)\?:[^;]*=>/gm))
          found.add(`${of}.${member}`);
    }
  return [...found];
}

/** Called in a host, a server, a thread or a process of their own: the tests of those have them. */
const ELSEWHERE = new Set([
  'CalibrateOptions.onProgress',
  'CalibrateSentencesOptions.onProgress',
  'MastraShapingOptions.thread',
  'OpenAiAgentsShapingOptions.thread',
  'McpProxyOptions.onCall',
  'McpProxyOptions.onError',
  'BatchOptions.onProgress',
  'GraderContractOptions.thrower',
  'GraderContractOptions.waiter',
]);

test('each function of the options has a case', () => {
  expect([...new Set(functionsIn(optionsSchema()))].sort()).toEqual(Object.keys(CORE).sort());
  expect(functionsOfInterfaces().filter((name) => !(name in ADAPTERS) && !ELSEWHERE.has(name))).toEqual([]);
});

describe.each(Object.entries({ ...CORE, ...ADAPTERS }))('%s', (_, use) => {
  test.each(Object.keys(FAULTS))('%s: nothing is left to reject alone', async (fault) => {
    if (typeof use === 'string') return;
    rejections.length = 0;
    await Promise.resolve()
      .then(() => use(FAULTS[fault] as Broken))
      .catch((error) => expect(error).toBeInstanceOf(Error));
    await pause(40);
    expect(rejections.map(String)).toEqual([]);
  });
});

test('the report names a telemetry whose span is a promise, and nothing else changes', async () => {
  const { report, chunks: kept } = await shape({ telemetry: { begin: FAULTS.rejects } });
  expect(report.degradations.map(({ code }) => code)).toContain('observer-failed');
  expect(kept).toEqual((await shape({})).chunks);
});

test.each(['onStage', 'onEvict', 'onReport'])('an interrupt passes through %s', async (name) => {
  await expect(shape({ [name]: () => Promise.reject(INTERRUPT) })).rejects.toBe(INTERRUPT);
});
