/** The port `telemetry`: what the core promises to an implementation, and to a caller whose implementation fails. */
import { createShaper, type Telemetry, type TracedOutcome } from 'context-shaping';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { chunks, question } from './pool.js';
import { timeless } from './support.js';

const input = { query: question, chunks };
const tight = { k: 5, budget: { maxTokens: 150 } };

type TelemetrySpan = NonNullable<ReturnType<Telemetry['begin']>>;
const working: TelemetrySpan = { within: (run) => run(), stage: () => {}, end: () => {} };
const telemetry = (part: Partial<TelemetrySpan> = {}): Telemetry => ({
  begin: () => ({ ...working, ...part }),
});
const fail = (): never => {
  throw new Error('out of order');
};

afterEach(() => vi.restoreAllMocks());

test('changes nothing but its own name in the report', async () => {
  const plain = await createShaper(tight).shape(input);
  const traced = await createShaper({ ...tight, telemetry: telemetry() }).shape(input);
  expect(traced.chunks).toEqual(plain.chunks);
  expect(traced.report.options).toEqual({ ...plain.report.options, telemetry: 'custom' });
  const { options: _, digest: __, ...rest } = traced.report;
  expect(timeless(rest as never)).toEqual(
    timeless({ ...plain.report, options: undefined, digest: undefined } as never),
  );
});

test('gets each stage, then the report and the chunks of the result, once', async () => {
  const told: unknown[] = [];
  const outcomes: TracedOutcome[] = [];
  const shaper = createShaper({
    ...tight,
    onReport: () => void told.push('onReport'),
    telemetry: telemetry({
      stage: ({ name }) => void told.push(name),
      end: (outcome) => {
        told.push('end');
        outcomes.push(outcome);
      },
    }),
  });
  const { chunks, report } = await shaper.shape(input);
  expect(told).toEqual([...shaper.stages, 'onReport', 'end']);
  expect(outcomes).toEqual([{ report, chunks, given: input.chunks }]);
});

test('is kept as it is: neither copied nor frozen, and derived shapers have it', async () => {
  class Counting implements Telemetry {
    readonly provider = 'mine';
    begun = 0;
    begin() {
      this.begun += 1;
      return working;
    }
  }
  const counting = new Counting();
  const shaper = createShaper({ ...tight, telemetry: counting });
  await shaper.with({ k: 2 }).shape(input);
  const { report } = await shaper.shape(input);
  expect(counting.begun).toBe(2);
  expect(report.options.telemetry).toBe('mine');
  await shaper.with({ telemetry: null }).shape(input);
  expect(counting.begun).toBe(2);
});

test('is not called by a session', async () => {
  const begin = vi.fn(() => working);
  const session = createShaper({ ...tight, telemetry: { begin } }).session(input);
  await session.at({ k: 3 });
  expect(begin).not.toHaveBeenCalled();
});

test('an error of the call ends the span and is thrown as it is; an interrupt is none', async () => {
  const outcomes: TracedOutcome[] = [];
  const telemetries = telemetry({ end: (outcome) => void outcomes.push(outcome) });
  const interrupt = Object.assign(new Error('wait'), { is_bubble_up: true });
  for (const thrown of [new Error('broken'), interrupt]) {
    const onReport = () => {
      throw thrown;
    };
    const stages = (defaults: readonly { specificationVersion: 'v1'; name: string }[]) => [
      ...defaults,
      { specificationVersion: 'v1' as const, name: 'mine', run: onReport },
    ];
    const failed = await createShaper({ telemetry: telemetries, stages })
      .shape(input)
      .catch((error) => error);
    expect(outcomes.at(-1)).toEqual(thrown === interrupt ? { interrupted: true } : { error: failed });
    expect([failed, failed.cause]).toContain(thrown);
  }
});

describe('one that fails', () => {
  const plain = createShaper(tight).shape(input);
  const parts: [string, Telemetry, string][] = [
    ['begin', { begin: fail }, 'out of order'],
    ['begin, which returns nothing', { begin: () => undefined as never }, 'begin returned no span'],
    ['within, before the work', telemetry({ within: fail }), 'out of order'],
    [
      'within, after the work',
      telemetry({
        within(run) {
          run();
          return fail();
        },
      }),
      'out of order',
    ],
    ['stage', telemetry({ stage: fail }), 'out of order'],
    ['end', telemetry({ end: fail }), 'out of order'],
  ];
  test.each(parts)('%s: the result is the same, and the report says so once', async (_, broken, message) => {
    const options = { ...tight, telemetry: broken, errorMessages: true };
    const { chunks, report } = await createShaper(options).shape(input);
    expect(chunks).toEqual((await plain).chunks);
    const failures = report.degradations.filter(({ code }) => code === 'observer-failed');
    expect(failures).toHaveLength(1);
    expect(failures[0]?.message).toContain(message);
  });

  test('one that runs the work twice, or not at all, runs it once', async () => {
    const embed = vi.fn(async (texts: readonly string[]) => texts.map((_, at) => [1, at]));
    const twice = telemetry({
      within(run) {
        run();
        return run();
      },
    });
    for (const each of [twice, telemetry({ within: () => undefined as never })]) {
      embed.mockClear();
      await createShaper({ ...tight, telemetry: each, embedder: { embed } }).shape(input);
      expect(embed).toHaveBeenCalledTimes(1);
    }
  });

  test('a promise of it that rejects does not end the process', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    try {
      const rejecting = telemetry({
        end: async () => fail(),
        stage: async () => fail(),
        within: (run) => (run() as Promise<never>).finally(fail) as never,
      });
      await createShaper({ ...tight, telemetry: rejecting }).shape(input);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
  });

  test('an interrupt and the reason of an abort pass through', async () => {
    const interrupt = Object.assign(new Error('wait'), { is_bubble_up: true });
    const raising = telemetry({
      stage: () => {
        throw interrupt;
      },
    });
    await expect(createShaper({ telemetry: raising }).shape(input)).rejects.toBe(interrupt);
    const controller = new AbortController();
    const aborting = telemetry({
      stage: () => {
        controller.abort();
        fail();
      },
    });
    const { signal } = controller;
    const failed = await createShaper({ telemetry: aborting })
      .shape({ ...input, signal })
      .catch((error) => error);
    expect(failed).toBe(signal.reason);
  });
});

test('anything else is no telemetry', () => {
  expect(() => createShaper({ telemetry: {} as never })).toThrow(
    /telemetry must be a telemetry \(openTelemetry/,
  );
});
