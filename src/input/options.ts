import * as z from 'zod/mini';
import type { PromptInput } from '../ecs/prompt.js';
import type { StageEvent } from '../pipeline.js';
import type { Embedder, Judge, LogprobModel, TokenCounter } from '../ports.js';
import type { ShapingReport } from '../report/report.js';
import { lazily } from '../runtime/lazily.js';
import type { Chunk, Eviction } from '../types.js';
import { parseOptions } from './parse-options.js';
import type { ShapingOptions } from './shaping-options.js';

/*
 * The one schema of options, and the only place where a default is written. Presets are values of the
 * same options. The table of the README and the interface for editors are generated from it.
 *
 * Zod's functional form, because bundlers can leave out what is not used of it: a third of the other.
 */

/** A schema with what it means. */
const option = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { description });
  return schema;
};

const withDefault = z._default;
const atLeast = (least: number) => z.int().check(z.gte(least));
const from0To = (most: number) => z.number().check(z.gte(0), z.lte(most));
const share = () => from0To(1);
const weight = () => from0To(1000);
const nonEmpty = () => z.string().check(z.minLength(1));
/** Each path is tried on each chunk, step by step. */
const MOST_PATHS = 32;
const MOST_STEPS = 16;
const LONGEST_PATH = 256;
const metadataPath = () =>
  nonEmpty().check(
    z.maxLength(LONGEST_PATH),
    z.regex(new RegExp(`^(?:[^.]*\\.){0,${MOST_STEPS - 1}}[^.]*$`), {
      error: `must have at most ${MOST_STEPS} steps`,
    }),
  );
const path = () => z.union([metadataPath(), z.array(metadataPath()).check(z.maxLength(MOST_PATHS))]);
const callable = <F>(what: string) =>
  z.custom<F>((value) => typeof value === 'function', { error: `must be ${what}` });

/** Any stage may be switched off with `false`. */
const stage = <T extends z.core.$ZodShape>(what: string, shape: T) => {
  const schema = z.union([z.literal(false), z.strictObject(shape)]);
  return option(
    z.prefault(schema, () => ({}) as never),
    `${what} \`false\`: off.`,
  );
};

export const LINKAGES = ['single', 'complete', 'average', 'ward', 'centroid', 'median'] as const;
export const REPRESENTATIVES = ['auto', 'score', 'centroid', 'query-closest', 'longest'] as const;
export const ORDERS = ['relevance', 'input', 'source', 'edges-first'] as const;
export const ENCODINGS = ['estimate', 'upper-bound', 'characters/4', 'o200k_base', 'cl100k_base'] as const;
/** Ways to utility where the answer is not known, and the one where it is. */
export const GUESSES = ['expected-utility', 'judge', 'trajectory'] as const;
export const METHODS = ['answer', ...GUESSES] as const;
export const SANITISE_MODES = ['strip', 'escape'] as const;
export const SPOTLIGHTS = ['delimiter', 'datamark', 'none'] as const;
export const PRESETS = ['balanced', 'slimcontext', 'entropy'] as const;

const budget = () =>
  z.strictObject({
    maxTokens: option(
      z.nullish(atLeast(1)),
      'Hard cap on the sum of the kept chunks’ tokens, under `tokenizer`. Absent: no cap.',
    ),
    reserve: option(
      withDefault(atLeast(0), 0),
      'Tokens of `maxTokens` to leave free for the answer, the prompt, and separators between chunks.',
    ),
    perSource: option(z.nullish(atLeast(1)), 'The most tokens that chunks of one source may take together.'),
    chunksPerSource: option(
      z.nullish(atLeast(1)),
      'The most chunks of one source to keep; pinned ones count.',
    ),
  });

const fields = () =>
  z.strictObject({
    source: option(
      withDefault(path(), ['source', 'file_path', 'file_name', 'url']),
      `Metadata paths of the document a chunk is from; the first that is there counts. Of this and each other field at most ${MOST_PATHS} paths, each of at most ${LONGEST_PATH} characters and ${MOST_STEPS} steps (\`loc.lines.from\` has three).`,
    ),
    position: option(
      withDefault(path(), ['position', 'loc.lines.from', 'loc.pageNumber', 'page_label', 'chunk_index']),
      'Metadata paths of its place within the source.',
    ),
    title: option(
      withDefault(path(), ['title', 'document_title', 'pdf.info.Title']),
      'Metadata paths of the title.',
    ),
    speaker: option(withDefault(path(), ['speaker', 'role']), 'Metadata paths of who says it.'),
    date: option(
      withDefault(path(), ['date', 'timestamp', 'created_at', 'creation_date']),
      'Metadata paths of when it was said or written.',
    ),
    trust: option(
      withDefault(path(), 'trust'),
      'Metadata paths of the tier that `trust` names. Only what your own ingestion writes: pages must not name their own.',
    ),
  });

const WEIGHTS = {
  bm25: 'BM25 of the query’s words, lengths compared with those of the same speaker.',
  grams: 'BM25 of character n-grams: inflected forms, compounds, other spellings, in any language.',
  coverage: 'How much of the query the chunk names, rare words weighing more.',
  rarest: 'The rarest word of the query that the chunk has.',
  phrase: 'Words that follow each other in the query and in the chunk.',
  proximity: 'How much of the query stands close together.',
  title: 'Share of the chunk’s title that the query names.',
  speaker: 'Is said by whom the query names, or means by “I” or “you”.',
  neighbours:
    'The most relevant, at first sight, of it and the chunks up to four places before and after it in its source.',
  source: 'BM25 of all chunks of its source together.',
  date: 'Has a date, where the query asks when.',
  dateMatch: 'Its date in metadata is the one that the query names (“on 8 May”, “last week”), or soon after.',
  number: 'Has a number, where the query asks how many.',
  feedback: 'Has words that the best chunks have and the query has not.',
  titleBridge: 'Its title is named by a relevant chunk.',
  wordBridge: 'Shares rare words with a relevant chunk.',
  cosine: 'Cosine of the vectors of chunk and query.',
  score: 'The retriever’s, or a reranker’s, score, and its place in the list.',
  rank: 'The place in a ranked list, of chunks without a score.',
  entropy: 'Blended entropy. Ranks worse than chance; here for comparison.',
} as const;
/** Names of the features that relevance is made of. */
export const FEATURES = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];

const weights = () =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(WEIGHTS).map(([name, description]) => [name, option(z.optional(weight()), description)]),
    ) as Record<keyof typeof WEIGHTS, z.ZodMiniOptional<ReturnType<typeof weight>>>,
  );

const ECS =
  'Entropic Context Shaping: asks a language model how far each chunk moves its belief in the answer.';
const service = <T>(methods: readonly string[], what: string) =>
  z.custom<T>((value) => methods.every((name) => typeof (value as never)?.[name] === 'function'), {
    error: `must be ${what}`,
  });
const ecs = () =>
  z
    .strictObject({
      model: option(
        z.optional(
          service<LogprobModel>(
            ['identify', 'score', 'generate'],
            'a model that tells log-probabilities (llamaServer, ollamaModel and others make one)',
          ),
        ),
        'Tells how probable answers are: one of those that `context-shaping/logprobs` makes.',
      ),
      judge: option(
        z.optional(service<Judge>(['identify', 'judge'], 'a judge (chatJudge makes one)')),
        'Says yes or no of each chunk. It is asked where there is no `model`, and where `withoutAnswer` is `judge`.',
      ),
      trust: option(
        withDefault(z.enum(['profile', 'always']), 'profile'),
        'May utility outrank relevance? `profile`: only if `profile` says that this model wins by it; `always`: yes.',
      ),
      profile: option(
        z.optional(
          z.object({
            version: z.literal(1),
            methods: z.record(
              z.string(),
              z.object({
                wins: z.boolean(),
                model: nonEmpty(),
                settings: z.record(z.string(), z.union([z.number(), z.string()])),
              }),
            ),
          }),
        ),
        'What `context-shaping calibrate` wrote.',
      ),
      withoutAnswer: option(
        withDefault(z.enum(GUESSES), 'expected-utility'),
        'How utility is measured where the query has no `answer`.',
      ),
      share: option(
        withDefault(share(), 0.75),
        'Share of utility in relevance, where it is trusted; words, vectors and scores have the rest.',
      ),
      minUtility: option(
        z.nullish(z.number()),
        'Evict chunks whose own utility was measured below this, in nats. Absent: none.',
      ),
      maxCandidates: option(withDefault(atLeast(1), 16), 'How many chunks are measured: the most relevant.'),
      maxPassageTokens: option(
        withDefault(atLeast(1), 200),
        'Longer chunks are measured in parts; the best part counts. Four parts a chunk, on average over all, and no more.',
      ),
      lengthPenalty: option(withDefault(z.number().check(z.gte(0)), 0.002), 'Nats that each token costs.'),
      rounds: option(
        withDefault(atLeast(1), 2),
        'In each further one the best chunk so far is taken as given, so that what completes it counts and what repeats it does not.',
      ),
      maxAnswers: option(
        withDefault(atLeast(1), 4),
        '`expected-utility`: how many of the model’s own answers are weighed.',
      ),
      horizon: option(
        withDefault(atLeast(1), 8),
        '`expected-utility`, `trajectory`: how many tokens the model answers.',
      ),
      topLogprobs: option(
        withDefault(atLeast(1), 20),
        '`trajectory`: how many alternatives are compared at each token.',
      ),
      prompt: option(
        z.optional(
          callable<(input: PromptInput) => string>('a function from context and question to a prompt'),
        ),
        'The prompt that an answer follows, from `{ context, question }`; for a chat model, its template. Absent: context, `Question:` and `Answer:`.',
      ),
    })
    .check(
      z.refine(({ model, judge }) => model !== undefined || judge !== undefined, {
        path: ['model'],
        error: 'is missing, and so is ecs.judge',
      }),
    );

const spotlight = () =>
  option(
    withDefault(z.enum(SPOTLIGHTS), 'delimiter'),
    'How passages are marked as data. `delimiter`: between lines with a random number, which each passage’s header has, too; `datamark`: white space within them becomes `^`; `none`: numbers and sources alone.',
  );

/** Of `renderContext`. */
export const renderSchema = lazily(() =>
  z.strictObject({
    spotlight: spotlight(),
    number: withDefault(z.boolean(), true),
    boundary: z.optional(nonEmpty()),
  }),
);

/** Made when it is first asked for: it has some two hundred parts, and an import need not wait for them. */
export const optionsSchema = lazily(() =>
  z
    .strictObject({
      preset: option(
        withDefault(z.enum(PRESETS), 'balanced'),
        'Values for the options below to start from; what you give yourself goes over them.',
      ),
      k: option(z.nullish(atLeast(1)), 'The most chunks to keep. Absent: as many as the budget holds.'),
      budget: z.prefault(
        budget().check(
          z.refine(({ maxTokens, reserve }) => maxTokens == null || reserve < maxTokens, {
            path: ['reserve'],
            error: 'must be less than budget.maxTokens',
          }),
        ),
        {},
      ),
      ranked: option(
        withDefault(z.union([z.boolean(), z.literal('auto')]), 'auto'),
        'Do the chunks come best first? Then their order is evidence. `auto`: as the caller of `shape` says, else yes, unless the pool shows another order (positions of a document that ascend, scores that are not sorted). Chunks in random order need `false`.',
      ),
      tokenizer: option(
        withDefault(
          z.union([z.enum(ENCODINGS), callable<TokenCounter>('a function from text to a number')]),
          'estimate',
        ),
        'Counts tokens: `estimate` (no vocabulary; a few per cent from the truth, to both sides, but not on texts that were made to deceive it), `upper-bound` (no vocabulary; practically never below the truth, and 35 to 70 % above), an exact OpenAI encoding, `characters/4` (a rule of thumb for English that can overrun your budget: too low by 8–76 % in Vietnamese, Arabic, Hindi and Thai, 57–79 % in Chinese, Japanese and Korean, up to 57 % in code), or your own function.',
      ),
      embedder: option(
        z.optional(
          z.custom<Embedder>((value) => typeof (value as Embedder | null)?.embed === 'function', {
            error:
              'must be an object with an embed(texts, options) method (fromLangChainEmbeddings makes one)',
          }),
        ),
        'Computes vectors for chunks that have none. Absent: all stages compare words.',
      ),
      pin: option(
        withDefault(
          z.union([
            z.array(z.string()),
            callable<(chunk: Chunk) => boolean>('a function from chunk to boolean'),
          ]),
          [],
        ),
        'Ids of chunks to keep ahead of all others, or a function that tells. Only an exact copy or the hard budget evicts them.',
      ),
      namespace: option(
        z.nullish(metadataPath()),
        'Metadata path of a plain value (a tenant, a collection): only chunks that have the same are compared with each other. Absent: all are.',
      ),
      fields: z.prefault(fields(), {}),
      trust: option(
        withDefault(
          z.array(
            z.strictObject({
              value: nonEmpty(),
              k: z.nullish(atLeast(1)),
              maxTokens: z.nullish(atLeast(1)),
            }),
          ),
          [],
        ),
        'Tiers of sources, the most trusted first: `value` is what metadata has under `fields.trust`, `k` and `maxTokens` are the most chunks and tokens of the tier. Less trusted ones never stand for more trusted ones as copies. An echo of the question counts in the first tier only. What names no tier is in that of the value `*`, else trusted less than all.',
      ),
      sanitise: option(
        withDefault(z.union([z.literal(false), z.enum(SANITISE_MODES)]), false),
        'Makes texts safe to show, before all else. Invisible characters that nothing justifies where they stand are removed (`strip`) or shown as `\\u{E0049}` (`escape`); forged control tokens and role tags get a space (`< |im_start|>`). `false`: off.',
      ),
      frame: option(
        withDefault(z.union([z.literal(false), z.strictObject({ spotlight: spotlight() })]), false),
        'Counts chunks as `renderContext` will show them with the same `spotlight`, headers and all, and takes what stands around them off the budget. `rendered` does not count then. `false`: chunks are counted as they come.',
      ),
      allowEmpty: option(
        withDefault(z.boolean(), false),
        'May the result be empty although there were chunks? If not, `minEntropy` spares the chunk with the most entropy, `relevance.floor` the most relevant, and when nothing fits the budget the best chunk is cut to fit.',
      ),
      deadlineMs: option(
        z.nullish(z.number().check(z.gt(0), z.lte(2 ** 31 - 1))),
        'Longest wait for outside services, in milliseconds from the start of the call; past it the fallback is used. Observers together are waited for as long again. Absent: no limit.',
      ),
      flag: stage(
        'Says in the report what in a chunk is meant for the search or the model, not for readers: an echo of the question, hidden characters, role tags, instructions. Evicts nothing.',
        {},
      ),
      annotate: stage('Entropy of each chunk, and a gate for boilerplate.', {
        minEntropy: option(
          withDefault(share(), 0),
          'Evict chunks whose blended entropy (0..1) is below this. 0: off.',
        ),
      }),
      exactDedup: stage('Same text but for case, punctuation and space: the best copy stays.', {}),
      semanticDedup: stage(
        'Near-copies: the best stays, unless a fact (number, date, unit, name, negation) or another word of substance differs.',
        {
          maxDistance: option(
            withDefault(from0To(2), 0.06),
            'Two chunks are near-copies at this distance or closer: cosine distance with vectors, else Jaccard distance of stemmed words.',
          ),
        },
      ),
      relevance: stage('Relevance to the query, 0..1 within the pool.', {
        weights: option(
          z.prefault(weights(), {}),
          'Relevance is the weighted mean of the features that are present. What is not given is as learned.',
        ),
        floor: option(
          withDefault(share(), 0),
          'Evict chunks whose relevance is below this, also without pressure; pinned ones stay. 0: off.',
        ),
      }),
      cluster: stage('Under pressure, redundant members of a cluster go.', {
        maxDistance: option(
          withDefault(z.number().check(z.gte(0)), 0.1),
          'Clusters are not merged beyond this height, as the linkage measures it on cosine distance (of vectors, else of TF-IDF).',
        ),
        linkage: option(
          withDefault(z.enum(LINKAGES), 'average'),
          'How the distance of two clusters is measured.',
        ),
        representative: option(
          withDefault(z.enum(REPRESENTATIVES), 'auto'),
          'Who stands for a cluster; `auto`: the most relevant.',
        ),
        maxPerCluster: option(
          withDefault(atLeast(1), 1),
          'How many of a cluster are never evicted for being in it.',
        ),
      }),
      ecs: option(withDefault(z.union([z.literal(false), ecs()]), false), `${ECS} \`false\`: off.`),
      select: stage('Under pressure, order by maximal marginal relevance, and the bound `k`.', {
        lambda: option(
          withDefault(share(), 0.9),
          'Maximal marginal relevance: 1 is relevance only, 0 diversity only.',
        ),
      }),
      extract: stage(
        'Under pressure of the token budget, chunks are cut to the sentences that answer the query.',
        {
          gap: option(
            withDefault(z.string().check(z.maxLength(100)), ' … '),
            'Marks what was left out between two sentences; between lines it stands on a line of its own. Blank: no mark.',
          ),
        },
      ),
      order: option(
        withDefault(z.union([z.literal(false), z.enum(ORDERS)]), 'relevance'),
        'Order of the result; `edges-first` puts the best at both ends; `false`: as selected.',
      ),
      onReport: option(
        z.optional(callable<(report: ShapingReport) => void | Promise<void>>('a function')),
        'Called with the report of every call.',
      ),
      onEvict: option(
        z.optional(callable<(eviction: Eviction) => void | Promise<void>>('a function')),
        'Called with every eviction, in order, before `onReport`.',
      ),
      onStage: option(
        z.optional(callable<(event: StageEvent) => void | Promise<void>>('a function')),
        'Called after every stage with what it did; the next stage waits for it, while the `deadlineMs` of services runs on.',
      ),
    })
    .check(
      z.refine((options) => options.k == null || options.select !== false, {
        path: ['k'],
        error: 'has no effect with select: false',
      }),
      z.refine((options) => options.budget.chunksPerSource == null || options.select !== false, {
        path: ['budget', 'chunksPerSource'],
        error: 'has no effect with select: false',
      }),
      z.refine(({ trust, select }) => select !== false || trust.every(({ k }) => k == null), {
        path: ['trust'],
        error: 'must have no k with select: false, for which it has no effect',
      }),
      z.refine(({ trust }) => new Set(trust.map(({ value }) => value)).size === trust.length, {
        path: ['trust'],
        error: 'must name each value once',
      }),
    ),
);

/** What a caller may write, with every default filled in. */
export type ResolvedOptions = z.output<ReturnType<typeof optionsSchema>>;
export type Linkage = (typeof LINKAGES)[number];
export type Representative = (typeof REPRESENTATIVES)[number];
export type Order = (typeof ORDERS)[number];
/** `strip`: hidden characters go; `escape`: they are shown as `\u{E0049}`. */
export type SanitiseMode = (typeof SANITISE_MODES)[number];
export type Spotlight = (typeof SPOTLIGHTS)[number];
export type Preset = (typeof PRESETS)[number];

/** What each preset gives where the caller gives nothing. */
export const presets: Readonly<Record<Preset, ShapingOptions>> = {
  balanced: {},
  /** The settings of the SlimContext service, on this pipeline. */
  slimcontext: {
    k: 8,
    semanticDedup: { maxDistance: 0.001 },
    cluster: { maxDistance: 0.15, linkage: 'average', maxPerCluster: 1 },
    select: { lambda: 0.5 },
  },
  /** Highest entropy first. For comparison: it keeps fewer answers than a random order. */
  entropy: {
    semanticDedup: false,
    cluster: false,
    relevance: { weights: { ...Object.fromEntries(FEATURES.map((name) => [name, 0])), entropy: 1 } },
    select: { lambda: 1 },
    extract: false,
  },
};

/**
 * Checks options and fills in defaults: the caller's values over the preset's over the schema's.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function resolveOptions(options: ShapingOptions = {}): ResolvedOptions {
  const preset = (options as ShapingOptions | null)?.preset;
  const base = typeof preset === 'string' && Object.hasOwn(presets, preset) ? presets[preset] : {};
  return parseOptions(optionsSchema(), isObject(options) ? mergeOptions({ ...base }, options) : options);
}

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Options whose value is one object: the caller's own service, or a profile that was measured as a whole. */
const WHOLE: ReadonlySet<string> = new Set(['embedder', 'model', 'judge', 'profile']);

/**
 * The options of `over` take the place of those of `base`, group by group. `undefined` leaves what `base` has. The
 * result shares no group and no array with `over`.
 */
export function mergeOptions(base: Fields, over: Fields): Fields {
  // Without prototype, a key of the name __proto__ is a key like any other, and refused like any other.
  const merged: Fields = Object.assign(Object.create(null), base);
  for (const [key, value] of Object.entries(over)) {
    const under = merged[key];
    if (value === undefined) continue;
    if (Array.isArray(value)) merged[key] = value.map((each) => (isObject(each) ? { ...each } : each));
    else if (!isObject(value) || WHOLE.has(key)) merged[key] = value;
    else merged[key] = mergeOptions(isObject(under) ? under : {}, value);
  }
  return merged;
}
