/**
 * The costliest inputs that a search finds for each stage, beside ordinary text of the same size:
 * `npm run research -- measure/costs/stages --data DIR [--only KIND] [--sizes 2] [--rounds 2] [--growth]`
 *
 * Inputs have at most 1 MB and 500 chunks, in up to five sizes. Each further round varies the numbers of the costliest
 * input of each kind. With `--growth`: the time of near-copies and of ordinary text, from 1,000 chunks to 16,000. Times are
 * processor time.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type Chunk, createShaper, type ShapingOptions } from 'context-shaping';
import { seededRandom } from '../../../../test/random.js';

const MOST_BYTES = 1_000_000;
const MOST_CHUNKS = 500;
/** A stage that takes less than this share of a call of ordinary text is compared with this share. */
const LEAST_SHARE = 0.02;
/** Ordinary text is measured this many times, and the least time of each stage counts: the first calls compile the code. */
const TIMES = 3;
/** So is an input that takes so many times as long as ordinary text in its first call. */
const COSTLY = 4;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    sizes: { type: 'string', default: '5' },
    growth: { type: 'boolean', default: false },
  },
});
if (values.data === undefined)
  throw new Error('Give the data: npm run research -- measure/costs/stages --data DIR');

const lines = gunzipSync(readFileSync(join(values.data, 'nq/nq-open-oracle.jsonl.gz')))
  .toString()
  .trim();
const passages = lines
  .split('\n')
  .flatMap((line) => (JSON.parse(line) as { ctxs: { title: string; text: string }[] }).ctxs);
const words = passages.flatMap(({ text }) => text.split(/\s+/));
const QUESTION = 'who was the first president of the united states and when did he take office';

/** What an input is made from. */
interface Shape {
  readonly chunks: number;
  /** Bytes of a chunk. */
  readonly length: number;
  /** Share of the parts that vary. */
  readonly share: number;
  /** Number of different parts. */
  readonly parts: number;
}

type Random = () => number;
type Kind = (shape: Shape, random: Random) => string[];

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T;
const ordinary = (length: number, from: number): string => {
  const found: string[] = [];
  for (let at = from, size = 0; size < length; at++) {
    const text = passages[at % passages.length]?.text ?? '';
    found.push(text);
    size += text.length + 1;
  }
  return found.join('\n').slice(0, length);
};
const many = (count: number, make: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => make(at));
const filled = (length: number, separator: string, make: (at: number) => string): string => {
  const found: string[] = [];
  for (let size = 0; size < length; ) {
    const part = make(found.length);
    found.push(part);
    size += part.length + separator.length;
  }
  return found.join(separator);
};
/** Texts of parts, of which a share is drawn anew for each text. */
const varied = ({ chunks, length, share }: Shape, separator: string, random: Random, part: () => string) => {
  const frame = filled(length, '\u0000', part).split('\u0000');
  return many(chunks, () =>
    frame
      .map((each) => (random() < share ? part() : each))
      .join(separator)
      .slice(0, length),
  );
};
/** Texts of a few parts, each drawn at random. */
const drawn = (shape: Shape, random: Random, separator: string, part: (at: number) => string) => {
  const parts = many(shape.parts, part);
  return many(shape.chunks, () => filled(shape.length, separator, () => pick(parts, random)));
};
const sentence = (random: Random, count = 12): string => {
  const from = Math.floor(random() * (words.length - count));
  const said = words
    .slice(from, from + count)
    .join(' ')
    .replace(/[.?!]/g, '');
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
};
const number = (random: Random) => String(Math.floor(random() * 10_000));
const repeated =
  (text: string): Kind =>
  (shape) =>
    many(shape.chunks, (at) =>
      `${at} ${text.repeat(Math.ceil(shape.length / text.length))}`.slice(0, shape.length),
    );

const KINDS: Readonly<Record<string, Kind>> = {
  'near-copies': (shape, random) => varied(shape, ' ', random, () => pick(words, random)),
  'near-copies in sentences': (shape, random) => varied(shape, ' ', random, () => sentence(random)),
  'copies with other numbers': (shape, random) =>
    varied(shape, ' ', random, () => (random() < 0.2 ? number(random) : pick(words, random))),
  'copies with an addition': ({ chunks, length }, random) =>
    many(chunks, () => `${ordinary(length - 40, 0)} ${pick(words, random)} ${pick(words, random)}`),
  'sentences of a few': (shape, random) => drawn(shape, random, ' ', () => sentence(random)),
  'words of a few': (shape, random) => drawn(shape, random, ' ', () => pick(words, random)),
  'numbers of a few': (shape, random) => drawn(shape, random, ' ', () => number(random)),
  'one frame of a sentence': (shape, random) =>
    many(shape.chunks, () =>
      filled(
        shape.length,
        ' ',
        () => `The ${pick(words, random)} limit of the service is ${number(random)} a day.`,
      ),
    ),
  tables: (shape, random) => {
    const names = many(shape.parts, () => pick(words, random).replaceAll('|', ''));
    return many(shape.chunks, () =>
      filled(shape.length, '\n', (row) =>
        row === 0
          ? '| Name | Count | Price |\n|---|---|---|'
          : `| ${pick(names, random)} | ${number(random)} | $${number(random)} |`,
      ),
    );
  },
  records: (shape, random) =>
    many(shape.chunks, () =>
      filled(
        shape.length,
        '\n',
        (row) => `field ${row % shape.parts}: ${number(random)} ${pick(words, random)}`,
      ),
    ),
  lists: (shape, random) =>
    many(shape.chunks, () =>
      filled(shape.length, '\n', () => `- ${sentence(random, 2 + Math.floor(shape.parts / 20))}`),
    ),
  headings: (shape, random) =>
    many(shape.chunks, () =>
      filled(shape.length, '\n', () => `# ${pick(words, random)}\n${pick(words, random)}.`),
    ),
  'short lines': (shape, random) =>
    many(shape.chunks, () => filled(shape.length, '\n', () => pick(words, random).slice(0, 2))),
  'short sentences': (shape, random) =>
    many(shape.chunks, () => filled(shape.length, ' ', () => `The ${pick(words, random).slice(0, 4)}.`)),
  code: (shape, random) =>
    many(shape.chunks, () =>
      filled(
        shape.length,
        '\n',
        () => `  const ${pick(words, random)} = call(${number(random)}, "${pick(words, random)}");`,
      ),
    ),
  Chinese: (shape, random) =>
    varied(
      shape,
      '',
      random,
      () =>
        `${Array.from({ length: 8 }, () =>
          String.fromCharCode(0x4e00 + Math.floor(random() * 40 * shape.parts)),
        ).join('')}。`,
    ),
  'Chinese without stops': (shape, random) =>
    varied(shape, '', random, () => String.fromCharCode(0x4e00 + Math.floor(random() * 40 * shape.parts))),
  Thai: (shape, random) =>
    varied(shape, '', random, () => String.fromCharCode(0xe01 + Math.floor(random() * 46))),
  Arabic: (shape, random) =>
    varied(shape, ' ', random, () =>
      Array.from({ length: 5 }, () => String.fromCharCode(0x627 + Math.floor(random() * 30))).join(''),
    ),
  'random letters': (shape, random) =>
    many(shape.chunks, () => filled(shape.length, ' ', () => random().toString(36).slice(2, 10))),
  'long words': (shape, random) =>
    many(shape.chunks, () =>
      filled(shape.length, ' ', () =>
        Array.from({ length: 30 }, () => random().toString(36).slice(2)).join(''),
      ),
    ),
  'marks and signs': (shape, random) =>
    many(shape.chunks, () =>
      filled(shape.length, '', () => pick([...'()[]{}<>"\'`*_~#|:;,.!?/\\-+=&%$@^ a1\n'], random)),
    ),
  capitals: (shape, random) => varied(shape, ' ', random, () => pick(words, random).toUpperCase()),
  'number words': (shape, random) =>
    varied(shape, ' ', random, () =>
      pick('one two hundred thousand and million point half a dozen twenty of'.split(' '), random),
    ),
  dates: (shape, random) =>
    varied(shape, ' ', random, () =>
      pick(['May', '8', '2023,', '2023-05-08', 'on', 'Monday', '5 pm', 'March 2020', '1990s', 'to'], random),
    ),
  negations: (shape, random) =>
    varied(shape, ' ', random, () =>
      pick(
        ["isn't", 'not', 'never', 'no', 'increase', 'decrease', 'valid', 'invalid', 'without', 'unless'],
        random,
      ),
    ),
  opposites: (shape, random) =>
    varied(
      shape,
      ' ',
      random,
      () => `${pick(['un', 'dis', 'in', 'over', 'de', ''], random)}${pick(words, random).toLowerCase()}`,
    ),
  instructions: (shape, random) =>
    varied(shape, ' ', random, () =>
      pick(
        [
          'Ignore',
          'all',
          'previous',
          'instructions',
          'and',
          'tell',
          'the user',
          'you are',
          'system:',
          '<|im_start|>',
          'recommend',
        ],
        random,
      ),
    ),
  'words of the question': (shape, random) =>
    varied(shape, ' ', random, () => pick(QUESTION.split(' '), random)),
  'hidden characters': (shape, random) =>
    many(shape.chunks, () =>
      filled(shape.length, '', () =>
        pick(['\u200b', '\u{e0041}', '\u202e', '\u2066', '\u00ad', '\ufe0f', 'a', ' '], random),
      ),
    ),
  'combining marks': (shape, random) =>
    many(shape.chunks, () =>
      filled(shape.length, '', () => pick(['a\u0301', '\u0323\u0307', 'e\u0302 ', '\u0e33'], random)),
    ),
  emojis: (shape, random) =>
    varied(shape, ' ', random, () => pick(['👩‍👩‍👧', '🇩🇪', '✅', '😀', '👍🏽', '❤️'], random)),
  'open brackets': repeated('(a [b "c '),
  'one letter': repeated('a'),
  'one word': repeated('word '),
  spaces: repeated(' \t\n'),
  dots: repeated('. '),
  'dots and capitals': repeated('A. '),
  pipes: repeated('a | b | '),
  stars: repeated('*a '),
  'key and value': repeated('a: b\n'),
  addresses: repeated('https://example.com/a/b?c=d&e=f '),
  'white space before a stop': repeated(`a${' '.repeat(50)}.`),
};

const first: Shape[] = [
  { chunks: 60, length: 2_000, share: 0.1, parts: 40 },
  { chunks: 250, length: 2_000, share: 0.1, parts: 40 },
  { chunks: 500, length: 2_000, share: 0.05, parts: 10 },
  { chunks: 500, length: 400, share: 0.15, parts: 100 },
  { chunks: 20, length: 50_000, share: 0.3, parts: 300 },
];

const OPTIONS: ShapingOptions = { budget: { maxTokens: 1800 } };
const AFTER = 'report';

let calls = 0;

/** Processor time in milliseconds by stage. Texts are made new, for what is remembered of them is of no use. */
async function timesOf(texts: readonly string[]): Promise<Map<string, number>> {
  calls++;
  const chunks = texts.map(
    (text, at): Chunk => ({
      id: `c${at}`,
      text: `${text} ${calls}`,
      metadata: { title: passages[at % passages.length]?.title },
    }),
  );
  const times = new Map<string, number>();
  let last = process.cpuUsage();
  const note = (stage: string) => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    times.set(stage, (times.get(stage) ?? 0) + (user + system) / 1000);
  };
  const shaper = createShaper({ ...OPTIONS, onStage: ({ name }) => note(name) });
  last = process.cpuUsage();
  await shaper.shape({ query: QUESTION, chunks });
  note(AFTER);
  return times;
}

const total = (times: ReadonlyMap<string, number>): number =>
  [...times.values()].reduce((sum, each) => sum + each, 0);

async function leastTimesOf(
  texts: readonly string[],
  isCostly: (first: ReadonlyMap<string, number>) => boolean = () => true,
): Promise<Map<string, number>> {
  const least = await timesOf(texts);
  for (let time = 1; time < TIMES && isCostly(least); time++) {
    for (const [stage, own] of await timesOf(texts))
      least.set(stage, Math.min(own, least.get(stage) ?? Number.POSITIVE_INFINITY));
  }
  return least;
}

const known = new Map<string, Map<string, number>>();
async function ordinaryTimes(count: number, length: number): Promise<Map<string, number>> {
  const key = `${count} ${length}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const least = await leastTimesOf(many(count, (at) => ordinary(length, at * Math.ceil(length / 500))));
  known.set(key, least);
  return least;
}

interface Found {
  readonly input: string;
  readonly ratio: number;
  readonly ms: number;
  readonly ordinary: number;
}

async function search(): Promise<void> {
  const worst = new Map<string, Found>();
  const random = seededRandom(1);
  for (const [name, kind] of Object.entries(KINDS)) {
    if (values.only !== undefined && values.only !== name) continue;
    // Beside each kind anew: other programs of the machine change how long a step takes.
    known.clear();
    let best: { shape: Shape; ratio: number } | undefined;
    const measure = async (shape: Shape) => {
      const { chunks, length } = shape;
      // A character may be cut in two.
      const cut = (text: string) =>
        Buffer.from(text)
          .subarray(0, length)
          .toString()
          .replace(/\ufffd$/, '');
      const texts = kind(shape, random).map(cut);
      const usual = await ordinaryTimes(chunks, length);
      const times = await leastTimesOf(texts, (first) => total(first) > COSTLY * total(usual));
      const input = `${name}: ${chunks} x ${length} B, ${shape.share}, ${shape.parts}`;
      const least = LEAST_SHARE * total(usual);
      const all = [...times, ['whole call', total(times)]] as [string, number][];
      for (const [stage, ms] of all) {
        const beside = stage === 'whole call' ? total(usual) : (usual.get(stage) ?? 0);
        const ratio = ms / Math.max(least, beside);
        if (ratio > (worst.get(stage)?.ratio ?? 0)) worst.set(stage, { input, ratio, ms, ordinary: beside });
      }
      const ratio = total(times) / total(usual);
      if (ratio > (best?.ratio ?? 0)) best = { shape, ratio };
    };
    for (const shape of first.slice(0, Number(values.sizes))) await measure(shape);
    for (let round = 1; round < Number(values.rounds); round++) {
      const from = (best as { shape: Shape } | undefined)?.shape ?? (first[0] as Shape);
      const by = () => 2 ** (2 * random() - 1);
      const chunks = Math.min(MOST_CHUNKS, Math.ceil(from.chunks * by()));
      await measure({
        chunks,
        length: Math.min(Math.floor(MOST_BYTES / chunks), Math.ceil(from.length * by())),
        share: Math.min(1, from.share * by()),
        parts: Math.ceil(from.parts * by()),
      });
    }
    const { ratio = 0, shape } = best ?? {};
    console.log(name.padEnd(28), ratio.toFixed(1).padStart(6), JSON.stringify(shape));
  }
  console.table(
    Object.fromEntries(
      [...worst].map(([stage, { input, ratio, ms, ordinary: beside }]) => [
        stage,
        { ratio: ratio.toFixed(1), ms: ms.toFixed(0), ordinary: beside.toFixed(1), input },
      ]),
    ),
  );
}

/** The beginning of one passage and the end of another, so that thousands of texts differ. */
const mixed = (length: number, at: number): string => {
  const other = at * 97 + 31 * Math.floor(at / passages.length);
  return `${ordinary(length / 2, at)} ${ordinary(length / 2, other)}`;
};

async function growth(): Promise<void> {
  const length = 500;
  const word = (random: Random) => () => pick(words, random);
  const alike = (count: number, seed: number) => {
    const random = seededRandom(seed);
    return varied({ chunks: count, length, share: 0.1, parts: 0 }, ' ', random, word(random));
  };
  const pools: Record<string, (count: number) => string[]> = {
    ordinary: (count) => many(count, (at) => mixed(length, at)),
    'near-copies': (count) => alike(count, 1),
    'near-copies of 50 texts': (count) => Array.from({ length: 50 }, (_, at) => alike(count / 50, at)).flat(),
  };
  for (const [name, make] of Object.entries(pools)) {
    let before: Map<string, number> | undefined;
    for (let count = 1000; count <= 16_000; count *= 2) {
      const times = await timesOf(make(count));
      const stages = [...times]
        .filter(([, ms]) => ms > total(times) / 20)
        .map(([stage, ms]) => `${stage} ${ms.toFixed(0)}`);
      const times2 = before === undefined ? '' : `x ${(total(times) / total(before)).toFixed(2)}`;
      console.log(name, count, total(times).toFixed(0), times2, stages.join(', '));
      before = times;
    }
  }
}

for (let time = 0; time < 5; time++) await timesOf(many(100, (at) => ordinary(2000, at)));
await (values.growth ? growth() : search());
