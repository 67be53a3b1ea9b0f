import { ContextShapingError } from 'context-shaping';
import { aiSdkShaping, shapedReranking } from 'context-shaping-agents/ai-sdk';
import { expect, test } from 'vitest';

const errorOf = (make: () => unknown) => {
  try {
    make();
  } catch (error) {
    if (ContextShapingError.isInstance(error)) return error;
    throw error;
  }
  return expect.unreachable('must be refused');
};

test.each([
  [{ thread: 7 }, 'thread'],
  [{ cacheControl: 'ephemeral' }, 'cacheControl'],
  [{ maxTokens: 0 }, 'maxTokens'],
  [{ thred: 'a' }, 'thred'],
  [null, 'options'],
])('%o is refused', (options, field) => {
  const error = errorOf(() => aiSdkShaping(options as never));
  expect(error).toMatchObject({ kind: 'invalid-options', field });
});

test('a near miss of a name is corrected', () => {
  expect(errorOf(() => aiSdkShaping({ maxTooltokens: 1 } as never)).remedy).toBe(
    'Did you mean maxToolTokens?',
  );
});

test('a ranking takes the options of a shaper', () => {
  expect(errorOf(() => shapedReranking({ topN: 2 } as never)).field).toBe('topN');
});
