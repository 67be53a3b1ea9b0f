import { readFileSync } from 'node:fs';
import { createShaper } from 'context-shaping';
import { fakeEmbedder, fakeLogprobModel } from 'context-shaping/testing';
import {
  formatLockfile,
  openLockfile,
  parseLockfile,
  recordContext,
} from 'context-shaping-devtools/lockfile';
import { describe, expect, test } from 'vitest';

const chunks = [
  {
    id: 'a',
    text: 'The bridge opened in 1932. It has eight lanes.',
    score: 3,
    metadata: { source: 'bridge.md', at: new Date(0) },
  },
  { id: 'b', text: 'The tunnel opened in 1992.', score: 2, metadata: { source: 'tunnel.md' } },
  { id: 'c', text: 'Ferries cross the harbour every half hour.', score: 1 },
];
const query = 'When did the bridge open?';

test('a lockfile in a file replays to the same report, without a service', async () => {
  const embedder = fakeEmbedder();
  const model = fakeLogprobModel();
  const shaper = createShaper({
    k: 2,
    embedder,
    pin: ({ id }) => id === 'c',
    ecs: { model, trust: 'always' },
    onReport: () => {},
  });
  const result = await shaper.shape({ query, chunks });
  const lockfile = await recordContext(result);
  const calls = embedder.calls.length;
  const read = parseLockfile(formatLockfile(lockfile));
  expect(read).toEqual(lockfile);
  const again = await openLockfile(read).at();
  expect(again.report.digest).toBe(result.report.digest);
  expect(embedder.calls.length).toBe(calls);
  expect(await recordContext(openLockfile(read))).toEqual(lockfile);
});

test('the lockfile names this release', async () => {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { library } = await recordContext(createShaper().session({ query, chunks }));
  expect(library).toEqual({ name, version });
});

test('a lockfile has the conversation before the question', async () => {
  const history = [
    { role: 'user' as const, text: 'Tell me about the tunnel.' },
    { role: 'assistant' as const, text: 'The tunnel is under the harbour.' },
  ];
  const asked = { text: 'When was it opened?', history };
  const session = createShaper({ k: 1 }).session({ query: asked, chunks });
  const lockfile = parseLockfile(formatLockfile(await recordContext(session)));
  expect(lockfile.input.query).toEqual(asked);
  const { report } = await openLockfile(lockfile).at();
  expect(report.digest).toBe((await session.at()).report.digest);
  expect(report.ranking?.history?.turns).toBe(2);
});

test('a failed embedder fails in the same words again', async () => {
  const embedder = {
    embed: async () => {
      throw new Error('Out of credit.');
    },
  };
  const lockfile = await recordContext(createShaper({ embedder }).session({ query, chunks }));
  expect(lockfile.report.degradations.map(({ code }) => code)).toEqual(['embedder-failed']);
  expect((await openLockfile(lockfile).at()).report.digest).toBe(lockfile.report.digest);
});

test.each([
  ['{', 'lockfile is not JSON'],
  ['[]', 'lockfile must be an object'],
  ['{"lockfileVersion": 4}', 'Install a later release'],
  ['{"lockfileVersion": 2}', 'lockfile.lockfileVersion must be 3, the version that this release reads'],
  ['{"lockfileVersion": 3}', 'lockfile.report.version must be'],
])('%s is refused', (text, message) => {
  expect(() => parseLockfile(text)).toThrow(message);
});

describe('an edited lockfile is refused', () => {
  const recorded = recordContext(
    createShaper({ k: 2, pin: ({ id }) => id === 'c', embedder: fakeEmbedder() }).session({
      query: { text: query, history: [{ role: 'user', text: 'Tell me about the tunnel.' }] },
      chunks: chunks.map((chunk) => ({ ...chunk, rendered: chunk.text, embedding: [1, chunk.score] })),
    }),
  );
  /** The paths of all values except the digests. */
  function* pathsIn(value: unknown, path: string[] = []): Generator<string[]> {
    if (typeof value !== 'object' || value === null) yield path;
    else for (const [key, each] of Object.entries(value)) yield* pathsIn(each, [...path, key]);
  }
  const edited = (value: unknown) =>
    typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value ?? ''} `;

  test('whichever value was edited', async () => {
    const text = formatLockfile(await recorded);
    const paths = [...pathsIn(JSON.parse(text))];
    expect(paths.length).toBeGreaterThan(100);
    for (const path of paths) {
      const lockfile = JSON.parse(text);
      const holder = path.slice(0, -1).reduce((at, key) => at[key], lockfile);
      const key = path.at(-1) as string;
      holder[key] = edited(holder[key]);
      expect(() => parseLockfile(lockfile), path.join('.')).toThrow(/^lockfile/);
      expect(() => openLockfile(lockfile), path.join('.')).toThrow(/Somebody edited the file/);
    }
  });

  test.each(['options', 'report', 'input'])('%s with 20,000 levels are no stack overflow', async (field) => {
    const lockfile = JSON.parse(formatLockfile(await recorded));
    lockfile[field].deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    for (const open of [parseLockfile, openLockfile])
      expect(() => open(lockfile)).toThrow(/^lockfile has too many levels/);
  });
});
