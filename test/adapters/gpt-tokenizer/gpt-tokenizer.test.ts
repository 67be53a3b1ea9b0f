import { createShaper } from 'context-shaping';
import { gptTokenizer } from 'context-shaping/gpt-tokenizer';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';

const text = 'The bridge opened in 1932; 橋は1932年に開通した。';

test('the counter counts as the package does, and the option finds it by its name', async () => {
  const counter = await gptTokenizer('o200k_base');
  expect(counter(text)).toBe(countTokens(text));
  const chunks = [{ id: 'a', text }];
  const { chunks: named } = await createShaper({ tokenizer: 'o200k_base' }).shape({
    query: 'bridge',
    chunks,
  });
  expect(named[0]?.tokens).toBe(countTokens(text));
});
