import { createShaper } from 'context-shaping';
import { type Explanation, explain, formatExplanation } from 'context-shaping/explain';
import { recordContext } from 'context-shaping-devtools/lockfile';
import { expect, test } from 'vitest';
import { programNamed } from '../../../../test/adapters/cli/harness.js';

const { cli } = programNamed('context-shaping-devtools');

const body = {
  query: 'When did the bridge open?',
  chunks: [
    { id: 'opening', text: 'The bridge opened in 1932, after eight years of work.', score: 3 },
    { id: 'copy', text: 'the bridge opened in 1932 after eight years of work', score: 2 },
    { id: 'ferry', text: 'A ferry crossed the harbour before the bridge was there.', score: 1 },
  ],
};
const stdin = JSON.stringify(body);
const session = createShaper({ k: 1 }).session(body);

test('ids are explained in full, as the library does', async () => {
  const { code, stdout, stderr } = await cli(['explain', '-', 'ferry', 'copy', '--k', '1'], { stdin });
  const texts = [await explain(session, 'ferry'), await explain(session, 'copy')].map((each) =>
    formatExplanation(each, { flags: { k: '--k', 'budget.maxTokens': '--budget' } }),
  );
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${texts.join('\n\n')}\n`, stderr: '' });
});

test('without ids: one line for each evicted chunk', async () => {
  const { stdout } = await cli(['explain', '-', '--k', '1'], { stdin });
  expect(stdout.replace(/\n {2}/g, ' ').split('\n')).toEqual([
    '"copy" (chunk 1) was evicted: exact-duplicate, same text as opening. It comes back if it is pinned.',
    '"ferry" (chunk 2) was evicted: outranked, another took the one place of k. It comes back with --k 2.',
    '',
  ]);
  const one = { ...body, chunks: body.chunks.slice(0, 1) };
  expect((await cli(['explain', '-'], { stdin: JSON.stringify(one) })).stdout).toBe(
    'No chunk was evicted.\n',
  );
});

test('a pipe gets text, a terminal text of its width, and JSON is for programs that ask for it', async () => {
  const explanation = await explain(session, 'ferry');
  const piped = await cli(['explain', '-', 'ferry', '--k', '1'], { stdin });
  expect(piped.stdout).toBe(`${formatExplanation(explanation, { flags: { k: '--k' } })}\n`);
  const json = await cli(['explain', '-', 'ferry', '--k', '1', '--format', 'json'], { stdin });
  expect(JSON.parse(json.stdout)).toEqual([explanation]);
  const shown = await cli(['explain', '-', 'ferry', '--k', '1'], { stdin, terminal: 50 });
  expect(shown.stdout).toBe(`${formatExplanation(explanation, { width: 50, flags: { k: '--k' } })}\n`);
});

test('a result and a report are explained as far as they tell', async () => {
  const { stdout } = await cli(['shape', '--k', '1'], { program: 'context-shaping', stdin });
  for (const given of [stdout, JSON.stringify(JSON.parse(stdout).report)]) {
    const args = ['explain', '-', 'ferry', '--format', 'json'];
    const { code, stdout: explained } = await cli(args, { stdin: given });
    const [explanation] = JSON.parse(explained) as Explanation[];
    expect(code).toBe(0);
    expect(explanation).toMatchObject({ id: 'ferry', cause: 'outranked' });
    expect(explanation?.counterfactuals).toBeUndefined();
  }
});

test('a context lockfile is explained in full, with other options too', async () => {
  const lockfile = await recordContext(session);
  const recorded = { stdin: JSON.stringify(lockfile) };
  const { stdout } = await cli(['explain', '-', 'ferry', '--format', 'json'], recorded);
  expect(JSON.parse(stdout)).toEqual([await explain(session, 'ferry')]);
  const more = await cli(['explain', '-', 'ferry', '--k', '2', '--format', 'json'], recorded);
  expect(JSON.parse(more.stdout)).toMatchObject([{ outcome: 'kept', cause: 'fits' }]);
  const { stderr } = await cli(['explain', '-', '--query', 'Why?'], recorded);
  expect(stderr).toContain(
    '--query has no effect: standard input is a context lockfile, which has its question',
  );
});

test.each([
  [['explain'], '', "missing required argument 'file'"],
  [
    ['explain', '-', 'fery'],
    stdin,
    'ID is not the id of a chunk of the input (got "fery"). Chunks have ids such as "opening".',
  ],
  [['explain', '-', '--k', '0'], stdin, '--k must be at least 1'],
  [['explain', '-'], '{"query": "a", "chunks": [{}]}', '$.chunks[0].id must be a non-empty string'],
  [['explain', '-', '--format', 'table'], stdin, 'Allowed choices are text, json'],
  [['explain', '/nowhere.json'], '', 'Cannot read /nowhere.json'],
])('%j is a wrong call', async (args, given, message) => {
  const { code, stdout, stderr } = await cli(args, { stdin: given });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});

test('a flag has no effect on a report', async () => {
  const { report } = await createShaper({ k: 1 }).shape(body);
  const { code, stderr } = await cli(['explain', '-', '--k', '2'], { stdin: JSON.stringify(report) });
  expect(code).toBe(2);
  expect(stderr).toContain('--k has no effect: standard input has no texts to shape again');
});

test('Ctrl-C ends it', async () => {
  const { code, stdout } = await cli(['explain', '-'], { stdin, signal: AbortSignal.abort() });
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
});
