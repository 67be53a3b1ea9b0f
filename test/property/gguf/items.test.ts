/** How the small model scores labelled passages: it knows answers, and is fooled if an answer stands in another context. */
import type { ScoredText } from 'context-shaping';
import { expect, test } from 'vitest';
import {
  areaUnderCurve,
  items,
  lures,
  overlap,
  requestOf,
  scoreRequests,
  tinyModel,
} from '../../adapters/logprobs/items.js';
import { ggufModel } from '../../gguf/gguf-model.js';

test('the area under the curve counts pairs', () => {
  expect(areaUnderCurve([3, 2], [1, 0])).toBe(1);
  expect(areaUnderCurve([0], [1, 2])).toBe(0);
  expect(areaUnderCurve([1, 2], [1, 3])).toBe((0.5 + 0 + 1 + 0) / 4);
});

test('there are 60 questions, 480 passages, and 60 that only look like answers', () => {
  expect(items).toHaveLength(60);
  expect(scoreRequests()).toHaveLength(540);
  for (const [place, lure] of lures().entries()) {
    const { answer, question, candidates } = items[place] as (typeof items)[number];
    expect(lure).toContain(answer);
    const asked = question.replace('?', '').split(' ');
    expect(asked.filter((word) => lure.replaceAll('.', '').split(' ').includes(word))).not.toContain(
      asked.at(-1),
    );
    expect(candidates.filter(({ kind }) => kind === 'answer').map(({ text }) => text)).not.toContain(lure);
  }
});

test('passages that answer make answers more probable than all others do', async () => {
  const model = ggufModel(tinyModel());
  const logprobs = async (requests: Parameters<typeof model.score>[0]) => {
    const { results } = await model.score(requests);
    return results.map((result) => (result as ScoredText).logprob);
  };
  const scores = await logprobs(scoreRequests());
  const deceived = await logprobs(items.map((item, place) => requestOf(item, lures()[place])));
  const baselines = items.map((_, item) => scores[9 * item] as number);
  const passages = items.flatMap(({ question, candidates }, item) =>
    candidates.map(({ kind, text }, place) => ({
      kind,
      utility: (scores[9 * item + 1 + place] as number) - (baselines[item] as number),
      overlap: overlap(question, text),
    })),
  );
  const answers = passages.filter(({ kind }) => kind === 'answer');
  const others = passages.filter(({ kind }) => kind !== 'answer');
  const area = (of: 'utility' | 'overlap') =>
    areaUnderCurve(
      answers.map((each) => each[of]),
      others.map((each) => each[of]),
    );
  const lureUtilities = deceived.map((score, item) => score - (baselines[item] as number));
  const lureArea = areaUnderCurve(
    answers.map(({ utility }) => utility),
    lureUtilities,
  );
  console.log(
    `answers against others: utility ${area('utility').toFixed(4)}, words ${area('overlap').toFixed(4)}; ` +
      `answers against lures: utility ${lureArea.toFixed(4)}`,
  );
  expect(area('utility')).toBeGreaterThan(0.999);
  expect(area('overlap')).toBeCloseTo(0.878, 3);
  // The model looks for names at the usual positions of answers, not for the subject of the question: chance level.
  expect(Math.abs(lureArea - 0.5)).toBeLessThan(0.05);
});
