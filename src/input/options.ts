import * as z from 'zod/mini';
import type {
  Embedder,
  Judge,
  LogprobModel,
  PortIdentity,
  PromptInput,
  Telemetry,
  TokenCounter,
} from '../ports.js';
import { isService } from '../runtime/has-methods.js';
import { lazily } from '../runtime/lazily.js';
import type { DefaultStage, Stage } from '../stage.js';
import { type Chunk, type Eviction, OWN_FLAG_KINDS, type ShapingReport, type StageEvent } from '../types.js';
import { nearest } from './names.js';
import { isObject, type JsonObject, parseOptions } from './parse-options.js';
import type { ShapingOptions } from './shaping-options.js';

/*
 * The one schema of options, and the only place where a default is written. The table of the documents and the interface
 * for editors are generated from it.
 *
 * Zod's functional form, because bundlers can leave out its unused parts: it is a third of the other form.
 */

/** A schema with its description. */
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
const LONGEST_PREVIEW = 500;
/** No list may be longer than this, so that no caller chooses what a check of it costs. */
const MOST_PINS = 10_000;
const MOST_TIERS = 32;
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

export const LINKAGES = ['single', 'complete', 'average', 'ward'] as const;
export const REPRESENTATIVES = ['auto', 'score', 'centroid', 'query-closest', 'longest'] as const;
const ORDERS = ['relevance', 'input', 'source', 'edges-first'] as const;
const ENCODINGS = ['estimate', 'characters/4', 'o200k_base', 'cl100k_base'] as const;
/** Ways to utility where the answer is not known, and the one where it is. */
export const GUESSES = ['question', 'judge'] as const;
export const METHODS = ['answer', ...GUESSES] as const;
/** Questions to a judge if the answer is not known. */
const JUDGING = ['answers', 'factuality'] as const;
/** The reach of utility where neither the options nor a profile say it. */
export const ECS_REACH = { share: 0.75, shareOfQuestion: 0.33, maxCandidates: 16 } as const;
export const SANITISE_MODES = ['strip', 'escape'] as const;
export const SPOTLIGHTS = ['delimiter', 'datamark', 'none'] as const;

/** The values of the options that a command line offers for choice. */
export const CHOICES = {
  order: ORDERS,
  tokenizer: ENCODINGS,
  sanitise: SANITISE_MODES,
} as const;

const budget = () =>
  z.strictObject({
    maxTokens: option(
      z.nullish(atLeast(1)),
      'Hard cap on the tokens of all kept chunks together, as `tokenizer` counts them. Absent: no cap.',
    ),
    reserve: option(
      withDefault(atLeast(0), 0),
      'Tokens of `maxTokens` to leave free for the answer, the prompt and the separators between chunks.',
    ),
    perSource: option(
      z.nullish(atLeast(1)),
      'Hard cap on the tokens of all kept chunks of one source together.',
    ),
    chunksPerSource: option(
      z.nullish(atLeast(1)),
      'Maximum number of chunks to keep per source. Pinned chunks count.',
    ),
  });

const fields = () =>
  z.strictObject({
    source: option(
      withDefault(path(), ['source', 'file_path', 'file_name', 'url']),
      `Metadata paths of the document that a chunk is from. The first path that exists counts. Each field takes at most ${MOST_PATHS} paths, each of at most ${LONGEST_PATH} characters and ${MOST_STEPS} steps (\`loc.lines.from\` has three).`,
    ),
    position: option(
      withDefault(path(), ['position', 'loc.pageNumber', 'page_label', 'loc.lines.from', 'chunk_index']),
      'Metadata paths of the chunk’s position within its source.',
    ),
    title: option(
      withDefault(path(), ['title', 'document_title', 'pdf.info.Title']),
      'Metadata paths of the title.',
    ),
    speaker: option(withDefault(path(), ['speaker', 'role']), 'Metadata paths of the speaker.'),
    date: option(
      withDefault(path(), ['date', 'timestamp', 'created_at', 'creation_date']),
      'Metadata paths of the date on which the text was written or spoken.',
    ),
    trust: option(
      withDefault(path(), 'trust'),
      'Metadata paths of the value that `trust` maps to a tier. Use a key that only your own ingestion writes, so that a page cannot choose its tier.',
    ),
  });

export const PREFERENCES = ['newest', 'trusted', 'majority'] as const;

const conflicts = () =>
  z
    .strictObject({
      prefer: option(
        z.nullish(z.union([z.enum(PREFERENCES), metadataPath()])),
        'Which side of a conflict comes first. `newest`: by `fields.date`, then `version` in metadata, then versions and dates in titles and sources; the first of these that all sides have, and that differs, decides. `trusted`: the better tier of `trust`. `majority`: the side of more documents. A metadata path: the greater number, later date or later version; other values do not count. The preferred side stands first in the report and in the result, and chunks of other sides are marked `superseded`. Absent: no side is preferred.',
      ),
      drop: option(
        withDefault(z.boolean(), false),
        'Evict superseded chunks that state nothing else. Pinned chunks, chunks that are more trusted than the preferred one, and chunks without a value to compare stay.',
      ),
    })
    .check(
      z.refine(({ drop, prefer }) => !drop || prefer != null, {
        path: ['drop'],
        error: 'has no effect without conflicts.prefer, which names the side to keep',
      }),
      z.refine(({ prefer }) => wordMeant(prefer) === undefined, {
        path: ['prefer'],
        error: ({ input }) =>
          `is nearly ${JSON.stringify(wordMeant((input as { prefer: unknown }).prefer))}. Write that word, or give the key in metadata another name`,
      }),
    );

const isPreference = (value: unknown): boolean => PREFERENCES.some((each) => each === value);

/** The word that a metadata path is nearly, so that it may stand for that word. */
const wordMeant = (prefer: unknown): string | undefined =>
  typeof prefer === 'string' && !isPreference(prefer) ? nearest(prefer, PREFERENCES)[0] : undefined;

/** The metadata path that the option `conflicts.prefer` is. Undefined if it is anything else. */
export const pathOfPreference = ({ prefer }: ResolvedOptions['conflicts']): string | undefined =>
  typeof prefer === 'string' && !isPreference(prefer) ? prefer : undefined;

const WEIGHTS = {
  bm25: 'BM25 of the query’s words. Off by default: `grams` finds more.',
  grams: 'BM25 of character n-grams: finds inflected forms, compounds and other spellings in any language.',
  coverage: 'Share of the query’s words that the chunk contains. Rare words weigh more.',
  phrase: 'Words that are adjacent both in the query and in the chunk.',
  proximity: 'Share of the query’s words that stand close together in the chunk.',
  title: 'Share of the words of the chunk’s title that the query contains.',
  speaker: 'The speaker is the person that the query names, or means by “I” or “you”.',
  neighbours:
    'Highest first-pass relevance among the chunk and its neighbours in the same source, up to four positions away.',
  source: 'BM25 of all chunks of the same source together.',
  date: 'The chunk contains a date, and the query asks when.',
  dateMatch:
    'The chunk’s date in metadata is the date that the query names (“on 8 May”, “last week”), or soon after it.',
  titleBridge: 'A relevant chunk names the title of this chunk.',
  cosine:
    'Cosine of the chunk’s vector and the query’s: by how many standard deviations of the pool the cosines of relevant chunks lie above the others. Default 1.2; of turns of a conversation and of a static embedder 0.5. 0: vectors do not count for relevance.',
  place: 'The rank of the chunk in the list, as far as its order is trusted.',
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
  'Entropic Context Shaping: asks a language model how far each chunk moves the model’s belief in the answer.';
const service = <T extends PortIdentity>(methods: readonly string[], what: string) =>
  z
    .custom<T>((value) => methods.every((name) => typeof (value as never)?.[name] === 'function'), {
      error: `must be ${what}`,
    })
    .check(
      z.refine((value) => [undefined, 'v1'].includes(value?.specificationVersion), {
        path: ['specificationVersion'],
        error: 'must be "v1": this release has no other version of the port',
      }),
    );
const ecs = () =>
  z
    .strictObject({
      model: option(
        z.optional(
          service<LogprobModel>(
            ['identify', 'score', 'nextTokens'],
            'a model that reports log-probabilities, as llamaServer and ollamaModel make',
          ),
        ),
        'The model that scores how probable answers are. `context-shaping/logprobs` makes such models.',
      ),
      judge: option(
        z.optional(service<Judge>(['identify', 'judge'], 'a judge (chatJudge makes one)')),
        'A judge that answers yes or no for each chunk. It is asked if there is no `model`, or if `withoutAnswer` is `judge`.',
      ),
      trust: option(
        withDefault(z.enum(['profile', 'always']), 'profile'),
        'When utility may outrank relevance. `profile`: only if `profile` shows that this model ranks better with utility. `always`: always.',
      ),
      profile: option(
        z.optional(
          z.object({
            version: z.union([z.literal(1), z.literal(2)]),
            methods: z.record(
              z.string(),
              z.object({
                wins: z.boolean(),
                model: nonEmpty(),
                provider: z.optional(z.string()),
                modelId: z.optional(z.string()),
                share: z.optional(share()),
                maxCandidates: z.optional(atLeast(1)),
                settings: z.record(z.string(), z.union([z.number(), z.string()])),
              }),
            ),
          }),
        ),
        'The profile that `context-shaping-devtools evaluate --fit` wrote.',
      ),
      withoutAnswer: option(
        withDefault(z.enum(GUESSES), 'question'),
        'How utility is measured if the query has no `answer`. `question`: how much more probable the chunk makes the question. `judge`: whether the model says that the chunk helps.',
      ),
      judging: option(
        withDefault(z.enum(JUDGING), 'answers'),
        'The question that the judge gets if the answer is not known. `answers`: does the chunk have the facts that answer the question? `factuality`: does the chunk state the truth about the question, as far as the judge knows?',
      ),
      share: option(
        z.nullish(share()),
        `Weight of utility in relevance if utility is trusted. Words, vectors and scores share the rest. Absent: the value of the profile; without a profile ${ECS_REACH.share}, or ${ECS_REACH.shareOfQuestion} if \`withoutAnswer\` is \`question\` and there is no answer.`,
      ),
      minUtility: option(
        z.nullish(z.number()),
        'Evict chunks whose own measured utility is below this, in nats. Absent: no limit.',
      ),
      maxCandidates: option(
        z.nullish(atLeast(1)),
        `Number of chunks to measure, the most relevant first. Absent: the value of the profile; without a profile ${ECS_REACH.maxCandidates}.`,
      ),
      maxPassageTokens: option(
        withDefault(atLeast(1), 200),
        'A longer chunk is measured by one part of about so many tokens: the part that has most of the question by words.',
      ),
      lengthPenalty: option(
        withDefault(z.number().check(z.gte(0)), 0.002),
        'Utility subtracted per token, in nats.',
      ),
      rounds: option(
        withDefault(atLeast(1), 2),
        'Number of rounds. Each further round takes the best chunk so far as given: chunks that complete it gain, chunks that repeat it do not.',
      ),
      prompt: option(
        z.optional(
          callable<(input: PromptInput) => string>('a function from context and question to a prompt'),
        ),
        'Function from `{ context, question }` to the prompt that precedes the answer; for a chat model, its template. Absent: the context, `Question:` and `Answer:`. It does not count for the methods `question` and `judge`.',
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
    'How `renderContext` marks passages as data. `delimiter`: lines with a random number enclose the passages, and each header repeats the number. `datamark`: `^` replaces the white space within passages. `none`: only numbers and sources.',
  );

/** The options of `renderContext`. */
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
      k: option(
        z.nullish(atLeast(1)),
        'Maximum number of chunks to keep. Absent: as many as fit the budget.',
      ),
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
        withDefault(z.union([z.boolean(), z.literal('reranked'), share(), z.literal('auto')]), 'auto'),
        'How much the order of the list counts. `"reranked"`: a reranker sorted it, best first. `true`: a retriever sorted it, best first. `false`: it means nothing; scores, if there are any, then give an order. A number from 0 to 1: the trust in the order. `"auto"`: the `ranked` argument of `shape` decides; without it, scores do; without scores, the order counts half.',
      ),
      scores: option(
        withDefault(z.enum(['order', 'cosine']), 'order'),
        'The meaning of the chunks’ scores. `order`: only their order counts. `cosine`: they are cosines of the vectors of a contextual embedding model, from -1 to 1, as many vector stores return them. They then count for relevance and `answerable` as vectors do, and nothing has to be embedded.',
      ),
      tokenizer: option(
        withDefault(
          z.union([z.enum(ENCODINGS), callable<TokenCounter>('a function from text to a number')]),
          'estimate',
        ),
        'The token counter. `estimate`: estimates `o200k_base` without its vocabulary, and is a few per cent too high or too low, but can be far too low for texts that were written to deceive it. An OpenAI encoding: exact. `characters/4`: a rule of thumb for English that can overrun your budget (too low by 8–76 % in Vietnamese, Arabic, Hindi and Thai, by 57–79 % in Chinese, Japanese and Korean, by up to 57 % in code). Or your own function.',
      ),
      embedder: option(
        z.optional(
          service<Embedder>(
            ['embed'],
            'an object with an embed(texts, options) method, as fromLangChainEmbeddings makes',
          ),
        ),
        'Computes vectors for chunks that have none. Absent: all stages compare words.',
      ),
      pin: option(
        withDefault(
          z.union([
            z.array(z.string()).check(z.maxLength(MOST_PINS)),
            callable<(chunk: Chunk) => boolean>('a function from chunk to boolean'),
          ]),
          [],
        ),
        `Ids of chunks to keep ahead of all others, at most ${MOST_PINS}, or a function that returns true for them. Only an exact copy, the hard budget, or a stage of your own evicts a pinned chunk.`,
      ),
      namespace: option(
        z.nullish(metadataPath()),
        'Metadata path of a plain value, such as a tenant or a collection. Only chunks with the same value are compared with each other. Absent: all chunks are compared.',
      ),
      fields: z.prefault(fields(), {}),
      trust: option(
        withDefault(
          z
            .array(
              z.strictObject({
                value: nonEmpty(),
                k: z.nullish(atLeast(1)),
                maxTokens: z.nullish(atLeast(1)),
              }),
            )
            .check(z.maxLength(MOST_TIERS)),
          [],
        ),
        `Tiers of sources, at most ${MOST_TIERS}, the most trusted first. \`value\` is the metadata value under \`fields.trust\`; \`k\` and \`maxTokens\` limit the chunks and tokens of the tier. A copy from a less trusted tier never replaces a chunk of a more trusted tier. An echo of the question counts in the first tier only. Chunks of no listed tier belong to the tier \`*\`; without that tier, they are trusted least.`,
      ),
      sanitise: option(
        withDefault(z.union([z.literal(false), z.enum(SANITISE_MODES)]), false),
        'Makes texts safe to show, before any stage runs. `strip` removes invisible characters that have no legitimate use where they stand; `escape` shows them as `\\u{E0049}`. Both insert a space into forged control tokens and role tags (`< |im_start|>`). `false`: off.',
      ),
      frame: option(
        withDefault(z.union([z.literal(false), z.strictObject({ spotlight: spotlight() })]), false),
        'Counts each chunk as `renderContext` shows it with the same `spotlight`, including its header, and reserves room for the text around the passages. `rendered` does not count then. `false`: chunks are counted as given.',
      ),
      preview: option(
        withDefault(z.union([z.literal(false), atLeast(1).check(z.lte(LONGEST_PREVIEW))]), false),
        `Adds the first characters of each chunk’s text to the report, kept or evicted: a number of characters, 1 to ${LONGEST_PREVIEW}. They are on one line and end with a whole word where possible; hidden characters are escaped. \`ranking.history\` then names the words of earlier turns. The log and the events of the report have these texts, too. \`false\`: the report has no texts.`,
      ),
      errorMessages: option(
        withDefault(z.boolean(), false),
        'Whether the report quotes the messages of services, stages and observers that failed. A service may repeat its input in a message, so these can hold texts and the question; the log, the events and the spans of the report have them, too. `false`: the report has class and code of the error, or field, problem and remedy of an error of this package.',
      ),
      allowEmpty: option(
        withDefault(z.boolean(), false),
        'Whether the result may be empty if there were chunks. If not, `minEntropy` spares the chunk with the highest entropy, `relevance.floor` spares the most relevant chunk, and if nothing fits the budget, the best chunk is cut to fit. `flag.evict` spares none.',
      ),
      deadlineMs: option(
        z.nullish(z.number().check(z.gt(0), z.lte(2 ** 31 - 1))),
        'Longest wait for outside services, in milliseconds from the start of the call. After that, the fallback is used. Observers together get the same time again. Absent: no limit.',
      ),
      flag: stage(
        'Reports text that addresses the search engine or the model, not readers: an echo of the question, hidden characters, role tags, instructions.',
        {
          evict: option(
            withDefault(z.array(z.enum(OWN_FLAG_KINDS)).check(z.maxLength(OWN_FLAG_KINDS.length)), []),
            `Evict chunks with flags of these kinds, before copies are looked for: ${OWN_FLAG_KINDS.map((kind) => `\`${kind}\``).join(', ')}. Honest texts can have each of these. Pinned chunks stay. Empty: off.`,
          ),
        },
      ),
      annotate: stage('Measures the entropy of each chunk, and can evict boilerplate.', {
        minEntropy: option(
          withDefault(share(), 0),
          'Evict chunks whose blended entropy (0..1) is below this. 0: off.',
        ),
      }),
      exactDedup: stage(
        'Evicts copies that differ only in form: case, white space, punctuation of sentences, words divided at line ends, HTML entities. The best copy stays.',
        {},
      ),
      semanticDedup: stage(
        'Evicts near-copies: texts with the same facts and the same words in the same order. The best stays. Facts may have other spellings (number, date, unit); articles, auxiliaries and forms of a word make no difference.',
        {
          maxDistance: option(
            withDefault(from0To(2), 0.06),
            'Greatest distance of near-copies: cosine distance with vectors, else Jaccard distance of stemmed words.',
          ),
        },
      ),
      conflicts: z.prefault(conflicts(), {}),
      relevance: stage('Measures relevance: the probability that a chunk holds evidence for the query.', {
        weights: option(
          z.prefault(weights(), {}),
          'Weights of the features: the log-odds that a feature adds at its greatest value. Absent weights are the learned ones.',
        ),
        floor: option(
          withDefault(share(), 0),
          'Evict chunks whose relevance, a probability, is below this, even if everything fits. Pinned chunks stay. 0: off.',
        ),
      }),
      cluster: stage('If not all chunks fit, evicts redundant members of clusters.', {
        maxDistance: option(
          withDefault(z.number().check(z.gte(0)), 0.1),
          'Greatest distance of two clusters that are joined, as `linkage` measures it: by cosines of vectors, else of TF-IDF. If the mean distance of the vectors is less than one half, it is reduced in proportion.',
        ),
        linkage: option(
          withDefault(z.enum(LINKAGES), 'average'),
          'How the distance between two clusters is measured.',
        ),
        representative: option(
          withDefault(z.enum(REPRESENTATIVES), 'auto'),
          'Which member represents a cluster. `auto`: the most relevant.',
        ),
        maxPerCluster: option(withDefault(atLeast(1), 1), 'Number of members that a cluster always keeps.'),
      }),
      ecs: option(withDefault(z.union([z.literal(false), ecs()]), false), `${ECS} \`false\`: off.`),
      select: stage('If not all chunks fit, orders them by maximal marginal relevance, and applies `k`.', {
        // Near-copies are gone before selection, so relevance comes first, and diversity decides between similar relevance.
        lambda: option(
          withDefault(share(), 0.9),
          'Balance of maximal marginal relevance: 1 is relevance only, 0 is diversity only.',
        ),
      }),
      extract: stage(
        'If not all chunks fit the token budget, cuts them to the sentences that answer the query.',
        {
          gap: option(
            withDefault(z.string().check(z.maxLength(100)), ' … '),
            'Mark for omitted text between two sentences. Between lines it stands on its own line. Blank: no mark.',
          ),
        },
      ),
      order: option(
        withDefault(z.union([z.literal(false), z.enum(ORDERS)]), 'relevance'),
        'Order of the result. `edges-first` puts the best chunks at both ends. `false`: in the order of selection.',
      ),
      stages: option(
        z.optional(
          callable<(defaults: readonly DefaultStage[]) => readonly (DefaultStage | Stage)[]>(
            'a function from the default stages to an array of stages',
          ),
        ),
        'Called once, with the default stages that are on. Returns the stages to run. It may leave out default stages, except `annotate`, `embed` and `budget`, but must keep their order. Stages of your own go anywhere after `annotate`.',
      ),
      onReport: option(
        z.optional(callable<(report: ShapingReport) => void | Promise<void>>('a function')),
        'Called with the report of every call.',
      ),
      onEvict: option(
        z.optional(callable<(eviction: Eviction) => void | Promise<void>>('a function')),
        'Called with every eviction, in order, before `onReport` is called.',
      ),
      onStage: option(
        z.optional(callable<(event: StageEvent) => void | Promise<void>>('a function')),
        'Called after every stage with its result. The next stage waits for it. `deadlineMs` does not pause meanwhile.',
      ),
      telemetry: option(
        z.optional(service<Telemetry>(['begin'], 'a telemetry (openTelemetry makes one)')),
        'Makes spans and metrics of every call. `openTelemetry` of `context-shaping/telemetry` makes one.',
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
        error: 'must have no k with select: false, because select applies k',
      }),
      z.refine(({ trust }) => new Set(trust.map(({ value }) => value)).size === trust.length, {
        path: ['trust'],
        error: 'must name each value once',
      }),
    ),
);

/** The options of a caller, with every default filled in. */
export type ResolvedOptions = z.output<ReturnType<typeof optionsSchema>>;
export type Linkage = (typeof LINKAGES)[number];
export type Representative = (typeof REPRESENTATIVES)[number];
export type Order = (typeof ORDERS)[number];
/** `strip`: hidden characters go; `escape`: they are shown as `\u{E0049}`. */
export type SanitiseMode = (typeof SANITISE_MODES)[number];
export type Spotlight = (typeof SPOTLIGHTS)[number];

/**
 * Checks options and fills in defaults.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function resolveOptions(options: ShapingOptions = {}): ResolvedOptions {
  // Undefined is an option that is not given.
  return deepFreeze(parseOptions(optionsSchema(), isObject(options) ? mergeOptions({}, options) : options));
}

/** Options whose value is one object: the caller's own service, or a profile that was measured as a whole. */
const WHOLE: ReadonlySet<string> = new Set(['embedder', 'model', 'judge', 'profile', 'telemetry']);

/**
 * The options of `over` take the place of those of `base`, group by group. `undefined` leaves what `base` has. The
 * result shares no group and no array with `over`.
 */
export function mergeOptions(base: JsonObject, over: JsonObject): JsonObject {
  // Without prototype, a key of the name __proto__ is a key like any other, and refused like any other.
  const merged: JsonObject = Object.assign(Object.create(null), base);
  for (const [key, value] of Object.entries(over)) {
    const under = merged[key];
    if (value === undefined) continue;
    if (Array.isArray(value)) merged[key] = value.map((each) => (isObject(each) ? { ...each } : each));
    else if (!isObject(value) || WHOLE.has(key)) merged[key] = value;
    else merged[key] = mergeOptions(isObject(under) ? under : {}, value);
  }
  return merged;
}

/** Freezes the options, which all calls share and callers can read. Services and functions stay as they are. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || isService(value)) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}
