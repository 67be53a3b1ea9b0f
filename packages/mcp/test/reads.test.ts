/** Files that a call reads, tools that are left out, and values that are nested too deep. */
import { estimateTokens as tokens } from 'context-shaping';
import { expect, test } from 'vitest';
import { answer, call, handleIn, lines, manual, textOf } from './support.js';

/** The text that the client gets for a text of the server. */
async function passed(
  options: Parameters<typeof lines>[0],
  tool: string,
  args: Record<string, unknown>,
  text: string,
): Promise<string> {
  const { client, server } = lines(options);
  client.write(call(1, tool, args));
  server.write(answer((await server.next()).id, { content: [{ type: 'text', text }] }));
  return textOf((await client.next()).result);
}

test('a read passes whole up to its own limit; an answer does not', async () => {
  const text = manual(100);
  const options = { maxTokens: 500, readTokens: tokens(text) };
  expect(await passed(options, 'read_text_file', { path: 'pumps/pump-31.md' }, text)).toBe(text);
  expect(await passed({ maxTokens: 500 }, 'read_text_file', { path: 'a.md', head: 900 }, text)).toBe(text);
  const found = await passed(options, 'search_files', { path: 'pumps', pattern: 'pump 31' }, text);
  expect(tokens(found)).toBeLessThanOrEqual(500);
});

test('beyond the limit, a read is not shaped by the words of its path', async () => {
  const text = manual(200);
  const options = { maxTokens: 500, readTokens: 600, handleKey: 'k'.repeat(16) };
  const withoutHandles = (shown: string) => shown.replace(/[\w-]{22}/g, '');
  const read = async (path: string) => passed(options, 'read_text_file', { path }, text);
  const [one, other] = [await read('pressure/of/pump 190'), await read('hall 3 of pump 12')];
  expect(withoutHandles(one)).toBe(withoutHandles(other));
  expect(tokens(one)).toBeLessThanOrEqual(600);
  expect(handleIn(one)).toMatch(/^[\w-]{22}$/);
});

test('an argument that is named as the question of a tool makes its call an answer', async () => {
  const options = { maxTokens: 500, readTokens: 100_000, queryFields: { look: 'path' } };
  const text = await passed(options, 'look', { path: 'pressure of pump 90' }, manual(100));
  expect(text).toContain('The pump 90 in hall 6');
  expect(tokens(text)).toBeLessThanOrEqual(500);
});

test('the other arguments of a call with a question still say what its result is', async () => {
  const functions = Array.from(
    { length: 60 },
    (_, at) =>
      `def pressure_${at}(pump):\n    """It is measured at noon, and nobody knows why it is."""\n    one = ${at}\n    return one`,
  );
  const shown = (args: Record<string, unknown>) =>
    passed({ maxTokens: 500, queryFields: { look: 'about' } }, 'look', args, functions.join('\n'));
  expect(await shown({ path: 'src/pumps.py', about: 'pressure_31' })).toMatch(
    /def pressure_31[^…]+return one/,
  );
  expect(await shown({ path: 'src/pumps.py', about: 'pressure_31' })).toMatch(/… \d lines/);
});

test('results of tools that are left out pass as they are', async () => {
  const text = manual(100);
  for (const [names, tool, isWhole] of [
    [{ tools: ['search', 'find_*'] }, 'search', false],
    [{ tools: ['search', 'find_*'] }, 'find_files', false],
    [{ tools: ['search', 'find_*'] }, 'list', true],
    [{ except: ['list*'] }, 'list_files', true],
    [{ except: ['list*'] }, 'search', false],
    [{ tools: ['s*'], except: ['search'] }, 'search', true],
  ] as const) {
    const shown = await passed({ maxTokens: 500, ...names }, tool, { query: 'pump 31' }, text);
    expect(shown === text, `${JSON.stringify(names)} ${tool}`).toBe(isWhole);
  }
});

test('values that are nested too deep pass whole, and the message says so', async () => {
  const problems: string[] = [];
  const { client, server } = lines({
    maxTokens: 100,
    onError: (error) => problems.push((error as Error).message),
  });
  client.write(call(1, 'get', { query: 'x' }));
  await server.next();
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const line = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x"}],"structuredContent":{"a":${deep}}}}`;
  server.write(line);
  while (client.lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(client.lines.pop()).toBe(line);
  expect(problems).toEqual(['The result of get stays whole: its values are nested too deep']);
});
