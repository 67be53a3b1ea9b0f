/** Claims of the pipeline and of its parts, beside each other and beside peers. */
import { createShaper } from 'context-shaping';
import { gram, linkage, pack } from 'context-shaping/internal';
import { cut } from '../../../src/math/linkage.js';
import { distancesOf, langChainMmr, linkages, type Situation, shapeTexts, shapeVectors } from './cases.js';
import { type Circumstances, type Claim, ms, withSpread } from './claim.js';
import { averageLinkage } from './peers.js';
import { TOKEN_BUDGET, unitVectors } from './pools.js';
import { inTurns, type Summary, timed } from './sampling.js';

const situation = ({ pools, before }: Circumstances, n: number, dimension: number): Situation => ({
  n,
  dimension,
  pools,
  before,
  embedder: undefined,
  slimContextUrl: undefined,
});

export async function besideItsParts(circumstances: Circumstances): Promise<Claim[]> {
  const at = situation(circumstances, 200, 1536);
  const kernel = timed(
    'Gram kernel',
    (turn) => unitVectors(at.pools(at.n, at.dimension, turn)),
    (vectors) => gram(pack(vectors)),
  );
  const contestants = [shapeVectors(at), shapeTexts(at), kernel, langChainMmr(at)] as const;
  const [full, text, gramAlone, mmr] = await inTurns(contestants, circumstances.effort);
  // By itself: what others read meanwhile would push out what is remembered.
  const [again] = await inTurns([shapeVectors(at, 'texts met before')] as const, circumstances.effort);
  const parts = gramAlone.median + text.median;
  const ratio = full.median / parts;
  return [
    {
      claim: '200 chunks, 1,536 dimensions: at most 3 times the Gram kernel and the work on text together',
      holds: ratio <= 3,
      figures: `${ratio.toFixed(2)} times: ${withSpread(full)}; kernel ${ms(gramAlone.median)}, text only ${ms(text.median)}`,
    },
    ...[
      { of: 'texts met before', own: again, least: 12 },
      { of: 'new texts', own: full, least: 8 },
    ].map(({ of, own, least }) => ({
      claim: `200 chunks, 1,536 dimensions, ${of}: at least ${least} times as fast as LangChain’s MMR alone, k = 50`,
      holds: mmr.quiet / own.quiet >= least,
      figures: `${(mmr.quiet / own.quiet).toFixed(1)} times: ${withSpread(own)}; theirs ${withSpread(mmr)}`,
    })),
  ];
}

/** At most so many milliseconds. */
const LATENCY = [
  { n: 50, texts: 'texts met before', vectors: 4, text: 6 },
  { n: 50, texts: 'new texts', vectors: 9, text: 12 },
  { n: 200, texts: 'texts met before', vectors: 15, text: 25 },
  { n: 200, texts: 'new texts', vectors: 30, text: 40 },
] as const;

export async function latency(circumstances: Circumstances): Promise<Claim[]> {
  const { before, effort } = circumstances;
  const claims: Claim[] = [];
  // One after the other: what is new would push out what is remembered.
  for (const { n, texts, vectors, text } of LATENCY) {
    const at = situation(circumstances, n, 384);
    for (const { shape, most, of } of [
      { shape: shapeVectors, most: vectors, of: 'with vectors of 384 dimensions' },
      { shape: shapeTexts, most: text, of: 'text only' },
    ]) {
      const builds = before === undefined ? [undefined] : [undefined, before];
      const [own, former] = await inTurns(
        builds.map((build) => shape(at, texts, build)),
        effort,
      );
      if (own === undefined) continue;
      const beside =
        former && `; before ${withSpread(former)}, ${(own.quiet / former.quiet).toFixed(2)} times`;
      claims.push({
        claim: `${n} chunks ${of}, ${texts}: at most ${most} ms`,
        holds: own.quiet <= most,
        figures: `${withSpread(own)}${beside ?? ''}`,
      });
    }
  }
  return claims;
}

/** So many texts that differ from each other in one number. */
const COPIES = 2000;
const MOST_FOR_COPIES = 500;

export async function nearCopies({ pools, before, effort, quick }: Circumstances): Promise<Claim[]> {
  const count = quick ? 50 : COPIES;
  const [passage] = pools(1, 1).chunks;
  const inputOf = (turn: number) => ({
    query: 'Which year was it?',
    chunks: Array.from({ length: count }, (_, i) => ({
      id: `c${i}`,
      text: `${passage?.text} It has ${i + 2} rooms. Visit ${turn}.`,
    })),
  });
  const builds = before === undefined ? [createShaper] : [createShaper, before];
  const contestants = builds.map((build, i) => {
    const { shape } = build({ budget: { maxTokens: TOKEN_BUDGET } });
    return timed(i === 0 ? 'ours' : 'before', (turn) => inputOf(2 * turn + i), shape);
  });
  const turns = Math.min(3, effort.turns);
  const [own, former] = await inTurns(contestants, { ...effort, turns, warmUps: 1 });
  return [
    {
      claim: `${COPIES} new texts that differ in one number: at most ${MOST_FOR_COPIES} ms`,
      holds: own === undefined || quick ? undefined : own.quiet <= MOST_FOR_COPIES,
      figures: [own, former].flatMap((each) => (each ? [withSpread(each)] : [])).join('; before '),
    },
  ];
}

/** Chunks of one topic of the pools are .14 from each other on average, those of two topics about 1. */
const HEIGHT = 0.3;

export async function againstMlHclust(circumstances: Circumstances): Promise<Claim[]> {
  const n = circumstances.quick ? 200 : 1000;
  const at = situation(circumstances, n, 384);
  const { condensed, square } = distancesOf(at.pools(n, at.dimension));
  const ours = cut(n, linkage(n, condensed, 'average'), HEIGHT);
  const theirs = new Int32Array(n);
  for (const cluster of averageLinkage(square).cut(HEIGHT)) {
    const leaves = cluster.indices();
    for (const leaf of leaves) theirs[leaf] = Math.min(...leaves);
  }
  // A cluster is known by its lowest leaf.
  const alike = ours.every((label, leaf) => ours.indexOf(label) === theirs[leaf]);
  const turns = Math.min(5, circumstances.effort.turns);
  const [own, agnes] = (await inTurns(linkages(at), { ...circumstances.effort, turns, warmUps: 1 })) as [
    Summary,
    Summary,
  ];
  const faster = agnes.median / own.median;
  const clusters = new Set(ours).size;
  return [
    {
      claim: 'average linkage of 1,000 chunks: at least 100 times as fast as ml-hclust',
      holds: circumstances.quick ? undefined : faster >= 100,
      figures: `${faster.toFixed(1)} times at ${n} chunks: ${withSpread(own)}; theirs ${withSpread(agnes)}`,
    },
    {
      claim: 'average linkage: the same flat clusters as ml-hclust',
      holds: alike,
      figures: `${clusters} clusters of ${n} chunks, cut at ${HEIGHT}`,
    },
  ];
}
