import { expect, test } from 'vitest';
import { isRead, toolTest } from '../src/tool-calls.js';

test.each([
  [{ path: 'a.md' }, true],
  [{ file_path: 'a.md', offset: 10, limit: 20 }, true],
  [{ relativePath: 'a.md', encoding: 'utf8' }, true],
  [{ paths: ['a.md', 'b.md'] }, true],
  [{ owner: 'ada', repo: 'notes', path: 'a.md', ref: 'main' }, true],
  [{ url: 'https://example.com/' }, true],
  [{ path: 'src', pattern: 'price|cost' }, false],
  [{ path: 'src', pattern: '' }, true],
  [{ url: 'https://example.com/', prompt: 'What does it cost?' }, false],
  [{ file: 'a.md', searchTerms: ['price'] }, false],
  [{ query: 'path of a file' }, false],
  [{ path: '' }, false],
  [{ path: 3 }, false],
  [{ pathology: 'a' }, false],
  [{}, false],
  ['a.md', false],
  [null, false],
  [undefined, false],
])('a call with %j reads a place: %s', (input, is) => {
  expect(isRead(input)).toBe(is);
});

test.each([
  [{}, 'Bash', true],
  [{ tools: ['Bash'] }, 'Bash', true],
  [{ tools: ['Bash'] }, 'BashOutput', false],
  [{ tools: ['bash'] }, 'Bash', false],
  [{ tools: [] }, 'Bash', false],
  [{ tools: ['mcp__*__search'] }, 'mcp__a.b__search', true],
  [{ tools: ['mcp__a.b__*'] }, 'mcp__axb__search', false],
  [{ except: ['mcp__*'] }, 'mcp__a__b\nc', false],
  [{ tools: ['*'], except: ['*sh'] }, 'Bash', false],
  [{ tools: ['(a)+[b]{2}^$|\\?'] }, '(a)+[b]{2}^$|\\?', true],
])('with %j, %s is shaped: %s', (names, tool, is) => {
  expect(toolTest(names)(tool)).toBe(is);
});
