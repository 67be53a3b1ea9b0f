import { expect, test } from 'vitest';
import { parseJson } from '../../../adapters/cli/parse-json.js';

test.each([
  ['{"a" 1}', /^a\.json, line 1, column 6, is not JSON: .*Write|Correct/s],
  ['{\n  "a": 1,\n}', /^a\.json, line 3, column 1, is not JSON: /],
  ['[1 2]', /^a\.json, line 1, column 4, is not JSON: /],
  ['', /^a\.json, is not JSON: Unexpected end of JSON input/],
  ['{"a": tru}', /^a\.json, (line 1, column 10, )?is not JSON: Unexpected token/],
])('%j is named with its place', (text, message) => {
  expect(() => parseJson(text, 'a.json')).toThrow(message);
});

test('a line of a file has its own number', () => {
  const own = { line: 7, remedy: 'Write one value per line.' };
  expect(() => parseJson('{"a" 1}', 'a.jsonl', own)).toThrow(
    /^a\.jsonl, line 7, column 6, is not JSON: .* Write one value per line\.$/,
  );
  expect(parseJson('[1, {"b": null}]', 'a.jsonl', own)).toEqual([1, { b: null }]);
});

test('neither depth nor length is a danger', () => {
  expect(() => parseJson('['.repeat(200_000), 'deep.json')).toThrow('is not JSON');
  const text = `{"a": "${'x\\n'.repeat(2_000_000)}" oops}`;
  expect(() => parseJson(text, 'big.json')).toThrow(/^big\.json, line 1, column 6000010, .*oops/);
});
