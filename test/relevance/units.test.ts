import { createShaper } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { toCandidates } from '../../src/input/to-candidates.js';
import { withSignals } from '../../src/pool/candidate.js';
import { questionOf } from '../../src/relevance/passage.js';
import { scoreUnits, unitFeatures } from '../../src/relevance/units.js';
import { Pacer } from '../../src/runtime/pacer.js';
import { Lexicon } from '../../src/text/lexicon.js';
import { chunksOf, type Given } from './features.js';

const lexicon = new Lexicon();
const pacer = new Pacer();
const QUESTION = questionOf('Where is the bridge?', lexicon);

/** Candidates of these relevances. */
function candidatesOf(pool: readonly (readonly [relevance: number, Given])[]) {
  const chunks = chunksOf(pool.map(([, given]) => given));
  const { candidates } = toCandidates({ query: '', chunks }, createShaper().options);
  return candidates.map((each, at) => withSignals(each, { relevance: pool[at]?.[0] as number }));
}

describe('units', async () => {
  const candidates = candidatesOf([
    [0.8, '# On bridges\n\nCats sleep. !!! The bridge is here.\n\n## Dogs\n\nDogs bark.'],
    [0.2, ['Rain fell. The bridge is there.', { title: 'Rain' }]],
    [0.4, 'Bread is baked. The bridge is away.'],
  ]);
  const { units, byChunk, lengths } = await unitFeatures(QUESTION, candidates, lexicon, { pacer });
  const texts = units.map(({ chunk, place }) => {
    const unit = byChunk[chunk]?.[place];
    return candidates[chunk]?.text.slice(unit?.start, unit?.end);
  });

  test('are all but headings and lines without words', () => {
    expect(texts).toEqual([
      'Cats sleep.',
      'The bridge is here.',
      'Dogs bark.',
      'Rain fell.',
      'The bridge is there.',
      'Bread is baked.',
      'The bridge is away.',
    ]);
  });

  test('have their length', () => {
    expect(Array.from(lengths, Math.exp).map(Math.round)).toEqual(texts.map((each) => each?.length));
  });

  test('come best first, then as their chunks, then in their order', async () => {
    const same = candidatesOf([
      [1, 'Cats sleep. The bridge. The bridge.'],
      [1, 'The bridge. Cats sleep.'],
    ]);
    const { scored } = await scoreUnits(questionOf('The bridge', lexicon), same, lexicon, pacer);
    expect(scored.map(({ chunk, place }) => [chunk, place])).toEqual([
      [0, 1],
      [0, 2],
      [1, 0],
      [0, 0],
      [1, 1],
    ]);
    for (const { relevance } of scored) {
      expect(relevance).toBeGreaterThanOrEqual(0);
      expect(relevance).toBeLessThanOrEqual(1);
    }
  });
});
