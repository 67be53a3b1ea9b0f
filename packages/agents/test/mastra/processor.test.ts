/** The options; `packages/agents/test/hosts/mastra.test.ts` has the processor in real agents. */
import { ContextShapingError } from 'context-shaping';
import { contextShapingProcessor } from 'context-shaping-agents/mastra';
import { expect, test } from 'vitest';

test.each([
  [{ thread: 'one' }, 'thread'],
  [{ cacheControl: 'yes' }, 'cacheControl'],
  [{ maxTokens: 0 }, 'maxTokens'],
  [{ maxToolToken: 100 }, 'maxToolToken'],
  [{ handleKey: 'short' }, 'handleKey'],
  ['options', 'options'],
])('wrong options are refused: %j', (options, field) => {
  const error = (() => {
    try {
      contextShapingProcessor(options as never);
    } catch (thrown) {
      return thrown;
    }
    return undefined;
  })();
  expect(ContextShapingError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({ kind: 'invalid-options', field });
});
