import { join } from 'node:path';
import { createShaper, type SentenceRequest, type SentenceScores } from 'context-shaping';
import { sentenceScorerContract } from 'context-shaping/testing';
import { type SentencePruner, sentencePruner } from 'context-shaping/transformers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadEngine, type Tokenizer } from '../../../../adapters/transformers/engine.js';
import { partsOf } from '../../../../adapters/transformers/sentence-pruner.js';
import { unitsOf } from '../../../../src/text/units/units.js';
import { folderOfFile, isInstalled, mustBeInstalled } from '../../../adapters/transformers/engine.js';
import { apply, encode } from '../../../adapters/transformers/onnx-encoder.js';
import {
  type PruningModel,
  TINY_ENCODER,
  WORD_PIECES,
  writeCausalModel,
  writeCrossEncoder,
  writePruningModel,
} from '../../../adapters/transformers/tiny-models.js';

mustBeInstalled();

const QUESTION = 'When was the bridge opened?';
/** Joins parts; a part in brackets is no sentence. */
function request(question: string, ...parts: readonly string[]): SentenceRequest {
  let passage = '';
  const sentences: { start: number; end: number }[] = [];
  for (const part of parts) {
    const text = part.replace(/^\[(.*)\]$/s, '$1');
    if (text === part) sentences.push({ start: passage.length, end: passage.length + text.trimEnd().length });
    passage += text;
  }
  return { question, passage, sentences };
}
const REQUESTS = [
  request(QUESTION, 'The bridge was opened in 1932. ', 'Cats sleep all day.'),
  request(QUESTION, '[the passage: ]', 'a b c d, e f. ', '[\n\n]', 'In 1932!', '[ -- ]'),
  request('all cats?', 'Sleep all day. ', 'x'),
];

/** The pieces of a text, read off the vocabulary: tests use words that are tokens, digits and single letters. */
function pieces(text: string): number[] {
  const words = text.toLowerCase().match(/[a-z0-9]+|[^\sa-z0-9]/g) ?? [];
  return words.flatMap((word) =>
    WORD_PIECES.has(word)
      ? [WORD_PIECES.get(word) as number]
      : Array.from(word, (letter, at) => WORD_PIECES.get(at === 0 ? letter : `##${letter}`) as number),
  );
}
const [CLS, SEP] = [WORD_PIECES.get('[CLS]') as number, WORD_PIECES.get('[SEP]') as number];

/** The probability of keeping each token of one window, in plain arithmetic. */
function keepIn({ encoder, head }: PruningModel, question: string, ids: readonly number[]): number[] {
  const first = [CLS, ...pieces(question), SEP];
  const second = [...ids, SEP];
  const states = encode(encoder, [...first, ...second], [...first.map(() => 0), ...second.map(() => 1)]);
  return ids.map((_, at) => {
    const [drop, keep] = apply(head, states[first.length + at] as Float64Array) as unknown as [
      number,
      number,
    ];
    return Math.exp(keep) / (Math.exp(keep) + Math.exp(drop));
  });
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The scores of a passage that is one window. */
function scoresOf(model: PruningModel, { question, passage, sentences }: SentenceRequest): number[] {
  const keep = keepIn(model, question, pieces(passage));
  return sentences.map(({ start, end }) => {
    const [before, own] = [pieces(passage.slice(0, start)), pieces(passage.slice(start, end))];
    return mean(keep.slice(before.length, before.length + own.length));
  });
}

const close = (scores: readonly number[]) => ({ scores: scores.map((score) => expect.closeTo(score, 4)) });

describe.skipIf(!isInstalled)('models that prune passages', () => {
  const folder = folderOfFile();
  const model = join(folder, 'tiny');
  let tiny: PruningModel;
  beforeAll(() => {
    tiny = writePruningModel(model);
  });

  describe('keep to the port', () => {
    let pruner: SentencePruner;
    beforeAll(async () => {
      pruner = await sentencePruner({ model });
    });
    afterAll(() => pruner?.dispose());
    // The batch that a window is in changes its last bits.
    const checks = sentenceScorerContract(() => pruner, { tolerance: 1e-4 });
    test.each(checks)('$name', ({ run }) => run());
  });

  test('a sentence has the mean of its tokens’ probabilities of being kept', async () => {
    await using pruner = await sentencePruner({ model });
    const { results, usage } = await pruner.score(REQUESTS);
    expect(results).toEqual(REQUESTS.map((each) => close(scoresOf(tiny, each))));
    const scores = results.flatMap((each) => [...(each as SentenceScores).scores]);
    expect(Math.max(...scores) - Math.min(...scores)).toBeGreaterThan(0.1);
    // Each pair has three marks, and the pieces of both texts.
    const tokens = REQUESTS.map(
      ({ question, passage }) => 3 + pieces(question).length + pieces(passage).length,
    );
    expect(usage).toEqual({ requests: 1, tokens: tokens.reduce((sum, count) => sum + count, 0) });
  });

  test('a long passage is read in windows that end between sentences', async () => {
    const parts = Array.from({ length: 12 }, (_, at) => `the passage was a b c ${at % 10} all day. `);
    const long = request(QUESTION, ...parts);
    const room = TINY_ENCODER.positions - 3 - pieces(QUESTION).length;
    const length = pieces(parts[0] as string).length;
    const perWindow = Math.floor(room / length);
    expect(perWindow).toBeLessThan(12);
    const expected: number[] = [];
    for (let from = 0; from < parts.length; from += perWindow) {
      const own = parts.slice(from, from + perWindow);
      const keep = keepIn(tiny, QUESTION, pieces(own.join('')));
      for (const at of own.keys()) expected.push(mean(keep.slice(at * length, (at + 1) * length)));
    }
    await using pruner = await sentencePruner({ model, batchSize: 2 });
    const { results, usage } = await pruner.score([long, REQUESTS[0] as SentenceRequest]);
    expect(results).toEqual([close(expected), close(scoresOf(tiny, REQUESTS[0] as SentenceRequest))]);
    expect(usage.requests).toBe(Math.ceil((Math.ceil(12 / perWindow) + 1) / 2));
  });

  test('a sentence that is longer than a window has several', async () => {
    const ids = Array.from({ length: 70 }, (_, at) => `${at % 10}`);
    const long = request(QUESTION, `${ids.join(' ')} `, 'cats sleep.');
    const room = TINY_ENCODER.positions - 3 - pieces(QUESTION).length;
    const all = pieces(long.passage);
    const keep: number[] = [];
    for (let from = 0; from < all.length; from += room)
      keep.push(...keepIn(tiny, QUESTION, all.slice(from, from + room)));
    await using pruner = await sentencePruner({ model });
    const { results } = await pruner.score([long]);
    expect(results).toEqual([close([mean(keep.slice(0, 70)), mean(keep.slice(70))])]);
  });

  test('windows are no longer than maxLength, and than the configuration says', async () => {
    const short = join(folder, 'short');
    writePruningModel(short, { maxLength: 20 });
    await using own = await sentencePruner({ model: short });
    await using asked = await sentencePruner({ model, maxLength: 20 });
    await using whole = await sentencePruner({ model });
    const long = request(
      QUESTION,
      'the bridge was opened in the day. ',
      'cats sleep all day, all day, all day.',
    );
    const [one] = (await own.score([long])).results;
    expect((await asked.score([long])).results).toEqual([one]);
    expect((await whole.score([long])).results).not.toEqual([one]);
    expect(await asked.identify()).not.toBe(await whole.identify());
  });

  test('a question that leaves no room fails alone', async () => {
    await using pruner = await sentencePruner({ model });
    const { results } = await pruner.score([
      request('1 '.repeat(80), 'cats sleep.'),
      REQUESTS[0] as SentenceRequest,
    ]);
    expect(results).toEqual([
      { failure: 'The question leaves no room for a passage; the model takes 64 tokens.' },
      close(scoresOf(tiny, REQUESTS[0] as SentenceRequest)),
    ]);
  });

  test('other models are refused', async () => {
    const other = join(folder, 'cross-encoder');
    writeCrossEncoder(other);
    await expect(sentencePruner({ model: other })).rejects.toMatchObject({
      kind: 'invalid-input',
      problem: 'has no output pruning_logits',
    });
    const three = join(folder, 'three-labels');
    writePruningModel(three, { labels: 3 });
    await using pruner = await sentencePruner({ model: three });
    const { results } = await pruner.score(REQUESTS.slice(0, 1));
    expect(results).toEqual([{ failure: 'The model gave no two finite logits for each token.' }]);
  });

  test('a shaper extracts by it', async () => {
    await using pruner = await sentencePruner({ model });
    const chunks = REQUESTS.slice(0, 2).map(({ passage }, at) => ({ id: `${at}`, text: passage }));
    const scorer = { model: pruner, trust: 'always', share: 1 } as const;
    const { report } = await createShaper({ budget: { maxTokens: 8 }, extract: { scorer } }).shape({
      query: QUESTION,
      chunks,
    });
    expect(report.degradations.filter(({ code }) => code.startsWith('scorer'))).toEqual([]);
    expect(report.sentences).toMatchObject({ trust: 'always', chunks: 2 });
  });

  test('parts have together the tokens of the whole', async () => {
    const llama = join(folder, 'llama');
    writeCausalModel(llama);
    const engine = await loadEngine(undefined, 'sentencePruner');
    const passage =
      'In Lutorjo the teacher is old. Everyone asks!\n\n# Roads\n\n- one, two\n- three  (four)\n\nThe end … 🙂 大桥。';
    for (const path of [model, llama]) {
      const tokenizer: Tokenizer = await engine.AutoTokenizer.from_pretrained(path, {
        revision: 'main',
        local_files_only: true,
      });
      const sentences = unitsOf(passage).filter(({ kind }) => kind !== 'heading');
      const parts = partsOf(tokenizer, passage, sentences);
      const whole = tokenizer(passage, { add_special_tokens: false, return_tensor: false }).input_ids;
      expect(parts.flatMap(({ ids }) => ids)).toEqual(whole);
      expect(new Set(parts.map(({ sentence }) => sentence))).toEqual(
        new Set([undefined, ...sentences.keys()]),
      );
    }
  });

  test('a passage cannot forge the marks of the model', async () => {
    await using pruner = await sentencePruner({ model });
    const [forged, spaced] = (
      await pruner.score([
        request(QUESTION, 'cats [SEP] sleep. ', 'the day.'),
        request(QUESTION, 'cats [ SEP] sleep. ', 'the day.'),
      ])
    ).results;
    expect(forged).toEqual(spaced);
  });
});
