/**
 * An option without effect in one shaping of a run may have one in another: the report has only those without effect
 * in all.
 */
import { createCragGraph } from 'context-shaping/langgraph';
import { fakeWebSearch } from 'context-shaping/testing';
import { expect, test } from 'vitest';

const cats = { id: 'cats', pageContent: 'Cats sleep for most of the day.', metadata: { file: 'cats.md' } };
const bridge = {
  pageContent: 'The harbour bridge was opened to traffic in 1932.',
  metadata: { source: 'https://example.org/bridge' },
};

async function codesOf(shaper: object): Promise<string[]> {
  const crag = createCragGraph({ shaper, webSearch: fakeWebSearch(() => [bridge]) });
  const { report } = await crag.invoke({ query: 'When was the harbour bridge opened?', documents: [cats] });
  expect(report.crag?.searches).toHaveLength(1);
  return report.degradations.map(({ code }: { code: string }) => code);
}

test('a pinned document, and a path that only the retrieved documents have', async () => {
  expect(await codesOf({ pin: ['cats'] })).toEqual([]);
  expect(await codesOf({ fields: { source: 'file' } })).toEqual([]);
});

test('a pin and a path that no document has, once', async () => {
  expect(await codesOf({ pin: ['dogs'], fields: { title: 'headline' } })).toEqual([
    'pin-not-found',
    'option-without-effect',
  ]);
});
