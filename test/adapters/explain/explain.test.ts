import { createShaper, type ShapingOptions, type ShapingReport } from 'context-shaping';
import { CAUSES, closestMiss, explain, formatExplanation } from 'context-shaping/explain';
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
        k: { current: 2, nearest: 3, kept: [3], evicted: [], unknown: [] },
        maxTokens: { current: null, nearest: null, kept: [], evicted: [], unknown: [] },
        pin: true,
        absence: [{ id: 'paint', index: 3 }],
      },
    });
    const [rival] = explanation.rivals;
    expect(rival).toMatchObject({ id: 'paint', features: [{ name: 'grams' }] });
    expect(rival?.by).toBeCloseTo((rival?.relevance as number) - (explanation.relevance as number), 12);
    expect(explanation.sentences).toEqual([
      '"ferry" (chunk 2) was evicted: outranked, others took the 2 places of k. It comes back with k: 3.',
      'It is in place 3 of 4 by relevance.',
      '"paint" is kept, and is more relevant.',
      'It is also kept with select.lambda: 0.5, if it is pinned or without "paint" in the input.',
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
      rivals: [{ id: 'opening', features: [] }],
    });
    expect(explanation.rank).toBeUndefined();
    expect(explanation.sentences).toContain('It was evicted before its relevance was measured.');
    // It never says of an evicted chunk that it is kept.
    expect(explanation.rivals[0]?.isKept).toBe(false);
    expect(explanation.sentences).toContain('"opening" stands in for it, and was evicted later.');
  });

  test('of two limits that bind together: both are named, and one change of both is tried', async () => {
    const options = { k: 1, budget: { maxTokens: 16 } };
    const explanation = await explain(await createShaper(options).shape(input), 'paint');
    expect(explanation.claims).toContainEqual({
      kind: 'limits',
      limits: ['k', 'budget.maxTokens'],
      isEnough: true,
    });
    expect(explanation.sentences).toContain(
      '2 limits bind together: k and budget.maxTokens. It is kept without all of them, and not without one alone.',
    );
    const { remedy } = explanation;
    expect(remedy).toMatchObject({ options: { k: 2, budget: {} } });
    const again = await createShaper(options)
      .with(remedy?.options ?? {})
      .shape(input);
    expect(again.report.kept.map(({ id }) => id)).toContain('paint');
    expect(formatExplanation(explanation, { brief: true, width: 200, flags: { k: '--k' } })).toContain(
      'It comes back with --k 2 and budget.maxTokens: ',
    );
  });

  test('the raise of the budget that is named keeps the chunk, and one token less evicts it', async () => {
    const shaper = createShaper({ budget: { maxTokens: 25 } });
    const result = await shaper.shape(input);
    const keptAt = async (maxTokens: number) =>
      (await shaper.with({ budget: { maxTokens } }).shape(input)).report.kept.map(({ index }) => index);
    let raised = 0;
    for (const { index } of result.report.evicted) {
      const { counterfactuals, remedy } = await explain(result, index);
      const nearest = counterfactuals?.maxTokens?.nearest;
      if (nearest == null) continue;
      raised++;
      expect(remedy?.options).toEqual({ budget: { maxTokens: nearest } });
      expect(nearest).toBeGreaterThan(25);
      expect(await keptAt(nearest)).toContain(index);
      expect(await keptAt(nearest - 1)).not.toContain(index);
    }
    expect(raised).toBeGreaterThan(1);
  });

  test('the number of runs grows with the logarithm of the text, not with its length', async () => {
    const text = Array.from({ length: 500 }, (_, at) => `Bridge ${at} opened in ${1000 + at}.`).join(' ');
    const result = await createShaper({ budget: { maxTokens: 900 } }).shape({
      query,
      chunks: [{ id: 'long', text }, ...chunks],
    });
    expect(result.report.tokens.input).toBeGreaterThan(3_000);
    const { counterfactuals } = await explain(result, 'long');
    for (const { kept, evicted, unknown } of [counterfactuals?.maxTokens, counterfactuals?.k].flatMap(
      (each) => each ?? [],
    ))
      expect(kept.length + evicted.length + unknown.length).toBeLessThanOrEqual(40);
  });

  describe('the closest miss', () => {
    const missOf = async (options: ShapingOptions) => {
      const result = await createShaper(options).shape(input);
      return { result, miss: await closestMiss(result) };
    };
    test('is the chunk that the smallest raise of the budget brings back, not the most relevant one', async () => {
      const shaper = createShaper({ budget: { maxTokens: 16 }, extract: false });
      const long = `The bridge opened for cars, trams and trains, and ${'for people on foot, '.repeat(20)}in May.`;
      const given = {
        query,
        ranked: false,
        chunks: [
          { id: 'opening', text: 'The bridge opened in 1932, after eight years of work.' },
          { id: 'long', text: long },
          { id: 'paint', text: 'The paint is grey.' },
        ],
      };
      const result = await shaper.shape(given);
      const miss = await closestMiss(result);
      expect(miss?.id).toBe('paint');
      expect((await explain(result, 'long')).rank?.place).toBeLessThan(3);
      const { maxTokens = 0 } = (miss?.options?.budget ?? {}) as { maxTokens?: number };
      const keptAt = async (budget: number) =>
        (await shaper.with({ budget: { maxTokens: budget } }).shape(given)).report.kept.map(({ id }) => id);
      expect(maxTokens).toBeGreaterThan(16);
      expect(await keptAt(maxTokens)).toContain('paint');
      for (let less = 16; less < maxTokens; less++) expect(await keptAt(less)).toEqual(['opening']);
    });

    test('compares raises of two limits by their share; of limits that bind together, names a change of both', async () => {
      expect((await missOf({ k: 2, budget: { maxTokens: 1000 } })).miss).toEqual({
        id: 'ferry',
        index: 2,
        options: { k: 3 },
      });
      const options: ShapingOptions = { k: 1, budget: { maxTokens: 16 } };
      const { miss } = await missOf(options);
      const { report } = await createShaper(options)
        .with(miss?.options as ShapingOptions)
        .shape(input);
      expect(miss?.id).toBe('paint');
      expect(report.kept.map(({ index }) => index)).toContain(miss?.index);
    });

    test('is absent if nothing was left out for lack of room, and has no change for a stored report', async () => {
      expect((await missOf({})).miss).toBeUndefined();
      const { result, miss } = await missOf({ k: 2 });
      expect(miss?.options).toEqual({ k: 3 });
      const again = await closestMiss(stored(result.report) as never);
      expect(again).toEqual({ id: 'ferry', index: 2 });
    });
  });

  test('of a kept chunk: the values at which it stays', async () => {
    const result = await createShaper({ k: 1 }).shape({
      query,
      ranked: false,
      chunks: [{ id: 'dull', text: 'The bridge.' }, ...chunks],
    });
    const [kept] = result.report.kept;
    const explanation = await explain(result, kept?.id as string);
    expect(explanation).toMatchObject({
      outcome: 'kept',
      cause: 'ranked',
      rivals: [],
      entry: { id: 'opening' },
    });
    expect(explanation.counterfactuals).not.toHaveProperty('pin');
    expect(explanation.counterfactuals?.k).toEqual({
      ...{ option: 'k', current: 1, nearest: null },
      ...{ kept: [2, 3, 5, 6], evicted: [], unknown: [] },
    });
  });

  test('of a cut chunk: with which budget it is whole', async () => {
    const text = 'The bridge opened in 1932. Cats sleep. Dogs bark. Birds sing. Fish swim. Cows graze.';
    const result = await createShaper({ budget: { maxTokens: 14 } }).shape({
      query,
      chunks: [{ id: 'long', text }],
    });
    const explanation = await explain(result, 'long');
    const { whole } = explanation.counterfactuals ?? {};
    expect(explanation).toMatchObject({ outcome: 'cut', cause: 'cut' });
    expect(whole).toBe(result.report.tokens.input);
    expect(explanation.sentences).toContain(
      `It is whole with budget.maxTokens: ${whole}, and not with one token less.`,
    );
  });

  test('of a chunk that found no room: how far it is from the last one that was kept', async () => {
    const pool = [chunks[0], chunks[2], { id: 'dull', text: 'Paint is grey.' }, chunks[4]];
    const because = async (relevance: false | undefined) => {
      const told = createShaper({ budget: { maxTokens: 25 }, relevance });
      const given = pool.filter((each) => each !== undefined);
      return (await explain(await told.shape({ query, ranked: false, chunks: given }), 'ferry')).sentences;
    };
    expect((await because(undefined))[0]).toContain(
      'best sentence more relevant than the last kept, "cats", but it did not fit',
    );
    const unmeasured = await because(false);
    expect(unmeasured[0]).toContain('over-budget, no room left in the budget.');
    expect(unmeasured.join(' ')).not.toContain('was measured');
    const crowded = await createShaper({ budget: { maxTokens: 20 } }).shape(input);
    expect((await explain(crowded, 'cats')).sentences[0]).toContain('relevant than the last kept');
  });

  test('options of stages that are off are not varied', async () => {
    const result = await createShaper({ select: false, cluster: false }).shape(input);
    const { counterfactuals } = await explain(result, 'repeated');
    expect((await explain(result, 'cats')).cause).toBe('fits');
    expect(Object.keys(counterfactuals ?? {})).toEqual(['maxTokens', 'pin', 'absence', 'absenceUnknown']);
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
      expect(told.sentences.join(' ')).toContain('the input is needed');
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
    ['fery', 'Did you mean "ferry"?'],
    ['no such chunk', 'Chunks have ids such as "opening".'],
    [9, 'Give a number from 0 to 4.'],
    [1.5, 'Give a number from 0 to 4.'],
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
    await expect(explain(result, 'a')).rejects.toThrow('id is no chunk, because the input has none');
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
      const { counterfactuals } = await explain(result, index);
      expect(counterfactuals?.maxTokens?.unknown).toEqual([]);
    }
    expect(embedder.calls.length).toBeLessThanOrEqual(2 * length);
  });

  test('where a service would have to be asked, the outcome is unknown', async () => {
    const model = fakeLogprobModel();
    const result = await createShaper({
      k: 2,
      cluster: { maxDistance: 0.9 },
      ecs: { model, trust: 'always', maxCandidates: 2 },
    }).shape({ ...input, query: { text: query, answer: 'in 1932' } });
    await explain(result, 'cats');
    const { length } = model.calls;
    const { counterfactuals, sentences } = await explain(result, 'cats');
    expect(model.calls).toHaveLength(length);
    expect(counterfactuals?.absenceUnknown).toBeGreaterThan(0);
    expect(sentences.some((each) => each.includes('a service would have to be asked'))).toBe(true);
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
    expect(text).toContain('\\u001b[31m\\u202e\\u009b2J');
  });

  test('verbosely: with figures, and what each value that was run does', async () => {
    const explanation = await explain(await shaper.shape(input), 'ferry');
    const text = formatExplanation(explanation, { verbose: true, width: 200 });
    expect(text).toMatch(/^ {2}It is in place 3 of 4 by relevance, 0\.178\.$/m);
    expect(text).toMatch(/^ {2}"paint" is kept, and is 0\.034 more relevant, mostly by grams \(/m);
    expect(text).toMatch(/^ {2}k \(now 2\), of the values that were run: kept at 3; evicted at none\.$/m);
    expect(formatExplanation(explanation, { width: 200 })).not.toMatch(/0\.178|0\.034|that were run/);
  });
});

test('every cause has a meaning and a remedy for the documentation', () => {
  for (const { meaning, remedy } of Object.values(CAUSES)) {
    expect(meaning).toMatch(/^[A-Z`].*\.$/);
    expect(remedy).toMatch(/^–$|^[a-z].*[^.]$/);
  }
});
