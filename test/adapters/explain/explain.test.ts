import { createShaper, type ShapingReport } from 'context-shaping';
import { CAUSES, explain, formatExplanation } from 'context-shaping/explain';
import { fakeEmbedder, fakeLogprobModel } from 'context-shaping/testing';
import { describe, expect, test } from 'vitest';
import { deepFreeze } from '../../support.js';

const query = 'When did the bridge open?';
const chunks = [
  { id: 'opening', text: 'The bridge opened in 1932, after eight years of work.' },
  { id: 'repeated', text: 'the bridge opened in 1932 after eight years of work' },
  { id: 'ferry', text: 'A ferry crossed the harbour before the bridge was there.' },
  { id: 'paint', text: 'The bridge is painted grey.' },
  { id: 'cats', text: 'Cats sleep sixteen hours a day.' },
];
const input = { query, ranked: false, chunks };
const shaper = createShaper({ k: 2 });
const stored = (report: ShapingReport) => JSON.parse(JSON.stringify(report)) as ShapingReport;

describe('the sentences', () => {
  test('of a chunk beyond k: place, rivals with their features, and what would keep it', async () => {
    const explanation = await explain(await shaper.shape(input), 'ferry');
    expect(explanation).toMatchObject({
      id: 'ferry',
      index: 2,
      outcome: 'evicted',
      stage: 'select',
      reason: 'outranked',
      rank: { place: 3, of: 4 },
      cause: 'outranked',
      remedy: { options: { k: 3 } },
      counterfactuals: {
        k: { option: 'k', current: 2, nearest: 3 },
        maxTokens: { current: null, nearest: null },
        pin: true,
      },
    });
    const [rival] = explanation.rivals;
    expect(rival).toMatchObject({ id: 'paint', isStandIn: false, isKept: true });
    expect(rival?.by).toBeCloseTo((rival?.relevance as number) - (explanation.relevance as number), 12);
    expect(explanation.sentences).toEqual([
      '"ferry" (chunk 2) was evicted: outranked, others took the 2 places of k. It comes back with k: 3.',
      'It is in place 3 of 4 by relevance.',
      '"paint" is kept, and is more relevant.',
      'It is also kept if it is pinned.',
    ]);
  });

  test('of a copy: the chunk that stands in for it, even if that was evicted later', async () => {
    const result = await createShaper({ k: 1 }).shape({
      query: 'grey paint',
      ranked: false,
      chunks,
    });
    const explanation = await explain(result, 'repeated');
    expect(explanation).toMatchObject({
      cause: 'exact-duplicate',
      // It never says of an evicted chunk that it is kept.
      rivals: [{ id: 'opening', isStandIn: true, isKept: false }],
    });
    expect(explanation.rank).toBeUndefined();
    expect(explanation.sentences).toContain('"opening" stands in for it, and was evicted later.');
  });

  test('of a kept chunk: why it stays, and a smaller budget that evicts it', async () => {
    const explanation = await explain(
      await createShaper({ budget: { maxTokens: 25 } }).shape(input),
      'opening',
    );
    expect(explanation).toMatchObject({
      outcome: 'kept',
      cause: 'ranked',
      rivals: [],
      entry: { id: 'opening' },
    });
    expect(explanation.counterfactuals).not.toHaveProperty('pin');
    expect(explanation.sentences.at(-1)).toMatch(/^It is evicted with budget\.maxTokens: \d+\.$/);
  });

  test('options of stages that are off are not varied', async () => {
    const result = await createShaper({ select: false, cluster: false }).shape(input);
    const { counterfactuals } = await explain(result, 'repeated');
    expect((await explain(result, 'cats')).cause).toBe('fits');
    expect(Object.keys(counterfactuals ?? {})).toEqual(['maxTokens', 'pin']);
  });

  test('it is plain JSON, and equal for equal input', async () => {
    const explanation = await explain(await shaper.shape(deepFreeze(input)), 'ferry');
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
    expect(await explain(shaper.session(input), 2)).toEqual(explanation);
  });
});

describe('a report without its input', () => {
  test('gives everything but what would need runs', async () => {
    const result = await shaper.shape(input);
    const whole = await explain(result, 'ferry');
    for (const of of [result.report, stored(result.report), structuredClone(result)]) {
      const { counterfactuals, remedy, ...told } = await explain(of, 'ferry');
      expect(counterfactuals).toBeUndefined();
      expect(remedy).toBeUndefined();
      expect(told).toMatchObject({ cause: 'outranked', rank: whole.rank, eviction: whole.eviction });
      expect(formatExplanation(await explain(of, 'ferry'))).toContain('the input is needed');
    }
  });
});

describe('errors', () => {
  test('a stored report of another version has conflicts of another form', async () => {
    const { report } = await shaper.shape(input);
    await expect(explain({ ...report, version: 1 } as never, 'ferry')).rejects.toMatchObject({
      kind: 'invalid-input',
      field: 'report.version',
    });
  });

  test.each([
    ['no such chunk', 'Chunks have ids such as "opening".'],
    [9, 'Give a number from 0 to 4.'],
  ])('the chunk %j is not there', async (id, remedy) => {
    const result = await shaper.shape(input);
    await expect(explain(result, id)).rejects.toMatchObject({
      kind: 'invalid-input',
      field: 'id',
      value: id,
      remedy,
    });
  });

  test('an input without chunks has none to explain', async () => {
    const result = await shaper.shape({ query, chunks: [] });
    await expect(explain(result, 'a')).rejects.toThrow('id is not a chunk, because the input has none');
  });

  test.each([[null], [undefined], ['text'], [{}], [{ kept: [] }]])('%j is nothing to explain', async (of) => {
    await expect(explain(of as never, 'a')).rejects.toMatchObject({ kind: 'invalid-input', field: 'of' });
  });

  test('a formatted explanation is an explanation', () => {
    expect(() => formatExplanation({} as never)).toThrow('explanation is no explanation');
  });
});

describe('runs', () => {
  test('an abort ends them, the next call goes on, and two at once are those of one after the other', async () => {
    const result = await shaper.shape(input);
    const controller = new AbortController();
    const first = explain(result, 'ferry', { signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    await expect(explain(result, 'ferry', { signal: controller.signal })).rejects.toBe(reason);
    const session = shaper.session(input);
    expect(await Promise.all([explain(result, 'ferry'), explain(result, 'cats')])).toEqual([
      await explain(session, 'ferry'),
      await explain(session, 'cats'),
    ]);
  });

  test('all explanations of a result share them, so a service is asked as often as by shaping', async () => {
    const embedder = fakeEmbedder();
    const result = await createShaper({ k: 2, embedder }).shape(input);
    const { length } = embedder.calls;
    for (const { index } of result.report.evicted) {
      await explain(result, index);
    }
    expect(embedder.calls.length).toBeLessThanOrEqual(2 * length);
  });

  test('a change that would ask a service again counts as none', async () => {
    const model = fakeLogprobModel();
    const result = await createShaper({
      k: 2,
      cluster: { maxDistance: 0.9 },
      ecs: { model, trust: 'always', maxCandidates: 2 },
    }).shape({ ...input, query: { text: query, answer: 'in 1932' } });
    await explain(result, 'cats');
    const { length } = model.calls;
    const { counterfactuals } = await explain(result, 'cats');
    expect(model.calls).toHaveLength(length);
    expect(counterfactuals).not.toHaveProperty('pin');
  });
});

describe('as text', () => {
  test('no line is wider than asked for, and nothing is cut', async () => {
    const explanation = await explain(await shaper.shape(input), 'ferry');
    for (const width of [40, 80, 200]) {
      const text = formatExplanation(explanation, { width });
      expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(width);
      for (const word of explanation.sentences.join(' ').split(' ')) expect(text).toContain(word);
    }
  });

  test('ids cannot control a terminal', async () => {
    const evil = '\u001b[31m\u202e\u009b2J';
    const result = await createShaper({ k: 1 }).shape({
      query,
      chunks: [chunks[0], { id: evil, text: 'Cats sleep.' }] as typeof chunks,
    });
    const text = formatExplanation(await explain(result, evil));
    for (const character of ['\u001b', '\u009b', '\u202e']) expect(text).not.toContain(character);
    expect(text).toContain('\\u001b[31m\\u{202E} 2J');
  });
});

test('every cause has a meaning and a remedy for the documentation', () => {
  for (const { meaning, remedy } of Object.values(CAUSES)) {
    expect(meaning).toMatch(/^[A-Z`].*\.$/);
    expect(remedy).toMatch(/^–$|^[a-z].*[^.]$/);
  }
});
