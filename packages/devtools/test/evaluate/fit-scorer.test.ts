import { createShaper, type SentenceScorer } from 'context-shaping';
import { fakeSentenceScorer } from 'context-shaping/testing';
import { fitModels, type ModelFigures } from 'context-shaping-devtools/evaluate';
import { describe, expect, test } from 'vitest';
import { caseOf, type Labelled } from './labelled.js';

const PLACES = ['harbour', 'station', 'market', 'museum', 'library', 'theatre', 'garden', 'tower'];
const THINGS = ['bridge', 'clock', 'lift', 'fountain', 'gate', 'bell', 'lamp', 'stair', 'door', 'roof'];

/** In each relevant passage one sentence has the words of the question, and another one the answer. */
const DATA: readonly Labelled[] = PLACES.flatMap((place, at) =>
  THINGS.map((thing, number) => {
    const year = `${1800 + 10 * number + at}`;
    return {
      question: `When did the ${place} ${thing} open?`,
      answer: year,
      passages: [
        {
          text: `Many people ask when the ${place} ${thing} did open. It was finished in ${year}. Rain fell all day.`,
          relevant: true,
          evidence: [`It was finished in ${year}.`],
        },
        {
          text: `The ${thing} of the town is old. The ${place} is older. Built in ${year}, say some.`,
          relevant: false,
        },
      ],
    };
  }),
);
const knowing = (worth = 0.9) =>
  fakeSentenceScorer({ score: (sentence) => (/It was finished in \d{4}/.test(sentence) ? worth : 0.1) });
/** FNV-1a: numbers that have nothing to do with the question. */
const noise = (text: string) => {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (state >>> 0) / 2 ** 32;
};
async function measure(
  model: SentenceScorer,
  { data = DATA, ...rest }: { data?: readonly Labelled[]; share?: number } = {},
) {
  const fit = await fitModels({
    cases: data.map(caseOf),
    options: { extract: { scorer: { model, ...rest } } },
  });
  return fit.figures.scorer as ModelFigures;
}

describe('a scorer', () => {
  test('that finds the evidence wins, and extract trusts its profile', async () => {
    const { figures, options } = await fitModels({
      cases: DATA.map(caseOf),
      options: { extract: { scorer: { model: knowing() } } },
    });
    expect(figures.scorer).toMatchObject({
      ...{ wins: true, reasons: [], model: 'fake', questions: 80, failed: 0, ranking: { auc: 1 } },
      settings: { 'extract.scorer.maxCandidates': 20, 'the list': 'not ranked' },
    });
    expect(figures.scorer?.relevance.auc).toBeLessThan(0.9);
    const fitted = JSON.parse(JSON.stringify(options.extract?.scorer));
    const scorer = { model: knowing(), ...fitted };
    const shaper = createShaper({ ranked: false, budget: { maxTokens: 12 }, extract: { scorer } });
    const { chunks, report } = await shaper.shape({
      query: DATA[0]?.question as string,
      chunks: (DATA[0]?.passages ?? []).map(({ text }, at) => ({ id: `${at}`, text })),
    });
    expect(report.degradations).toEqual([]);
    expect(report.sentences).toMatchObject({ trust: 'profile', share: figures.scorer?.share });
    expect(chunks.map(({ text }) => text)).toEqual(['It was finished in 1800.']);
  });

  test.each<[string, () => SentenceScorer]>([
    ['noise', () => fakeSentenceScorer({ score: noise })],
    ['one probability for all', () => fakeSentenceScorer({ score: () => 0.5 })],
    ['the words of the question', () => fakeSentenceScorer()],
    ['the opposite of the evidence', () => knowing(0)],
  ])('that gives %s does not win', async (_, make) => {
    const { wins, reasons } = await measure(make());
    expect(wins).toBe(false);
    expect(reasons.join(' ')).toMatch(/may be chance/);
  });

  test('does not win with few questions', async () => {
    const { wins, reasons } = await measure(knowing(), { data: DATA.slice(0, 40) });
    expect(wins).toBe(false);
    expect(reasons).toEqual(['40 questions are too few: trust needs 60.']);
  });

  test('is asked once for each question, and its profile is the same for the same data in another order', async () => {
    const scorer = knowing();
    const once = await measure(scorer);
    expect(scorer.calls).toHaveLength(80);
    const other = DATA.toReversed().map((each) => ({ ...each, passages: each.passages.toReversed() }));
    expect(await measure(knowing(), { data: other })).toEqual(once);
  });

  test('that fails on some questions is measured as in use; on all, it is an error', async () => {
    const scorer = knowing();
    let call = 0;
    const flaky = {
      ...scorer,
      score: async (...asked: Parameters<typeof scorer.score>) => {
        if (call++ % 8 === 0) throw new Error('out of memory');
        return scorer.score(...asked);
      },
    };
    expect(await measure(flaky, { share: 0.5 })).toMatchObject({
      failed: 10,
      wins: true,
      settings: { share: 0.5 },
    });
    await expect(measure(fakeSentenceScorer({ fail: 'throw' }))).rejects.toMatchObject({
      kind: 'service',
      field: 'options',
    });
  });
});

describe('evidence', () => {
  const quoted = (quotes: (text: string) => string[]) =>
    DATA.map((each) => ({
      ...each,
      passages: each.passages.map(({ evidence: _, ...passage }) =>
        passage.relevant ? { ...passage, evidence: quotes(passage.text) } : passage,
      ),
    }));

  test('is the sentences that quotes overlap, without case and white space', async () => {
    const data = quoted((text) => [
      text.slice(text.indexOf('finished'), text.indexOf('Rain') + 4).toUpperCase(),
    ]);
    const { ranking, questions } = await measure(knowing(), { data, share: 1 });
    // The quote reaches into the last sentence, of which the scorer knows nothing.
    expect(questions).toBe(80);
    expect(ranking.auc).toBeGreaterThan(0.7);
    expect(ranking.auc).toBeLessThan(1);
  });

  test('is the sentences with an answer; an id does not say which part of a chunk it means', async () => {
    const cases = DATA.map(caseOf).map((each, at) => ({
      ...each,
      evidence: { answers: [DATA[at]?.answer] },
    }));
    const options = { extract: { scorer: { model: knowing() } } };
    const { figures } = await fitModels({ cases, options });
    // The other chunk has the year, too.
    expect(figures.scorer).toMatchObject({ questions: 80, ranking: { auc: expect.closeTo(0.7, 0) } });
    const ids = cases.map((each) => ({ ...each, evidence: { ids: ['passage 0'] } }));
    await expect(fitModels({ cases: ids, options })).rejects.toMatchObject({
      field: 'cases',
      remedy: expect.stringContaining('Sentences need answers or passages'),
    });
  });
});
