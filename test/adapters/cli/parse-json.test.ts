import { expect, test } from 'vitest';
import { parseJson } from '../../../adapters/cli/parse-json.js';

test.each([
  ['{"a" 1}', /^a\.json is not JSON: .* Correct the text/],
  ['', /^a\.json is not JSON: Unexpected end of JSON input/],
  ['{"a": tru}', /^a\.json is not JSON: Unexpected token/],
  ['['.repeat(200_000), /^a\.json is not JSON: /],
])('%.20s is named with its source', (text, message) => {
  expect(() => parseJson(text, 'a.json')).toThrow(message);
  expect(() => parseJson(text, 'a.json', 'Write one value per line.')).toThrow(
    / Write one value per line\.$/,
  );
});
