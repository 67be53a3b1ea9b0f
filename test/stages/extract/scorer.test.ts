import {
  type Chunk,
  createShaper,
  type SentenceProfile,
  type SentenceRequest,
  type SentenceScorer,
  type ShapingOptions,
} from 'context-shaping';
import { explain, formatReport } from 'context-shaping/explain';
import { createCragGraph } from 'context-shaping/langgraph';
import { type FakeSentenceScorerOptions, fakeSentenceScorer } from 'context-shaping/testing';
import {
  diffContexts,
  openLockfile,
  parseLockfile,
  recordContext,
  replayContext,
} from 'context-shaping-devtools/lockfile';
import { describe, expect, test } from 'vitest';
import { scorerSettingsOf } from '#internal';
import { chunk, deepFreeze, timeless } from '../../support.js';

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const QUESTION = 'When did the harbour bridge open?';
const DECOY = 'The harbour bridge did open a debate on tolls.';
const ANSWER = 'Traffic has crossed it since 1932.';
const CHUNKS = [
  chunk('bridge', `${DECOY} Painting takes thirty people all year. ${ANSWER}`),
  chunk('cats', 'Cats sleep for most of the day. Dogs bark at the harbour all night.'),
];
/** Knows the answer, which has no word of the question. */
const knowing = (options: FakeSentenceScorerOptions = {}) =>
  fakeSentenceScorer({ score: (sentence) => (sentence.includes('1932') ? 0.98 : 0.02), ...options });

type ScorerOptions = NonNullable<Exclude<ShapingOptions['extract'], false | undefined>['scorer']>;

const shaperFor = (scorer: ScorerOptions | undefined, options: ShapingOptions = {}) =>
  createShaper({
    tokenizer: words,
    ranked: false,
    budget: { maxTokens: 10 },
    ...options,
    ...(scorer && { extract: { scorer: { trust: 'always', share: 0.75, ...scorer } } }),
  });
const shape = (scorer?: ScorerOptions, options?: ShapingOptions, chunks: readonly Chunk[] = CHUNKS) =>
  shaperFor(scorer, options).shape({ query: QUESTION, chunks });

describe('a trusted scorer', () => {
  test('decides which sentences stay', async () => {
    const byWords = await shape();
    expect(byWords.chunks.map(({ text }) => text)).toEqual([DECOY]);
    expect(byWords.report.sentences).toBeUndefined();
    const { chunks, report } = await shape({ model: knowing() });
    expect(chunks).toMatchObject([{ id: 'bridge', text: ANSWER }]);
    expect(report.sentences).toEqual({
      trust: 'always',
      share: 0.75,
      chunks: 2,
      scored: 5,
      usage: { requests: 2, tokens: 35 },
    });
    expect(report.degradations).toEqual([]);
    expect(formatReport(report)).toMatch(/Scorer of sentences\n.*trust +share +chunks +sentences/);
  });

  test('is asked once, for whole passages, with the offsets of the sentences that may answer', async () => {
    const model = knowing();
    const text = `# Bridge\n\n${DECOY} ${ANSWER}\n\n- Cats sleep.\n- Dogs bark.`;
    await shape({ model }, { budget: { maxTokens: 8 } }, [chunk('a', text), chunk('blank', ' ')]);
    expect(model.calls).toHaveLength(1);
    const [asked] = model.calls[0] as readonly SentenceRequest[];
    expect(asked).toMatchObject({ question: QUESTION, passage: text });
    expect(asked?.sentences.map(({ start, end }) => text.slice(start, end))).toEqual([
      DECOY,
      ANSWER,
      '- Cats sleep.',
      '- Dogs bark.',
    ]);
  });

  test('is not asked if nothing has to be cut', async () => {
    const model = knowing();
    const { report } = await shape({ model }, { budget: { maxTokens: 100 } });
    expect(model.calls).toEqual([]);
    expect(report.sentences).toBeUndefined();
  });

  test('has no say with the share 0, and all of it with the share 1', async () => {
    const { chunks: without } = await shape();
    expect((await shape({ model: knowing(), share: 0 })).chunks).toEqual(without);
    expect((await shape({ model: knowing(), share: 1 })).chunks.map(({ text }) => text)).toEqual([ANSWER]);
    // With the share 1 the decoy is worth as little as any other sentence, and it is longer.
    const { chunks } = await shape({ model: knowing(), share: 1 }, { budget: { maxTokens: 16 } });
    expect(chunks.map(({ text }) => text)).toEqual([`Painting takes thirty people all year. ${ANSWER}`]);
  });

  test('that gives all sentences one probability changes nothing', async () => {
    for (const probability of [0, 0.5, 1]) {
      const model = fakeSentenceScorer({ score: () => probability });
      expect((await shape({ model, share: 0.5 })).chunks.map(({ text }) => text)).toEqual([DECOY]);
    }
  });

  test('leaves the chunks after maxCandidates to their words, on its own scale', async () => {
    const low = fakeSentenceScorer({ score: (sentence) => (sentence === DECOY ? 0.02 : 0.01) });
    const given = [...CHUNKS, chunk('other', 'The harbour bridge did open. Rain fell.')];
    const { chunks, report } = await shape({ model: low, maxCandidates: 1 }, {}, given);
    expect(report.sentences).toMatchObject({ chunks: 1 });
    // Sentences that were not scored do not outrank others because the scorer's values are low.
    const ofAll = await shape({ model: low }, {}, given);
    expect(chunks.map(({ text }) => text)).toEqual(ofAll.chunks.map(({ text }) => text));
  });

  test('gives the same result for the same input, and changes nothing that it is given', async () => {
    const chunks = deepFreeze(structuredClone(CHUNKS));
    const once = await shape({ model: knowing() }, {}, chunks);
    expect(timeless((await shape({ model: knowing() }, {}, chunks)).report)).toEqual(timeless(once.report));
    const tired = knowing();
    const cheaper: SentenceScorer = {
      ...tired,
      score: async (...call) => ({ ...(await tired.score(...call)), usage: { requests: 1 } }),
    };
    expect((await shape({ model: cheaper })).report.digest).toBe(once.report.digest);
  });
});

describe('a scorer that fails', () => {
  const asByWords = async (model: SentenceScorer, options: ShapingOptions = {}) => {
    const { chunks, report } = await shape({ model }, options);
    expect(chunks).toEqual((await shape()).chunks);
    expect(report.sentences).toMatchObject({ trust: 'none', chunks: 0, scored: 0 });
    return report.degradations;
  };

  test('leaves the sentences to their words', async () => {
    expect(await asByWords(knowing({ fail: 'throw' }), { errorMessages: true })).toEqual([
      {
        stage: 'extract',
        code: 'scorer-failed',
        message:
          'The scorer failed; sentences are ranked by their words instead. The fake fails as configured.',
      },
    ]);
    expect(await asByWords(knowing({ fail: 'hang' }), { deadlineMs: 20 })).toMatchObject([
      { code: 'scorer-failed', message: expect.stringContaining('No answer within 20 ms.') },
    ]);
  });

  test.each<[string, unknown]>([
    ['too few scores', { scores: [0.5] }],
    ['a score above 1', { scores: [0.5, 1.5, 0.5] }],
    ['NaN', { scores: [0.5, Number.NaN, 0.5] }],
    ['a string', { scores: [0.5, '0.5', 0.5] }],
    ['null', null],
  ])('or answers malformed: %s', async (_, result) => {
    const score = async (requests: readonly SentenceRequest[]) =>
      ({ results: requests.map(() => result), usage: { requests: 1 } }) as never;
    expect(await asByWords({ ...knowing(), score })).toMatchObject([
      { code: 'scorer-failed', message: expect.stringContaining('extract.scorer.model') },
    ]);
  });

  test('on some chunks leaves those to their words', async () => {
    const { chunks, report } = await shape({ model: knowing({ fail: 'failure' }) });
    expect(chunks.map(({ text }) => text)).toEqual([ANSWER]);
    expect(report.degradations).toMatchObject([
      {
        stage: 'extract',
        code: 'scorer-incomplete',
        message: expect.stringContaining('Sentences of "cats" were not scored'),
      },
    ]);
    expect(report.sentences).toMatchObject({ trust: 'always', chunks: 1, scored: 3 });
  });

  test('by the caller’s abort ends the call', async () => {
    const reason = new Error('not wanted any more');
    const controller = new AbortController();
    const { signal } = controller;
    const shaping = shaperFor({ model: knowing({ fail: 'hang' }) }).shape({
      query: QUESTION,
      chunks: CHUNKS,
      signal,
    });
    setTimeout(() => controller.abort(reason), 5);
    await expect(shaping).rejects.toBe(reason);
  });
});

describe('with trust: profile', () => {
  const model = knowing();
  const { options } = shaperFor({ model });
  const settings = { share: 0.6, maxCandidates: 20 };
  const profile = (changes: Partial<SentenceProfile> = {}): SentenceProfile => ({
    version: 1,
    wins: true,
    model: 'fake',
    settings: scorerSettingsOf(settings, options, { ranked: false, hasVectors: false }),
    ...changes,
  });
  const shapeBy = (scorer: ScorerOptions, rest: ShapingOptions = {}) =>
    shape({ model, trust: 'profile', share: undefined, ...scorer }, rest);

  test('a profile that wins lets it speak, with the share of the profile', async () => {
    const { chunks, report } = await shapeBy({ profile: profile() });
    expect(chunks.map(({ text }) => text)).toEqual([ANSWER]);
    expect(report.sentences).toMatchObject({ trust: 'profile', model: 'fake', share: 0.6 });
  });

  test.each<[string, ScorerOptions, ShapingOptions, string]>([
    ['there is none', {}, {}, 'has no profile'],
    ['it does not win', { profile: profile({ wins: false }) }, {}, 'does not rank sentences better'],
    ['it is of another model', { profile: profile({ model: 'other' }) }, {}, 'names "other"'],
    ['the share is another', { profile: profile(), share: 0.9 }, {}, 'extract.scorer.share 0.6, but'],
    [
      'maxCandidates is another',
      { profile: profile(), maxCandidates: 3 },
      {},
      'extract.scorer.maxCandidates 20, but',
    ],
    [
      'relevance has other weights',
      { profile: profile() },
      { relevance: { weights: { bm25: 5 } } },
      'relevance.weights "{}"',
    ],
  ])('and the scorer is not asked if %s', async (_, scorer, rest, message) => {
    const before = model.calls.length;
    const { chunks, report } = await shapeBy(scorer, rest);
    expect(model.calls).toHaveLength(before);
    expect(chunks).toEqual((await shape(undefined, rest)).chunks);
    expect(report.degradations).toMatchObject([
      { stage: 'extract', code: 'scorer-not-trusted', message: expect.stringContaining(message) },
    ]);
    expect(report.sentences).toMatchObject({ trust: 'none', chunks: 0 });
  });
});

describe('options', () => {
  test('name the fault', () => {
    expect(() => createShaper({ extract: { scorer: {} } })).toThrow(
      expect.objectContaining({ field: 'extract.scorer.model' }),
    );
    expect(() => createShaper({ extract: { scorer: { model: { identify: 1 } as never } } })).toThrow(
      /a scorer of sentences/,
    );
  });

  test('of a derived shaper keep the scorer', async () => {
    const shaper = shaperFor({ model: knowing() }).with({ extract: { scorer: { share: 0 } } });
    const { chunks } = await shaper.shape({ query: QUESTION, chunks: CHUNKS });
    expect(chunks.map(({ text }) => text)).toEqual([DECOY]);
  });
});

/** A lockfile has no functions. */
const RECORDABLE = { tokenizer: 'estimate', budget: { maxTokens: 12 } } as const;

describe('afterwards', () => {
  test('a session asks each question once, and explain asks nothing', async () => {
    const model = knowing();
    const session = shaperFor({ model }).session({ query: QUESTION, chunks: CHUNKS });
    for (const maxTokens of [10, 8, 14, 20, 10]) {
      const { chunks, report } = await session.at({ budget: { maxTokens } });
      const alone = await shape({ model: knowing() }, { budget: { maxTokens } });
      expect(chunks).toEqual(alone.chunks);
      expect(report.digest).toBe(alone.report.digest);
    }
    expect(model.calls).toHaveLength(1);
    const result = await shape({ model });
    const asked = model.calls.length;
    const { counterfactuals } = await explain(result, 'cats');
    expect(counterfactuals).toMatchObject({ maxTokens: { nearest: expect.any(Number) } });
    expect(model.calls).toHaveLength(asked);
  });

  test('the ledger of corrective retrieval has the last use, with the costs of all', async () => {
    const model = knowing();
    const { report } = await createCragGraph({
      grader: { name: 'ones', grade: async (requests) => requests.map(() => ({ grade: 1 })) },
      shaper: {
        tokenizer: words,
        ranked: false,
        budget: { maxTokens: 10 },
        extract: { scorer: { model, trust: 'always', share: 0.75 } },
      },
    }).invoke({
      query: QUESTION,
      documents: CHUNKS.map(({ id, text }) => ({ id, pageContent: text, metadata: {} })),
    });
    const requests = model.calls.reduce((sum, call) => sum + call.length, 0);
    expect(report.sentences).toMatchObject({ trust: 'always', usage: { requests } });
    expect(report.kept).toMatchObject([{ id: 'bridge', excerpts: [expect.anything()] }]);
  });

  test('a lockfile replays it without the scorer, also its failures', async () => {
    for (const fail of [undefined, 'failure', 'throw'] as const) {
      const model = knowing({ fail });
      const result = await shape({ model }, RECORDABLE);
      const lockfile = parseLockfile(JSON.stringify(await recordContext(result)));
      expect(lockfile.services.scorer).toMatchObject({ modelId: 'fake-sentence-scorer' });
      const asked = model.calls.length;
      const { report } = await openLockfile(lockfile).at();
      expect(report.digest).toBe(lockfile.report.digest);
      // Recording asks failed questions again, and the second fake failure is an answer.
      if (fail !== 'failure') expect(lockfile.report.digest).toBe(result.report.digest);
      expect(await replayContext(lockfile)).toMatchObject({ isEqual: true });
      expect(model.calls).toHaveLength(asked);
    }
  });

  test('a lockfile names another scorer as a difference', async () => {
    const record = async (model: SentenceScorer) => recordContext(await shape({ model }, RECORDABLE));
    const other = { ...fakeSentenceScorer(), modelId: 'other' };
    expect(diffContexts(await record(knowing()), await record(other)).differences).toMatchObject([
      {
        path: 'options.extract.scorer.model',
        from: 'context-shaping/fake-sentence-scorer',
        to: 'context-shaping/other',
      },
      { path: 'answers', to: expect.stringMatching(/changed$/) },
    ]);
  });
});
