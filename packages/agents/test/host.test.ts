/** The options of every host: a wrong one is named. */
import { ContextShapingError } from 'context-shaping';
import { aiSdkShaping } from 'context-shaping-agents/ai-sdk';
import { contextShapingProcessor } from 'context-shaping-agents/mastra';
import { openAiAgentsShaping, shapedModelInput } from 'context-shaping-agents/openai-agents';
import { expect, test } from 'vitest';

const errorOf = (make: (options: never) => unknown, options: unknown) => {
  try {
    make(options as never);
  } catch (error) {
    if (ContextShapingError.isInstance(error)) return error;
    throw error;
  }
  return expect.unreachable('must be refused');
};

const HOSTS = { aiSdkShaping, contextShapingProcessor, openAiAgentsShaping, shapedModelInput };
test.each(Object.entries(HOSTS))('%s', (_, make) => {
  for (const [options, field] of [
    [{ thread: 7 }, 'thread'],
    [{ maxTokens: 0 }, 'maxTokens'],
    [{ handleKey: 'short' }, 'handleKey'],
    [{ maxTooltokens: 1 }, 'maxTooltokens'],
    ['options', 'options'],
  ] as const)
    expect(errorOf(make, options)).toMatchObject({ kind: 'invalid-options', field });
});

test('options of one host alone, and a near miss of a name', () => {
  for (const make of [aiSdkShaping, contextShapingProcessor])
    expect(errorOf(make, { cacheControl: 'ephemeral' }).field).toBe('cacheControl');
  expect(errorOf(aiSdkShaping, null).field).toBe('options');
  expect(errorOf(contextShapingProcessor, { thread: 'one' }).field).toBe('thread');
  expect(errorOf(aiSdkShaping, { maxTooltokens: 1 }).remedy).toBe('Did you mean maxToolTokens?');
});
