/** The promises of each stage, on cases small enough to check by hand. */
import { type Chunk, createShaper, type Embedder, type ShapingOptions } from 'context-shaping';
import { fakeEmbedder } from 'context-shaping/testing';
import { describe, expect, test, vi } from 'vitest';
import { LINKAGES } from '../../src/input/options.js';
import { toCandidates } from '../../src/input/to-candidates.js';
import { Pacer } from '../../src/runtime/pacer.js';
import { order } from '../../src/stages/order.js';
import { chunk, ids, weightsOf } from '../support.js';

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
const shape = (
  options: ShapingOptions,
  chunks: Chunk[],
  query: Parameters<ReturnType<typeof createShaper>['shape']>[0]['query'] = 'xyzzy',
) => createShaper({ tokenizer: words, ranked: false, ...options }).shape({ query, chunks });

describe('annotate', () => {
  test('entropy of eight distinct, equally frequent symbols is three bits', async () => {
    const { report } = await shape({}, [chunk('a', 'abcdefgh')]);
    expect(report.kept[0]?.entropy).toEqual({ character: 3, token: 0, blend: 0.4 * (3 / 6) });
  });

  test('the blend is 60 % tokens, 40 % characters', async () => {
    const { report } = await shape({}, [chunk('a', 'ab cd ef gh')]);
    const { character, token, blend } = report.kept[0]!.entropy as {
      character: number;
      token: number;
      blend: number;
    };
    expect(token).toBe(2);
    expect(blend).toBeCloseTo(0.6 * (2 / 8) + 0.4 * (character / 6), 12);
  });

  test('minEntropy evicts what says little, with the evidence', async () => {
    const { report } = await shape({ annotate: { minEntropy: 0.3 } }, [
      chunk('full', 'Interest is paid weekly, at least $25, and held for 14 days after the sale.'),
      chunk('empty', 'ok ok ok ok'),
    ]);
    expect(ids(report.kept)).toEqual(['full']);
    expect(report.evicted[0]).toMatchObject({
      id: 'empty',
      stage: 'annotate',
      reason: 'low-entropy',
      minEntropy: 0.3,
    });
  });

  test('minEntropy spares a pinned chunk, and the best one when nothing would be left', async () => {
    const chunks = [chunk('a', 'ok ok'), chunk('b', 'a little more to say here'), chunk('c', 'hm')];
    const gated = await shape({ annotate: { minEntropy: 1 } }, chunks);
    expect(ids(gated.chunks)).toEqual(['b']);
    expect(gated.report.degradations.map(({ code }) => code)).toEqual(['entropy-gate-lifted']);
    expect((await shape({ annotate: { minEntropy: 1 }, allowEmpty: true }, chunks)).chunks).toEqual([]);
    expect(ids((await shape({ annotate: { minEntropy: 1 }, pin: ['c'] }, chunks)).chunks)).toEqual(['c']);
  });

  test('a floor of relevance acts without pressure, spares pinned chunks, and the best where nothing would be left', async () => {
    const pool = [chunk('a', 'the bridge opened'), chunk('b', 'rain fell'), chunk('c', 'dogs bark')];
    const floored = (options: ShapingOptions, given = pool) =>
      shape({ relevance: { floor: 0.5 }, ...options }, given, 'bridge opened');
    const { chunks, report } = await floored({});
    expect(ids(chunks)).toEqual(['a']);
    expect(report.evicted).toMatchObject([
      { id: 'b', stage: 'relevance', reason: 'below-floor', floor: 0.5, margin: expect.any(Number) },
      { id: 'c', reason: 'below-floor' },
    ]);
    expect(report.degradations).toEqual([]);
    expect(ids((await floored({ pin: ['c'] })).chunks).toSorted()).toEqual(['a', 'c']);
    // By its place in the input it is the last: nothing is as relevant as can be.
    const none = await floored({ relevance: { floor: 1 }, ranked: true }, pool.toReversed());
    expect(ids(none.chunks)).toEqual(['a']);
    expect(none.report.degradations).toMatchObject([{ stage: 'relevance', code: 'floor-lifted' }]);
    const empty = await floored(
      { relevance: { floor: 1 }, allowEmpty: true, ranked: true },
      pool.toReversed(),
    );
    expect(empty.chunks).toEqual([]);
  });

  test('whole chunks fill a budget, with far less relevant ones, too, unless a floor is set', async () => {
    const pool = [
      chunk('a', 'the bridge opened'),
      chunk('b', 'the bridge opened again and again for boats of all kinds'),
      chunk('c', 'rain fell'),
    ];
    const shaped = async (relevance: ShapingOptions['relevance']) => {
      const { report } = await shape(
        { extract: false, budget: { maxTokens: 8 }, relevance },
        pool,
        'bridge opened',
      );
      return [ids(report.kept), report.evicted.map(({ id, reason }) => [id, reason])];
    };
    expect(await shaped({})).toEqual([['a', 'c'], [['b', 'over-budget']]]);
    const floored = await shaped({ floor: 0.2 });
    expect(floored[0]).toEqual(['a']);
    expect(floored[1]).toEqual(
      expect.arrayContaining([
        ['b', 'over-budget'],
        ['c', 'below-floor'],
      ]),
    );
  });

  test('annotate: false still counts tokens', async () => {
    const { report } = await shape({ annotate: false }, [chunk('a', 'one two three')]);
    expect(report.kept[0]).toMatchObject({ tokens: 3 });
    expect(report.kept[0]?.entropy).toBeUndefined();
  });

  test('the counted text is the text that the model will see', async () => {
    const { chunks } = await shape({}, [
      chunk('a', 'two words', { rendered: 'title: five words\n\ntwo words' }),
    ]);
    expect(chunks[0]).toMatchObject({ text: 'two words', tokens: 5 });
  });
});

describe('exact-dedup', () => {
  const same = [
    ['case', 'The Cat Sat', 'the cat sat'],
    ['space', 'the cat sat', '  the\n\tcat   sat '],
    ['punctuation', 'The cat sat.', '"The cat" – sat!'],
    ['full-width forms', 'ＡＢＣ １２３', 'abc 123'],
    ['composed and decomposed', 'caf\u00e9', 'cafe\u0301'],
    ['ligature', 'the \ufb01rst', 'the first'],
    ['sharp s', 'STRASSE', 'straße'],
    ['final sigma', 'ΟΔΟΣ', 'οδος'],
    ['no-break space', 'a\u00a0b', 'a b'],
    ['Cyrillic case', 'МОСТ', 'мост'],
  ] as const;
  test.each(same)('%s makes no difference', async (_, one, other) => {
    const { report } = await shape({ semanticDedup: false }, [chunk('a', one), chunk('b', other)]);
    expect(report.evicted).toMatchObject([
      { id: 'b', reason: 'exact-duplicate', keptId: 'a', stage: 'exact-dedup' },
    ]);
  });

  const different = [
    ['C and C++', 'Written in C', 'Written in C++'],
    ['C and C#', 'Written in C', 'Written in C#'],
    ['comparison', 'if a < b', 'if a > b'],
    ['currency', 'costs $5', 'costs €5'],
    ['minus', 'It is 5 degrees', 'It is -5 degrees'],
    ['decimal point', 'pays 1.5 percent', 'pays 15 percent'],
    ['raised digit', '10² metres', '102 metres'],
    ['fraction', '1½ cups', '11/2 cups'],
    ['negated code', 'if (!ready)', 'if (ready)'],
    ['a sign of money', '-$5 million', '$5 million'],
    ['a grade', 'blood group AB-, then', 'blood group AB, then'],
    ['a comparison of code', 'state !== ready', 'state == ready'],
    ['a test of a shell', '[ ! -f x ]', '[ -f x ]'],
    ['an operator', 'area = width - height;', 'area = width * height;'],
    ['a flag', 'ls -la', 'ls la'],
    ['a span', '3-5', '3, 5'],
    ['a path', 'app.conf', 'app/conf'],
    ['an address', 'ann@example', 'ann example'],
    ['a smaller unit', 'at 5 Mb/s', 'at 5 MB/s'],
    ['punctuation alone', '***', '---'],
  ] as const;
  test.each(different)('%s does', async (_, one, other) => {
    const { report } = await shape({ semanticDedup: false }, [chunk('a', one), chunk('b', other)]);
    expect(report.evicted).toEqual([]);
  });

  test('the best copy stays, by score, then input order, and a pinned one before both', async () => {
    const copies = [
      chunk('a', 'one two'),
      chunk('b', 'One TWO', { score: 1 }),
      chunk('c', 'one, two', { score: 2 }),
      chunk('d', 'one two!', { score: 2 }),
    ];
    expect(ids((await shape({}, copies)).chunks)).toEqual(['c']);
    expect(ids((await shape({ pin: ['a'] }, copies)).chunks)).toEqual(['a']);
  });

  test('the copy that stays inherits the sources of the others', async () => {
    const { chunks } = await shape({}, [
      chunk('a', 'one two', { metadata: { source: 'one.md', position: 1 } }),
      chunk('b', 'One TWO', {
        metadata: { source: 'two.md', loc: { lines: { from: 7 } }, title: 'Two' },
        score: 1,
      }),
    ]);
    expect(chunks[0]?.sources).toEqual([
      { id: 'b', source: 'two.md', title: 'Two', position: 7 },
      { id: 'a', source: 'one.md', position: 1 },
    ]);
  });

  test('copies in different namespaces both stay', async () => {
    const chunks = [
      chunk('a', 'x y', { metadata: { tenant: 1 } }),
      chunk('b', 'x y', { metadata: { tenant: 2 } }),
    ];
    expect((await shape({ namespace: 'tenant' }, chunks)).chunks).toHaveLength(2);
    expect((await shape({}, chunks)).chunks).toHaveLength(1);
  });

  test('namespaces differ by value and type, and must be plain', async () => {
    const pair = (one: unknown, other: unknown) => [
      chunk('a', 'x y', { metadata: { tenant: one } }),
      chunk('b', 'x y', { metadata: { tenant: other } }),
    ];
    const kept = async (one: unknown, other: unknown) =>
      (await shape({ namespace: 'tenant' }, pair(one, other))).chunks.length;
    expect(await kept(1n, 2n)).toBe(2);
    expect(await kept(1, '1')).toBe(2);
    expect(await kept(new Date(1), new Date(1))).toBe(1);
    expect(await kept(null, undefined)).toBe(1);
    await expect(kept({ id: 1 }, { id: 2 })).rejects.toThrow('chunks[0].metadata.tenant must be a string');
  });

  test('one namespace does not crowd out another', async () => {
    const namesake = (tenant: number) => ({ metadata: { tenant, source: 'readme.md' } });
    const pool = [
      chunk('a', 'rain in Spain', namesake(1)),
      chunk('b', 'rain in Spain', namesake(2)),
      chunk('c', 'sun', namesake(1)),
    ];
    const { chunks } = await shape(
      { namespace: 'tenant', k: 2, budget: { perSource: 3 }, select: { lambda: 0.1 } },
      pool,
      'rain',
    );
    expect(ids(chunks).toSorted()).toEqual(['a', 'b']);
  });

  test('one chunk retrieved twice under one id is one duplicate, told apart by its place', async () => {
    const { report } = await shape({}, [chunk('a', 'x y'), chunk('a', 'x y')]);
    expect(report.evicted).toMatchObject([{ id: 'a', index: 1, keptId: 'a' }]);
  });
});

describe('embed', () => {
  const texts = [chunk('a', 'alpha beta'), chunk('b', 'gamma delta'), chunk('c', 'alpha beta')];

  test('one batch, the query included, each distinct text once', async () => {
    const embedder = fakeEmbedder();
    await shape({ embedder, exactDedup: false }, texts, 'gamma delta');
    await shape({ embedder, exactDedup: false }, texts, 'what is alpha?');
    expect(embedder.calls).toEqual([
      ['alpha beta', 'gamma delta'],
      ['alpha beta', 'gamma delta', 'what is alpha?'],
    ]);
  });

  test('the embedder learns which text is the query', async () => {
    let told: number | undefined;
    const embedder: Embedder = {
      async embed(all, { queryIndex }) {
        told = queryIndex;
        return all.map(() => [1, 0]);
      },
    };
    await shape({ embedder }, texts, 'q');
    expect(told).toBe(2);
    await shape({ embedder }, texts, '');
    expect(told).toBeUndefined();
  });

  test('vectors that are all there are used as they are; only the query is asked for', async () => {
    const embedder = fakeEmbedder({ dimensions: 2 });
    const { report } = await shape(
      { embedder },
      [chunk('a', 'one', { embedding: [1, 0] }), chunk('b', 'two', { embedding: [0, 1] })],
      'q',
    );
    expect(embedder.calls).toEqual([['q']]);
    expect(report.degradations).toEqual([]);
  });

  test('with its own vector the query is not asked for either', async () => {
    const embedder = fakeEmbedder();
    const { report } = await shape(
      { embedder },
      [chunk('a', 'one', { embedding: [1, 0] }), chunk('b', 'two', { embedding: [0, 1] })],
      {
        text: 'q',
        embedding: [1, 0],
      },
    );
    expect(embedder.calls).toEqual([]);
    expect(report.kept.map(({ id, relevance }) => [id, relevance])).toMatchObject([
      ['a', expect.any(Number)],
      ['b', expect.any(Number)],
    ]);
  });

  test('some vectors and no embedder: words alone, and the report says so', async () => {
    const { report } = await shape({}, [chunk('a', 'one', { embedding: [1, 0] }), chunk('b', 'two')], 'one');
    expect(report.degradations).toMatchObject([{ stage: 'embed', code: 'embeddings-incomplete' }]);
    expect(report.kept[0]?.features).toHaveProperty('grams');
    expect(report.kept[0]?.features).not.toHaveProperty('cosine');
  });

  test('a zero vector is legal: it is like nothing', async () => {
    const { report } = await shape({}, [
      chunk('a', 'one', { embedding: [0, 0] }),
      chunk('b', 'two', { embedding: [0, 0] }),
    ]);
    expect(report.evicted).toEqual([]);
  });

  test('vectors of any length work, large or small', async () => {
    const { report } = await shape({}, [
      chunk('a', 'one alpha', { embedding: [1e300, 1e300] }),
      chunk('b', 'also one alpha', { embedding: [1e-300, 1e-300] }),
    ]);
    expect(report.evicted).toMatchObject([
      { id: 'b', reason: 'semantic-duplicate', distance: expect.closeTo(0, 6) },
    ]);
  });
});

describe('semantic-dedup', () => {
  const options: ShapingOptions = { semanticDedup: { maxDistance: 0.1 } };
  const on = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];

  test('near-copies by vector: the best scored stays, with distance and sources', async () => {
    const { chunks, report } = await shape(options, [
      chunk('a', 'A plain remark is made.', { embedding: on(0), score: 1, metadata: { source: 'one' } }),
      chunk('b', 'Indeed, a plain remark is made.', {
        embedding: on(10),
        score: 2,
        metadata: { source: 'two' },
      }),
      chunk('c', 'something else', { embedding: on(90), score: 0 }),
    ]);
    expect(ids(chunks).toSorted()).toEqual(['b', 'c']);
    expect(report.evicted).toMatchObject([
      {
        id: 'a',
        reason: 'semantic-duplicate',
        keptId: 'b',
        measure: 'cosine',
        maxDistance: 0.1,
        distance: expect.closeTo(1 - Math.cos(Math.PI / 18), 6),
      },
    ]);
    expect(chunks.find(({ id }) => id === 'b')?.sources.map(({ source }) => source)).toEqual(['two', 'one']);
  });

  test('a list of rows is not a heap of contradictions', async () => {
    const rows = Array.from({ length: 40 }, (_, i) =>
      chunk(`r${i}`, `Order number ${i} was shipped from the northern warehouse.`),
    );
    const { report } = await shape({ semanticDedup: { maxDistance: 0.3 } }, rows);
    expect(report.evicted).toEqual([]);
    expect(report.conflicts).toEqual([]);
  });

  test('rows of a form are not each other’s redundancy', async () => {
    const rows = Array.from({ length: 8 }, (_, i) =>
      chunk(`r${i}`, `Order number ${i} was shipped from the northern warehouse.`),
    );
    const { report } = await shape({ k: 2, cluster: { maxDistance: 0.9 } }, rows, 'Which order was shipped?');
    expect(report.evicted.map(({ reason }) => reason)).toEqual(Array(6).fill('outranked'));
  });

  test('no chain through a hub: all of a group are close to each other', async () => {
    // 25° are .094 apart, 50° are .357: b is close to both, a and c are not close to each other.
    const { report } = await shape(options, [
      chunk('a', 'a remark', { embedding: on(0), score: 2 }),
      chunk('b', 'also a remark', { embedding: on(25), score: 3 }),
      chunk('c', 'indeed a remark', { embedding: on(50), score: 1 }),
    ]);
    expect(report.evicted).toMatchObject([{ id: 'a', keptId: 'b' }]);
    expect(ids(report.kept)).toContain('c');
  });

  test('without vectors, by shared words', async () => {
    const { report } = await shape({ semanticDedup: { maxDistance: 0.2 } }, [
      chunk('a', 'the cat sat on the mat while rain fell outside'),
      chunk('b', 'The cats also sat on the mats while rain fell outside'),
      chunk('c', 'dogs chase balls in parks'),
    ]);
    expect(report.evicted).toMatchObject([{ id: 'b', keptId: 'a', measure: 'lexical', distance: 0 }]);
  });

  test('under pressure, contradicting statements are not each other’s redundancy', async () => {
    const filler = Array.from({ length: 6 }, (_, i) =>
      chunk(`f${i}`, `Unrelated remark number ${i} about gardens and rivers.`),
    );
    const { report } = await shape(
      { k: 2, select: { lambda: 0.5 }, cluster: { maxDistance: 0.9 } },
      [
        chunk('yes', 'The dose of aspirin is 30 mg daily for adults.'),
        chunk('no', 'The dose of aspirin is 50 mg daily for adults.'),
        ...filler,
      ],
      'What is the daily dose of aspirin?',
    );
    expect(ids(report.kept).toSorted()).toEqual(['no', 'yes']);
  });
});

describe('relevance', () => {
  const chunks = [chunk('a', 'red apples'), chunk('b', 'green apples and apples'), chunk('c', 'blue sky')];

  test('a feature that is the same for all tells nothing', async () => {
    const { report } = await shape(
      { relevance: { weights: weightsOf({ bm25: 1, cosine: 1 }) } },
      chunks.map((each) => ({ ...each, embedding: [1, 0] })),
      { text: 'sky', embedding: [1, 1] },
    );
    const base = expect.any(Number);
    expect(report.ranking?.features).toEqual(['bm25']);
    expect(report.kept.map(({ id, features }) => [id, features])).toEqual([
      ['c', { base, bm25: 1 }],
      ['a', { base }],
      ['b', { base }],
    ]);
    expect(new Set(report.kept.map(({ features }) => features?.base)).size).toBe(1);
  });

  test('a feature that some chunks lack does not count', async () => {
    const given = chunks.map((each, at) => ({
      ...each,
      embedding: [
        [1, 0],
        [0, 1],
      ][at],
    }));
    const weights = weightsOf({ bm25: 3, cosine: 1 });
    const query = { text: 'sky', embedding: [1, 0] };
    const { report } = await shape({ relevance: { weights } }, given, query);
    const base = expect.any(Number);
    expect(report.ranking?.features).toEqual(['bm25']);
    expect(report.kept.map(({ id, features }) => [id, features])).toEqual([
      ['c', { base, bm25: 3 }],
      ['a', { base }],
      ['b', { base }],
    ]);
  });

  test('cosines count as the log-likelihood ratio of their standard scores', async () => {
    const given = chunks.map((each, at) => ({
      ...each,
      embedding: [
        [1, 0],
        [0, 1],
        [0, 1],
      ][at],
    }));
    const weights = weightsOf({ cosine: 2 });
    const query = { text: 'sky', embedding: [1, 0] };
    const { report } = await shape({ relevance: { weights } }, given, query);
    const base = expect.any(Number);
    expect(report.kept.map(({ id, features }) => [id, features])).toEqual([
      ['a', { base, cosine: expect.closeTo(2 * Math.SQRT2 - 2, 10) }],
      ['b', { base, cosine: expect.closeTo(-Math.SQRT2 - 2, 10) }],
      ['c', { base, cosine: expect.closeTo(-Math.SQRT2 - 2, 10) }],
    ]);
  });

  describe('scores that are cosines', () => {
    const found = [...'abcdef'].map((id, at) => chunk(id, `text ${id}`, { score: 0.9 - at / 10 }));
    const run = (options: ShapingOptions, given: Chunk[] = found) => shape(options, given, 'Wie hoch?');

    test('count as vectors do, without an embedder', async () => {
      const { report } = await run({ scores: 'cosine' });
      expect(report.ranking?.features).toContain('cosine');
      const shares = report.kept.map(({ features }) => Math.sign(features?.cosine as number));
      expect(shares).toEqual([1, 1, -1, -1, -1, -1]);
      expect((await run({})).report.ranking?.features).not.toContain('cosine');
    });

    test('raise the probability of an answer if the best leads, and lower it if none does', async () => {
      const near = (lead: number) =>
        found.map((each, at) => ({ ...each, score: at === 0 ? 0.3 + lead : 0.3 }));
      const probability = async (lead: number) =>
        (await run({ scores: 'cosine' }, near(lead))).report.answerable?.probability as number;
      const byWords = (await run({}, near(0.5))).report.answerable?.probability as number;
      expect(await probability(0.6)).toBeGreaterThan(byWords);
      expect(await probability(0.1)).toBeLessThan(byWords);
    });

    test('are no distances, even if they rise along the list', async () => {
      const { report } = await run({ scores: 'cosine', ranked: 'auto' }, found.toReversed());
      expect(report.ranking).toMatchObject({ reason: 'unsorted-scores', trust: 0, features: ['cosine'] });
      expect(report.degradations[0]?.code).toBe('scores-rise');
    });

    test('do not count if one is missing', async () => {
      const { report } = await run({ scores: 'cosine' }, [...found, chunk('g', 'text g')]);
      expect(report.ranking?.features).not.toContain('cosine');
      expect(report.degradations).toMatchObject([{ code: 'option-without-effect', field: 'scores' }]);
    });

    test('must be cosines', async () => {
      await expect(run({ scores: 'cosine' }, [chunk('a', 'text', { score: 12 })])).rejects.toThrow(
        /chunks\[0\]\.score is no cosine, but the option scores says so \(got 12\)/,
      );
    });
  });

  test('vectors of a static embedder count for less', async () => {
    const embedder = (isStatic: boolean): Embedder => ({
      isStatic,
      embed: async (texts) => texts.map((_, at) => [Math.cos(at), Math.sin(at)]),
    });
    const shares = async (isStatic: boolean) => {
      const { report } = await shape({ embedder: embedder(isStatic) }, chunks, 'warum?');
      return report.kept.map(({ features }) => Math.abs(features?.cosine as number));
    };
    const [contextual, fixed] = [await shares(false), await shares(true)];
    for (const [at, own] of fixed.entries()) expect(own).toBeLessThan(contextual[at] as number);
  });

  test('a blank text answers nothing, with any score', async () => {
    const { chunks: kept } = await shape(
      { k: 1 },
      [chunk('blank', ' \n', { score: 9 }), ...chunks.map((each) => ({ ...each, score: 1 }))],
      'sky',
    );
    expect(ids(kept)).toEqual(['c']);
  });

  test('weights of zero leave scores to decide', async () => {
    const off = weightsOf({});
    const { report } = await shape(
      { relevance: { weights: off } },
      chunks.map((each, i) => ({ ...each, score: i })),
      'apples',
    );
    expect(report.kept.map(({ id, relevance }) => [id, relevance])).toEqual([
      ['c', undefined],
      ['b', undefined],
      ['a', undefined],
    ]);
  });

  test('scores at the ends of the number range order as others do', async () => {
    const relevances = async (scores: readonly number[]) => {
      const given = chunks.map((each, at) => ({ ...each, score: scores[at] as number }));
      const { report } = await shape({ ranked: 'auto' }, given);
      return report.kept.map(({ id, relevance }) => [id, relevance]);
    };
    const extreme = await relevances([0, Number.MAX_VALUE, -Number.MAX_VALUE]);
    expect(extreme.map(([id]) => id)).toEqual(['b', 'a', 'c']);
    expect(extreme).toEqual(await relevances([0, 1, -1]));
  });

  test.each([
    ['Japanese', '橋の全長', ['橋の全長は1149メートルです。', '猫が好きです。']],
    ['Chinese', '大桥 开放', ['大桥于一九三二年五月开放通车。', '我喜欢猫。']],
    ['Thai', 'สะพาน', ['สะพานเปิดใช้งานแล้ว', 'ฉันชอบแมว']],
    ['Arabic', 'طول الجسر', ['يبلغ طول الجسر ألف متر', 'أحب القطط كثيرا']],
    ['Russian', 'мост', ['Мост открыт', 'Люблю кошек']],
    ['English stems', 'running bridges', ['He runs over the bridge.', 'Cats sleep.']],
  ])('finds words in %s', async (_, query, [right, wrong]) => {
    const { chunks: found } = await shape(
      { k: 1 },
      [chunk('wrong', wrong as string), chunk('right', right as string)],
      query,
    );
    expect(ids(found)).toEqual(['right']);
  });
});

describe('cluster', () => {
  const on = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  // Two clusters of three, well apart; within each, 8° between neighbours.
  const chunks = [
    chunk('a1', 'alpha here', { embedding: on(0), score: 1 }),
    chunk('a2', 'alpha other words', { embedding: on(8), score: 3 }),
    chunk('a3', 'alpha many more words', { embedding: on(16), score: 2 }),
    chunk('b1', 'beta here', { embedding: on(90), score: 6 }),
    chunk('b2', 'beta other words', { embedding: on(98), score: 5 }),
    chunk('b3', 'beta many more words', { embedding: on(106), score: 4 }),
  ];
  const options = (
    cluster: Exclude<ShapingOptions['cluster'], false | undefined>,
    k = 2,
  ): ShapingOptions => ({
    k,
    semanticDedup: false,
    select: { lambda: 1 },
    cluster: { maxDistance: 0.1, ...cluster },
  });

  test('members go, the least relevant first, and only until the rest fits', async () => {
    const { report } = await shape(options({}, 4), chunks);
    expect(report.evicted).toMatchObject([
      { id: 'a1', reason: 'cluster-member', keptId: 'a2', cluster: 0 },
      { id: 'a3', reason: 'cluster-member', keptId: 'a2', cluster: 0 },
    ]);
    expect(ids(report.kept).toSorted()).toEqual(['a2', 'b1', 'b2', 'b3']);
  });

  test('where the model puts all texts close together, only the nearest of them are redundant', async () => {
    // A part in common makes each distance a tenth of itself.
    const near = chunks.map(({ embedding, ...each }) => ({
      ...each,
      embedding: [...(embedding as number[]), 3],
    }));
    expect(ids((await shape(options({}, 4), near)).report.kept)).toEqual(
      ids((await shape(options({}, 4), chunks)).report.kept),
    );
    const { report } = await shape(options({}, 1), near);
    const clustered = report.evicted.filter(({ reason }) => reason === 'cluster-member');
    expect(clustered.map(({ id }) => id).toSorted()).toEqual(['a1', 'a3', 'b2', 'b3']);
  });

  test.each([
    ['auto', ['a2', 'b1']],
    ['score', ['a2', 'b1']],
    ['centroid', ['a2', 'b2']],
    ['longest', ['a3', 'b3']],
  ] as const)('representative %s', async (representative, expected) => {
    const { report } = await shape(options({ representative }), chunks);
    expect(ids(report.kept).toSorted()).toEqual(expected);
  });

  test('representative query-closest', async () => {
    const { report } = await shape(options({ representative: 'query-closest' }), chunks, {
      text: '',
      embedding: on(30),
    });
    expect(ids(report.kept).toSorted()).toEqual(['a3', 'b1']);
  });

  test('maxPerCluster spares the most relevant members', async () => {
    const { report } = await shape(options({ maxPerCluster: 2 }, 3), chunks);
    const clustered = report.evicted.filter(({ reason }) => reason === 'cluster-member').map(({ id }) => id);
    expect(clustered).toEqual(['a1', 'b3']);
  });

  test.each(LINKAGES)('%s linkage finds both', async (linkage) => {
    const { report } = await shape(options({ linkage }), chunks);
    expect(ids(report.kept).toSorted()).toEqual(['a2', 'b1']);
    expect(report.evicted.every(({ stage }) => stage === 'cluster')).toBe(true);
  });

  test('a member goes only where that makes room for others', async () => {
    const off: ShapingOptions = { semanticDedup: false, select: { lambda: 1 } };
    const from = (source: string) => ({ metadata: { source } });
    const pool = [
      ...chunks.slice(3).map((each) => ({ ...each, ...from('y') })),
      chunk('x', 'other words '.repeat(20), from('x')),
    ];
    const { report } = await shape({ ...off, budget: { perSource: 20 } }, pool);
    expect(report.evicted).toMatchObject([{ id: 'x', reason: 'over-budget' }]);
    const { report: capped } = await shape({ ...off, budget: { maxTokens: 30 } }, pool);
    expect(capped.evicted).toMatchObject([{ id: 'x', reason: 'over-budget' }]);
  });

  describe('a member stays that differs from the representative in a fact', () => {
    const other =
      'Gardeners in the south water all their roses on warm evenings, and prune them late in autumn.';
    const kept = async (texts: readonly [string, string], vectors?: readonly number[][]) => {
      const pool = [...texts, other].map((text, at) =>
        chunk(String(at), text, vectors === undefined ? {} : { embedding: vectors[at] as number[] }),
      );
      const { report } = await shape(
        { k: 1, semanticDedup: false, cluster: { maxDistance: 0.9 } },
        pool,
        'a',
      );
      return !report.evicted.some(
        (gone) =>
          (gone.reason === 'exact-duplicate' || gone.reason === 'cluster-member') &&
          gone.id !== '2' &&
          gone.keptId !== '2',
      );
    };
    const same = [on(0), on(0), on(90)];

    test.each([
      [
        'names in turn',
        'Fenwick Logistics pays Aurora Foods weekly.',
        'aurora Foods pays Fenwick Logistics weekly',
      ],
      ['a date that is none', 'The bridge reopened in March 2023.', 'The bridge reopened in March 20230.'],
      [
        'first and last',
        'Rent is paid on the first day of a month.',
        'Rent is paid on the last day of a month.',
      ],
      ['never and always', 'Its gate was never shut.', '# Gate\n\nIts gate was always shut.'],
      [
        'a name far from the same words',
        'Jim met Ann Weber there today.',
        'Somewhere Bob Lang met her, it seems, there.',
      ],
      ['a unit by its case', 'The lamp draws 5 mW.', 'The lamp draws 5 MW.'],
      ['a negation in Japanese', 'この機能は無料で利用できない。', 'この機能は無料で利用できる。'],
    ])('%s', async (_, ...texts) => {
      expect(await kept(texts)).toBe(true);
      expect(await kept(texts, same)).toBe(true);
      expect(await kept([texts[1], texts[0]], same)).toBe(true);
    });

    test.each([
      ['other words', 'The tower was built by Weber in 1902.', 'Weber erected the tower in 1902.'],
      ['more of them', 'The tower was built in 1902.', 'The tower was built in 1902 by Weber, of red brick.'],
    ])('but not for %s', async (_, ...texts) => {
      expect(await kept(texts, same)).toBe(false);
    });
  });

  test('without pressure nothing is clustered', async () => {
    const { report } = await shape(options({}, 6), chunks);
    expect(report.evicted).toEqual([]);
  });
});

describe('select', () => {
  const chunks = Array.from({ length: 8 }, (_, i) =>
    chunk(`c${i}`, `apple ${'apple '.repeat(i % 3)}item${i}`, { score: (i * 5) % 8 }),
  );

  test('what tells the same of another subject is no redundancy of it, reported or not', async () => {
    const texts = [
      'Mount Serrat, the peak above the lake, is 2,345 metres high and white in spring.',
      'Mount Elbrus, the peak above the lake, is 5,642 metres high and white in spring.',
      'A peak above another lake, or none.',
    ];
    for (const vectors of [undefined, [0, 0, Math.PI / 2]]) {
      const pool = texts.map((text, at) => {
        const angle = vectors?.[at];
        const embedding = angle === undefined ? {} : { embedding: [Math.cos(angle), Math.sin(angle)] };
        return chunk(String(at), text, { score: 3 - at, ...embedding });
      });
      const { report } = await shape(
        { k: 2, cluster: false, select: { lambda: 0.5 } },
        pool,
        'peak above the lake',
      );
      expect(report.conflicts).toEqual([]);
      expect(ids(report.kept).toSorted()).toEqual(['0', '1']);
    }
  });

  test('lambda 1 is top-k by relevance, exactly', async () => {
    const all = await shape({ cluster: false, semanticDedup: false }, chunks, 'apple');
    const top = await shape(
      { cluster: false, semanticDedup: false, k: 3, select: { lambda: 1 } },
      chunks,
      'apple',
    );
    expect(ids(top.chunks)).toEqual(ids(all.chunks).slice(0, 3));
  });

  test('diversity: the second copy of a thought waits behind another thought', async () => {
    const pool = [
      chunk('one', 'rain in Spain falls mainly'),
      chunk('two', 'rain in Spain falls mostly'),
      chunk('three', 'rain is wet'),
    ];
    const pick = async (lambda: number) =>
      ids(
        (
          await shape(
            { k: 2, semanticDedup: false, cluster: false, select: { lambda } },
            pool,
            'rain in Spain',
          )
        ).chunks,
      ).toSorted();
    expect(await pick(1)).toEqual(['one', 'two']);
    expect(await pick(0.3)).toEqual(['one', 'three']);
  });

  test('an outranked chunk knows its relevance and how much it fell short', async () => {
    const given = [chunk('a', 'rain in Spain'), chunk('b', 'rain on hills'), chunk('c', 'sun')];
    const { report } = await shape({ k: 1, cluster: false }, given, 'rain in Spain');
    expect(report.evicted).toMatchObject([
      { id: 'b', stage: 'select', reason: 'outranked', k: 1 },
      { id: 'c', stage: 'select', reason: 'outranked', k: 1 },
    ]);
    // By log-odds, as a share of those from the least to the greatest.
    const logOdds = [...report.kept, ...report.evicted].map(({ relevance = 0 }) =>
      Math.log(relevance / (1 - relevance)),
    ) as [number, number, number];
    const [{ margin }, { margin: most }] = report.evicted as unknown as [
      { margin: number },
      { margin: number },
    ];
    expect(margin).toBeCloseTo((0.9 * (logOdds[0] - logOdds[1])) / (logOdds[0] - logOdds[2]), 12);
    expect(most).toBeCloseTo(0.9, 12);
  });
});

describe('budget', () => {
  const long = (id: string, size: number, rest: Partial<Chunk> = {}) =>
    chunk(id, Array.from({ length: size }, (_, i) => `${id}${i}`).join(' '), rest);
  const off: ShapingOptions = { cluster: false, semanticDedup: false, select: { lambda: 1 }, order: false };

  test('what does not fit is skipped, and packing goes on', async () => {
    const { chunks, report } = await shape({ ...off, budget: { maxTokens: 10 } }, [
      long('a', 6),
      long('b', 5),
      long('c', 4),
    ]);
    expect(ids(chunks)).toEqual(['a', 'c']);
    expect(report.evicted).toMatchObject([{ id: 'b', reason: 'over-budget', limit: 'maxTokens', tokens: 5 }]);
    expect(report.tokens).toEqual({ input: 15, output: 10, budget: 10 });
  });

  test('no source takes more than its quota', async () => {
    const from = (source: string) => ({ metadata: { source } });
    const { chunks, report } = await shape({ ...off, budget: { maxTokens: 100, perSource: 5 } }, [
      long('a', 3, from('s')),
      long('b', 3, from('s')),
      long('c', 2, from('s')),
      long('d', 4, from('t')),
      long('e', 9),
    ]);
    expect(ids(chunks)).toEqual(['a', 'c', 'd', 'e']);
    expect(report.evicted).toMatchObject([{ id: 'b', limit: 'perSource' }]);
  });

  test('pinned chunks go first, and even they never break the budget', async () => {
    const { chunks, report } = await shape({ ...off, budget: { maxTokens: 8 }, pin: ['b', 'c'] }, [
      long('a', 3),
      long('b', 7),
      long('c', 6),
    ]);
    expect(ids(chunks)).toEqual(['b']);
    expect(report.degradations).toMatchObject([
      { code: 'pinned-over-budget', message: expect.stringContaining('"c"') },
    ]);
  });

  test('the report names a pinned chunk of which not one word fits, too', async () => {
    const { chunks, report } = await shape({ ...off, budget: { maxTokens: 1 }, pin: ['a'] }, [
      long('a', 3, { rendered: 'its title, and no text' }),
    ]);
    expect(chunks).toEqual([]);
    expect(report.evicted).toMatchObject([{ id: 'a', reason: 'over-budget' }]);
    expect(report.degradations).toMatchObject([
      {
        code: 'pinned-over-budget',
        message: expect.stringContaining('"a" (5 tokens) does not fit budget.maxTokens.'),
      },
      { code: 'nothing-fits' },
    ]);
  });

  test('when nothing fits, the best chunk is cut at a sentence, verbatim, with offsets', async () => {
    const text = '  One two three. Four five six seven. Eight nine ten.';
    const { chunks, report } = await shape({ ...off, budget: { maxTokens: 7 } }, [chunk('a', text)]);
    expect(chunks[0]).toMatchObject({
      text: 'One two three. Four five six seven.',
      tokens: 7,
      excerpts: [{ start: 2, end: 37 }],
    });
    expect(text.slice(2, 37)).toBe(chunks[0]?.text);
    expect(report.degradations).toMatchObject([{ code: 'cut-to-fit' }]);
  });

  test('at a word, if the first sentence is too long; and not at all if one word is', async () => {
    expect(
      (await shape({ ...off, budget: { maxTokens: 2 } }, [chunk('a', 'One two three four.')])).chunks[0]
        ?.text,
    ).toBe('One two');
    const characters = createShaper({ ...off, tokenizer: (text) => text.length, budget: { maxTokens: 2 } });
    const { chunks, report } = await characters.shape({
      query: 'xyzzy',
      chunks: [chunk('a', 'Hello there.')],
    });
    expect(chunks).toEqual([]);
    expect(report.degradations).toMatchObject([{ code: 'nothing-fits' }]);
  });

  test('where the first cannot be cut, the next is, or is kept whole', async () => {
    const characters = createShaper({ tokenizer: (text) => text.length, budget: { maxTokens: 12 } });
    const letters = chunk('letters', 'x'.repeat(50));
    const shaped = (next: string) =>
      characters.shape({ query: 'x', chunks: [letters, chunk('next', next)], ranked: true });
    const cut = await shaped('One two three four five.');
    expect(cut.chunks).toMatchObject([{ id: 'next', text: 'One two' }]);
    expect(cut.report.degradations).toMatchObject([{ code: 'best-over-budget' }, { code: 'cut-to-fit' }]);
    const whole = await shaped('One two.');
    expect(whole.chunks).toMatchObject([{ id: 'next', text: 'One two.' }]);
    expect(whole.report.degradations).toMatchObject([{ code: 'best-over-budget' }]);
    // Far less relevant, it would not be packed beside another.
    const pool = [chunk('a', `bridge ${'x'.repeat(50)}`, { score: 9 }), chunk('b', 'rain', { score: 0 })];
    const words = { weights: weightsOf({ bm25: 1 }) };
    const least = await createShaper({
      tokenizer: (text) => text.length,
      relevance: words,
      budget: { maxTokens: 5 },
    }).shape({ query: 'bridge', chunks: pool });
    expect(ids(least.chunks)).toEqual(['b']);
  });

  test('with allowEmpty nothing is cut', async () => {
    const { chunks } = await shape({ ...off, allowEmpty: true, budget: { maxTokens: 2 } }, [
      chunk('a', 'One two three.'),
    ]);
    expect(chunks).toEqual([]);
  });

  test('a blank chunk fits anywhere, and is no reason not to cut', async () => {
    const { chunks, report } = await shape({ ...off, budget: { maxTokens: 3 } }, [
      chunk('a', 'One two three. Four five.'),
      chunk('b', '   '),
    ]);
    expect(chunks.map(({ text }) => text)).toEqual(['One two three.', '   ']);
    expect(report.degradations).toMatchObject([{ code: 'cut-to-fit' }]);
  });

  test('when the best does not fit and others do, the report says so', async () => {
    const { chunks, report } = await shape({ ...off, budget: { maxTokens: 5 } }, [
      long('a', 6),
      long('b', 4),
    ]);
    expect(ids(chunks)).toEqual(['b']);
    expect(report.degradations).toMatchObject([
      {
        code: 'best-over-budget',
        message: expect.stringContaining('"a" (6 tokens) does not fit budget.maxTokens.'),
      },
    ]);
  });

  test('what does not fit takes none of the k places', async () => {
    const pool = [long('a', 9), long('b', 4), long('c', 8), long('d', 3), long('e', 1), long('f', 1)];
    const { chunks, report } = await shape({ ...off, k: 3, budget: { maxTokens: 8 } }, pool);
    expect(ids(chunks)).toEqual(['b', 'd', 'e']);
    expect(report.evicted.map(({ id, reason }) => [id, reason])).toEqual([
      ['f', 'outranked'],
      ['a', 'over-budget'],
      ['c', 'over-budget'],
    ]);
  });

  test('an eviction knows its source', async () => {
    const { report } = await shape({ ...off, budget: { maxTokens: 1 } }, [
      chunk('a', 'One'),
      chunk('b', 'Two three', { metadata: { source: 'b.md', position: 4 } }),
    ]);
    expect(report.evicted).toMatchObject([{ id: 'b', source: 'b.md', position: 4 }]);
  });

  test('what surrounds the text cannot be cut away', async () => {
    const text = 'One two. Three four. Five six.';
    const given = chunk('a', text, { rendered: `title of it\n${text}` });
    const { chunks } = await shape({ ...off, budget: { maxTokens: 7 } }, [given]);
    expect(chunks[0]).toMatchObject({ text: 'One two. Three four.', tokens: 7 });
  });
});

describe('order', () => {
  const chunks = [
    chunk('a', 'one', { score: 3, metadata: { source: 's', position: 9 } }),
    chunk('b', 'two', { score: 5, metadata: { source: 't', position: 2 } }),
    chunk('c', 'three', { score: 4, metadata: { source: 's', position: 1 } }),
    chunk('d', 'four', { score: 1 }),
    chunk('e', 'five', { score: 2, metadata: { source: 't', position: 1 } }),
  ];
  test.each([
    ['relevance', ['b', 'c', 'a', 'e', 'd']],
    ['input', ['a', 'b', 'c', 'd', 'e']],
    ['source', ['e', 'b', 'c', 'a', 'd']],
    ['edges-first', ['b', 'a', 'd', 'e', 'c']],
  ] as const)('%s', async (order, expected) => {
    expect(ids((await shape({ order }, chunks)).chunks)).toEqual(expected);
  });
  test('by source, the pages of a PDF stay in order: a splitter counts lines from one on each page', async () => {
    const pages = [
      [2, 1],
      [1, 30],
      [2, 30],
      [1, 1],
    ].map(([pageNumber, from]) =>
      chunk(`${pageNumber}:${from}`, `text ${pageNumber} ${from}`, {
        metadata: { source: 'a.pdf', loc: { pageNumber, lines: { from } } },
      }),
    );
    const { chunks: ordered } = await shape({ order: 'source', ranked: true }, pages);
    expect(ordered.map(({ id }) => id.split(':')[0])).toEqual(['1', '1', '2', '2']);
  });
  test('by source, a group is made once, not anew for each of its chunks', async () => {
    const count = 2000;
    const given = Array.from({ length: count }, (_, at) =>
      chunk(`${at}`, `text ${at}`, { metadata: { source: 's', position: -at } }),
    );
    const { candidates } = toCandidates({ query: '', chunks: given }, createShaper().options);
    const set = vi.spyOn(Map.prototype, 'set');
    try {
      const { kept } = await order('source').run({ candidates, pacer: new Pacer() } as never);
      expect(kept.map(({ index }) => index)).toEqual(
        Array.from({ length: count }, (_, at) => count - 1 - at),
      );
      expect(set.mock.calls.length).toBeLessThan(count / 10);
    } finally {
      set.mockRestore();
    }
  });
});
