import { createShaper } from 'context-shaping';
import { formatLockfile, openLockfile, parseLockfile, recordContext } from 'context-shaping/lockfile';
import { fakeEmbedder, fakeLogprobModel } from 'context-shaping/testing';
import { expect, test } from 'vitest';

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
