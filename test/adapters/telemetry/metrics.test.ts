/** Metrics, as the real SDK collects them. */
import { metrics as api } from '@opentelemetry/api';
import { createShaper } from 'context-shaping';
import { openTelemetry } from 'context-shaping/telemetry';
import { expect, test } from 'vitest';
import { chunks, question as query } from '../../pool.js';
import { sdk } from './sdk.js';

type Metric = Awaited<ReturnType<ReturnType<typeof sdk>['metrics']>>[number];
const named = (all: readonly Metric[], name: string) =>
  all.find(({ descriptor }) => descriptor.name === name);
const pointsOf = (all: readonly Metric[], name: string) =>
  named(all, name)?.dataPoints.map(({ attributes, value }) => ({ attributes, value })) ?? [];

test('count tokens, degradations and seconds, with the units of UCUM', async () => {
  const kit = sdk();
  const embedder = { embed: () => Promise.reject(new Error('no network')) };
  const shaper = createShaper({ k: 4, budget: { maxTokens: 120 }, embedder, telemetry: kit.telemetry });
  const { report } = await shaper.shape({ query, chunks });
  await shaper.shape({ query: 5 as never, chunks }).catch(() => {});
  const all = await kit.metrics();
  expect(all.map(({ descriptor: { name, unit } }) => [name, unit])).toEqual([
    ['context_shaping.operation.duration', 's'],
    ['context_shaping.token.usage', '{token}'],
    ['context_shaping.degradations', '{degradation}'],
  ]);
  const sums = (name: string) => pointsOf(all, name).map(({ value }) => (value as { sum: number }).sum);
  expect(sums('context_shaping.token.usage')).toEqual([report.tokens.input, report.tokens.output]);
  expect(pointsOf(all, 'context_shaping.token.usage').map(({ attributes }) => attributes)).toEqual([
    { 'context_shaping.token.type': 'input' },
    { 'context_shaping.token.type': 'output' },
  ]);
  expect(pointsOf(all, 'context_shaping.degradations')).toEqual([
    {
      attributes: {
        'context_shaping.degradation.code': 'embedder-failed',
        'context_shaping.stage.name': 'embed',
      },
      value: 1,
    },
  ]);
  expect(
    pointsOf(all, 'context_shaping.operation.duration').map(({ attributes, value }) => [
      attributes,
      (value as { count: number }).count,
    ]),
  ).toEqual([
    [{}, 1],
    [{ 'error.type': 'invalid-input' }, 1],
  ]);
});

test('go to a provider that is set after the telemetry was made', async () => {
  const telemetry = openTelemetry();
  const kit = sdk();
  api.setGlobalMeterProvider(kit.meters);
  try {
    await createShaper({ telemetry }).shape({ query, chunks });
    expect(named(await kit.metrics(), 'context_shaping.token.usage')).toBeDefined();
  } finally {
    api.disable();
  }
});

test('without a provider, nothing is recorded and nothing fails', async () => {
  const { report } = await createShaper({ telemetry: openTelemetry() }).shape({ query, chunks });
  expect(report.degradations).toEqual([]);
});

test('wrong options are named', () => {
  expect(() => openTelemetry({ tracer: {} as never })).toThrow(/tracer must be a tracer of OpenTelemetry/);
  expect(() => openTelemetry({ text: true } as never)).toThrow(/Did you mean texts\?/);
});
