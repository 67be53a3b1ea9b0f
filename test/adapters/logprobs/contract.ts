/** The contract of all language models behind the port, tested with the small model on each engine. */
import type { Answers, Failed, LogprobModel, ScoredText } from 'context-shaping';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deepFreeze } from '../../support.js';
import { type Item, items, requestOf } from './items.js';

export interface ModelUnderTest {
  model: LogprobModel;
  /** Another engine with the same weights. */
  oracle?: LogprobModel;
  /** The largest difference of a token's log-probability from that of the oracle, and between two calls. */
  tolerance: number;
  close?(): Promise<void>;
}

const [first, second, third] = items as [Item, Item, Item, ...Item[]];
const helpful = (item: Item) => requestOf(item, item.candidates[0]?.text);

/** A prompt with a passage that answers, one with a passage that does not, and one without a passage. */
const REQUESTS = [first, second, third].flatMap((item) => [
  helpful(item),
  requestOf(item, item.candidates[2]?.text),
  requestOf(item),
]);
const DOZEN = items.slice(0, 12).map((item, place) => requestOf(item, item.candidates[place % 8]?.text));
const OF_SEVERAL_BYTES = { prompt: helpful(first).prompt, continuation: ' Zürich 🙂' };

export function logprobModelContract(name: string, make: () => Promise<ModelUnderTest>): void {
  describe(`${name} keeps to the port`, () => {
    let subject: ModelUnderTest;
    let model: LogprobModel;
    beforeAll(async () => {
      subject = await make();
      model = subject.model;
    });
    afterAll(() => subject?.close?.());

    const near = (actual: number, expected: number, tolerance = subject.tolerance) =>
      expect(Math.abs(actual - expected), `${actual} against ${expected}`).toBeLessThanOrEqual(tolerance);
    const expectSame = (actual: Answers<ScoredText>, expected: Answers<ScoredText>) => {
      expect(actual.results).toHaveLength(expected.results.length);
      for (const [place, result] of actual.results.entries()) {
        const [a, b] = [answered(result), answered(expected.results[place])];
        expect([a.exact, a.tokens.map(({ text }) => text)]).toEqual([
          b.exact,
          b.tokens.map(({ text }) => text),
        ]);
        for (const [at, { logprob }] of a.tokens.entries()) near(logprob, b.tokens[at]?.logprob as number);
      }
    };

    test('has one name, and says of itself what a port may say', async () => {
      const { specificationVersion = 'v1', provider = '-', modelId = '-' } = model;
      const name = await model.identify();
      expect(specificationVersion).toBe('v1');
      for (const each of [provider, modelId, name]) expect(each).toMatch(/./);
      expect(await model.identify({})).toBe(name);
    });

    test('answers each request, in their order, and asks nothing for nothing', async () => {
      const forwards = await model.score(deepFreeze(structuredClone(REQUESTS)));
      const backwards = await model.score(REQUESTS.toReversed());
      expectSame({ ...backwards, results: backwards.results.toReversed() }, forwards);
      expect(new Set(forwards.results.map((result) => answered(result).logprob)).size).toBe(REQUESTS.length);
      expect(forwards.usage.requests).toBeGreaterThanOrEqual(1);
      for (const nothing of [await model.score([]), await model.nextTokens([])])
        expect([nothing.results, nothing.usage.requests]).toEqual([[], 0]);
      const { results } = await model.score([{ prompt: helpful(first).prompt, continuation: '' }]);
      expect(results).toEqual([{ tokens: [], logprob: 0, exact: true }]);
    });

    test('scores a text as its tokens together, which make it, and never above certainty', async () => {
      const several = REQUESTS.map(({ prompt }) => ({ ...OF_SEVERAL_BYTES, prompt }));
      const { results } = await model.score([...REQUESTS, ...several]);
      for (const [place, { tokens, logprob, exact }] of results.map(answered).entries()) {
        const sum = tokens.reduce((total, token) => total + token.logprob, 0);
        for (const token of tokens) expect(token.logprob).toBeLessThanOrEqual(0);
        expect(Number.isFinite(logprob)).toBe(true);
        expect(logprob).toBeLessThanOrEqual(Math.min(0, sum + 1e-6));
        if (exact) near(logprob, sum, 1e-6);
        const continuation = REQUESTS[place]?.continuation;
        const text = tokens.map((token) => token.text).join('');
        if (continuation !== undefined)
          expect(text).toBe(exact ? continuation : continuation.slice(0, text.length));
      }
    });

    test('tells the most probable tokens after a prompt, best first, as probable as it scores them', async () => {
      const { results, usage } = await model.nextTokens(REQUESTS.map(({ prompt }) => prompt));
      expect(usage.requests).toBeGreaterThanOrEqual(1);
      const { results: scored } = await model.score(REQUESTS);
      for (const [place, listed] of results.map(answered).entries()) {
        const { text, logprob } = answered(scored[place]).tokens[0] as { text: string; logprob: number };
        const logprobs = listed.map((each) => each.logprob);
        expect(logprobs.length).toBeGreaterThanOrEqual(1);
        expect(logprobs.length).toBeLessThanOrEqual(20);
        expect(logprobs).toEqual(logprobs.toSorted((a, b) => b - a));
        expect(logprobs[0]).toBeLessThanOrEqual(0);
        expect(logprobs.reduce((total, each) => total + Math.exp(each), 0)).toBeLessThan(1 + 1e-4);
        const itself = listed.find((each) => each.text === text);
        if (itself) near(itself.logprob, logprob);
        else expect(logprob).toBeLessThanOrEqual((logprobs.at(-1) as number) + subject.tolerance);
      }
    });

    test('an answer is more probable where a passage gives it', async () => {
      const { results } = await model.score(REQUESTS);
      for (let place = 0; place < results.length; place += 3) {
        const [helped, misled, alone] = results.slice(place, place + 3).map((each) => answered(each).logprob);
        expect(helped).toBeGreaterThan(misled as number);
        expect(helped).toBeGreaterThan(alone as number);
      }
    });

    test('the answer that a passage gives begins with the most probable token, the same each time', async () => {
      const prompts = [first, second].map((item) => helpful(item).prompt);
      const [one, again] = [await model.nextTokens(prompts), await model.nextTokens(prompts)];
      for (const [place, result] of one.results.entries()) {
        const [best] = answered(result);
        expect(` ${items[place]?.answer}`.startsWith(best?.text as string)).toBe(true);
        expect(answered(again.results[place]).map(({ text }) => text)).toEqual(
          answered(result).map(({ text }) => text),
        );
      }
    });

    test('agrees with another program that runs the same weights', async ({ skip }) => {
      const { oracle } = subject;
      if (oracle === undefined) return skip('there is no other');
      const [{ results }, expected] = [await model.score(DOZEN), await oracle.score(DOZEN)];
      for (const [place, result] of results.map(answered).entries()) {
        const truth = answered(expected.results[place]);
        if (result.exact) {
          expect(result.tokens.map(({ text }) => text)).toEqual(truth.tokens.map(({ text }) => text));
          for (const [at, { logprob }] of result.tokens.entries()) {
            near(logprob, truth.tokens[at]?.logprob as number);
          }
        } else {
          expect(result.logprob).toBeGreaterThanOrEqual(truth.logprob - subject.tolerance);
        }
      }
    });

    test('knows answers whose letters are parts of several tokens', async () => {
      const { results } = await model.score([OF_SEVERAL_BYTES, helpful(first)]);
      const [strange, expected] = results.map(answered) as [ScoredText, ScoredText];
      expect(strange.logprob).toBeLessThan(expected.logprob);
      expect(Number.isFinite(strange.logprob)).toBe(true);
      if (subject.oracle === undefined) return;
      const truth = answered((await subject.oracle.score([OF_SEVERAL_BYTES])).results[0]);
      if (strange.exact) near(strange.logprob, truth.logprob, subject.tolerance * truth.tokens.length);
      else expect(strange.logprob).toBeGreaterThanOrEqual(truth.logprob - subject.tolerance);
    });

    test.each(['before', 'at once', 'a moment later'])(
      'stops when aborted %s, and goes on afterwards',
      async (when) => {
        const reason = new Error('took too long');
        const prompts = [...REQUESTS, ...DOZEN, ...DOZEN].map(({ prompt }) => prompt);
        for (const begin of [
          (signal: AbortSignal) => model.score([...REQUESTS, ...DOZEN, ...DOZEN], { signal }),
          (signal: AbortSignal) => model.nextTokens(prompts, { signal }),
        ]) {
          const controller = new AbortController();
          if (when === 'before') controller.abort(reason);
          const outcome = expect(begin(controller.signal)).rejects.toBe(reason);
          if (when === 'a moment later') await new Promise((resolve) => setImmediate(resolve));
          controller.abort(reason);
          await outcome;
        }
        const { results } = await model.score(REQUESTS.slice(0, 1));
        expect(answered(results[0]).logprob).toBeLessThanOrEqual(0);
      },
    );

    test('calls at the same time do not mix', async () => {
      const alone = await model.score(REQUESTS);
      const { prompt } = helpful(second);
      const [reversed, listed, same] = await Promise.all([
        model.score([...REQUESTS].reverse()),
        model.nextTokens([prompt]),
        model.score(REQUESTS),
      ]);
      expectSame(same, alone);
      expectSame({ ...reversed, results: [...reversed.results].reverse() }, alone);
      expect(` ${second.answer}`).toMatch(new RegExp(`^${answered(listed.results[0])[0]?.text}`));
    });
  });
}

/**
 * The contract of models that put prompts into the chat template of their server.
 *
 * @param serve makes a server that renders this template, and a model on it.
 */
export function chatTemplateContract(
  name: string,
  serve: (
    template: (message: string) => string,
  ) => Promise<{ model: LogprobModel; close(): Promise<unknown> }>,
): void {
  describe(`${name} with a chat template`, () => {
    test('says so in its name', async () => {
      const { model, close } = await serve((message) => `${message}:`);
      expect(await model.identify()).toMatch(/:chat$/);
      await close();
    });

    test.each([
      ['drops the message', () => 'Hello.'],
      ['repeats the message', (message: string) => message + message],
    ])('that %s is refused', async (_, template) => {
      const { model, close } = await serve(template);
      await expect(model.nextTokens(['Who?'])).rejects.toMatchObject({
        kind: 'service',
        problem: 'shows a chat template that does not repeat the message once',
        remedy: expect.stringMatching(/template/),
      });
      await close();
    });
  });
}

/** The result, which must not be a failure. */
function answered<Result extends object>(result: Result | Failed | undefined): Result {
  if (result === undefined || 'failure' in result) {
    return expect.unreachable(`no answer: ${result?.failure}`);
  }
  return result;
}
