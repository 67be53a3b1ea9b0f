import {
  type Chunk,
  createShaper,
  type Shaper,
  type ShapingInput,
  type ShapingOptions,
  type Stage,
} from 'context-shaping';
import { type ContractCheck, frozen, hold, same, suite } from './checks.js';

const QUERY = 'When was the harbour bridge opened to traffic?';
const LIMITED: readonly ShapingOptions[] = [{ budget: { maxTokens: 60 } }, { k: 3, order: 'input' }];
const SETTINGS: readonly ShapingOptions[] = [
  {},
  ...LIMITED,
  { flag: false, relevance: false, cluster: false, select: false, extract: false, order: false },
];

/**
 * The requirements for every stage of the option `stages`: return each candidate once, change no input, give the same
 * output for the same input, and leave the limits as they are, at any place in the pipeline.
 *
 * @param make makes the stage; called for each check.
 * @param chunks more chunks, which the stage has something to do with.
 */
export function stageContract(make: () => Stage, chunks: readonly Chunk[] = []): ContractCheck[] {
  const inputs = [...POOLS, chunks].map(
    (pool): ShapingInput => frozen({ query: QUERY, chunks: structuredClone(pool) as Chunk[] }),
  );
  return suite(make, {
    'returns every candidate once, wherever it stands, changes no vector, and keeps the limits': async (
      stage,
    ) => {
      for (const shaper of shapersWith(watched(stage))) {
        hold(shaper.stages.includes(stage.name), `${stage.name} does not run`);
        const { k, budget } = shaper.options;
        for (const input of inputs) {
          const { chunks, report } = await shaper.shape(input);
          const told = [...report.kept, ...report.evicted].map(({ index }) => index).sort((a, b) => a - b);
          same(told, [...input.chunks.keys()], 'places in the report');
          const goner = report.evicted.find((each) => each.stage === stage.name);
          same(goner?.reason ?? 'custom', 'custom', 'reason of an eviction');
          hold(
            chunks.length <= (k ?? Number.POSITIVE_INFINITY),
            `${chunks.length} chunks are more than ${k}`,
          );
          const { output } = report.tokens;
          const most = budget.maxTokens ?? Number.POSITIVE_INFINITY;
          hold(output <= most, `${output} tokens are more than ${most}`);
        }
      }
    },
    'gives the same for the same input: again, in another order, at the same time, by another instance':
      async (stage) => {
        const others = shapersAtEnds(make());
        for (const [place, shaper] of shapersAtEnds(stage).entries()) {
          const first = await digests(shaper, inputs);
          same(await digests(shaper, inputs), first, 'digests of a second round');
          same((await digests(shaper, inputs.toReversed())).reverse(), first, 'digests in another order');
          const together = await Promise.all(inputs.map((input) => digests(shaper, [input])));
          same(together.flat(), first, 'digests at the same time');
          same(await digests(others[place] as Shaper, inputs), first, 'digests of another instance');
        }
      },
  });
}

/** A shaper for each setting and each place where the stage may stand. */
const shapersWith = (stage: Stage): Shaper[] =>
  SETTINGS.flatMap((options) => {
    const { stages } = createShaper(options);
    const places = [...stages.keys()].slice(stages.indexOf('annotate') + 1);
    return [...places, stages.length].map((place) => shaperWith(stage, place, options));
  });

/** Under limits, where everything is still there, and where only the result is left. */
const shapersAtEnds = (stage: Stage): Shaper[] =>
  LIMITED.flatMap((options) => {
    const { stages } = createShaper(options);
    return [stages.indexOf('cluster'), stages.length].map((place) => shaperWith(stage, place, options));
  });

const shaperWith = (stage: Stage, place: number, options: ShapingOptions): Shaper =>
  createShaper({ ...options, stages: (defaults) => defaults.toSpliced(place, 0, stage) });

async function digests(shaper: Shaper, inputs: readonly ShapingInput[]): Promise<string[]> {
  const found: string[] = [];
  for (const input of inputs) found.push((await shaper.shape(input)).report.digest);
  return found;
}

/** The stage, and a look at the vectors before and after it. */
function watched(stage: Stage): Stage {
  return {
    specificationVersion: stage.specificationVersion,
    name: stage.name,
    async run(input) {
      const vectors = () => [input.query, ...input.candidates].map(({ vector }) => Array.from(vector ?? []));
      const before = vectors();
      const output = await stage.run(input);
      same(vectors(), before, 'vectors');
      return output;
    },
  };
}

const TEXTS = [
  'The harbour bridge was opened to traffic on 4 May 1932, after seven years of work.',
  'THE HARBOUR BRIDGE was opened to traffic on 4 May 1932 – after seven years of work!',
  'The harbour bridge was opened to traffic on 4 May 1933, after seven years of work.',
  'Building the bridge took seven years. Two teams met in the middle on a windless night.',
  'Cars pay $4 southbound between 6:30 and 9:30; northbound traffic does not pay.',
  'Ferries cross the bay every twenty minutes, and carry bicycles and dogs.',
  '大桥于一九三二年五月开放通车 🙂',
  '',
  '   \n\t ',
];
const mixed = TEXTS.map(
  (text, place): Chunk => ({
    id: `chunk-${place}`,
    text,
    ...(place === 5 ? {} : { score: 1 - place / 10 }),
    metadata: {
      source: `${place % 3}.md`,
      position: place,
      author: `author-${place % 2}`,
      nested: { page: place },
    },
  }),
);
/** None, one, many kinds, the same again without anything but texts, and with vectors. */
const POOLS: readonly (readonly Chunk[])[] = [
  [],
  mixed.slice(0, 1),
  mixed,
  TEXTS.map((text, place) => ({ id: `${place}`, text })),
  mixed.map((chunk, place) => ({ ...chunk, embedding: [Math.sin(place), Math.cos(place), 1] })),
  Array.from({ length: 16 }, (_, place) => ({
    id: `${place}`,
    text: `Note ${place}: ${TEXTS[place % 6]}`,
    metadata: { source: 'notes.md', author: `author-${place % 5}` },
  })),
];
