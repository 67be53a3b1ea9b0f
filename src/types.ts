/** The data types: query and chunks go in, candidates pass through the stages, chunks and a report come out. */

/** The question that the context must answer. If `text` is empty, ranking uses only scores. */
export interface Query {
  text: string;
  /** In the same vector space as the chunks' embeddings. */
  embedding?: ArrayLike<number> | null | undefined;
  /** The right answer, if it is known. `ecs` then measures how far each chunk moves the model towards it. */
  answer?: string | null | undefined;
  /**
   * The conversation before the query, oldest turn first. Rare words of its last turns also count, so that a follow-up
   * such as "How much does it cost?" finds its subject. Empty is the same as absent.
   */
  history?: readonly { role: 'user' | 'assistant'; text: string }[] | null | undefined;
}

/** A retrieved passage. `null` counts as absent in every optional field; fields of your own are kept. */
export interface Chunk {
  /** Identifies the chunk in the report. Two chunks may share an id only if they have the same text. */
  id: string;
  text: string;
  /** The text that the model will see, if that is more than `text` (with a header, for instance). Its tokens count. */
  rendered?: string | null | undefined;
  /** The retriever's own score, higher is better, any scale. Never overwritten. Absent is not zero. */
  score?: number | null | undefined;
  embedding?: ArrayLike<number> | null | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: with unknown, metadata typed by an interface would be refused
  metadata?: Readonly<Record<string, any>> | null | undefined;
}

/** A group of sources with the same trust. */
export interface TrustTier {
  /** The metadata value under `fields.trust`. `*`: all values that no other tier lists. */
  value: string;
  /** Maximum number of chunks to keep. Pinned chunks count. */
  k?: number | null | undefined;
  /** Hard cap on the tokens of these chunks together. */
  maxTokens?: number | null | undefined;
}

/** The origin of a text, for citations. The option `fields` says where metadata holds it. */
export interface Source {
  /** Id of the chunk with this text. */
  id: string;
  source?: string;
  position?: number;
  title?: string;
  speaker?: string;
  date?: string;
}

/**
 * The metadata of one text that can decide a conflict.
 *
 * @internal
 */
export interface Claim {
  readonly source: Source;
  /** The metadata path of the date. Absent without a date. */
  readonly datePath?: string;
  /** The value of `version` in the metadata. */
  readonly version?: string;
  /** The value at the path that the option `conflicts.prefer` names. */
  readonly value?: string | number;
}

/** The preferred chunk of a conflict, as seen from a chunk of another side. */
export interface Superseded {
  /** Id of the preferred chunk. */
  by: string;
  /** Why it is preferred: `newest by metadata.date`. */
  because: string;
  /** These are of the preferred chunk, or of that copy of it for which it is preferred. */
  source?: string;
  title?: string;
  date?: string;
  version?: string;
}

/** A range of the original text, in UTF-16 code units: `text.slice(start, end)`. */
export interface Excerpt {
  start: number;
  end: number;
}

/** A range of the original text, and its replacement. */
export interface Edit extends Excerpt {
  text: string;
}

/** Measurements of a candidate. A missing signal was not measured; it is not zero. */
export interface Signals {
  /** Tokens of `rendered`, as the chosen token counter counts them. */
  tokens: number;
  /** Shannon entropies in bits per symbol, and their blend in 0..1. */
  entropy?: { character: number; token: number; blend: number };
  /** The calibrated probability that the chunk holds evidence for the query, 0..1. */
  relevance?: number;
  /**
   * Share of each feature in the log-odds of relevance; the sum is the log-odds. `base` is what every chunk of the pool
   * starts with, `place` what the order of the list adds or takes.
   */
  features?: Readonly<Record<string, number>>;
  /**
   * In nats, by the method of `ecs`: the increase of the model's belief in the answer (a chunk below 0 misleads the model), of
   * the probability of the question, or the log-odds of a judge's yes.
   */
  utility?: number;
  /** Utility given the chunks that rank higher; about 0 for a chunk that repeats them. Chunks are ranked by this value. */
  jointUtility?: number;
  /** Number of the support group: its index in the report's `support`. */
  support?: number;
  /** Number of the cluster, counted from 0 in input order of each cluster's first member. */
  cluster?: number;
  /** Rank in the order of selection, from 0. */
  rank?: number;
}

/** A chunk inside the pipeline. Frozen: a stage that adds something returns a new candidate. */
export interface Candidate {
  /** Index in the input, from 0. The last tie-break everywhere, unless the order of the input means nothing. */
  readonly index: number;
  /**
   * The last tie-break in place of `index`, if the order of the input means nothing.
   *
   * @internal
   */
  readonly place?: number;
  readonly id: string;
  readonly text: string;
  /** The text as the model will see it. Its tokens count. */
  readonly rendered: string;
  /** A frozen copy of the chunk's metadata, one level deep. Present only if the option `stages` is given. */
  readonly metadata?: Chunk['metadata'];
  /**
   * Renders a part of the text, if it is known how. Otherwise the part replaces the text in `rendered`.
   *
   * @internal
   */
  readonly render?: (part: string, superseded: Superseded | undefined) => string;
  /**
   * Sanitises a part of the text, which may need more than the whole did. Absent without the option `sanitise`.
   *
   * @internal
   */
  readonly clean?: (part: string) => string;
  /** The text as the caller gave it, and the edits that led to `text`. Absent if there were none. */
  readonly original?: string;
  readonly edits?: readonly Edit[];
  /** Finite, or absent. */
  readonly score?: number;
  /** Its own source first, then the sources of its evicted copies. */
  readonly sources: readonly [Source, ...Source[]];
  /**
   * The metadata of its text, and of the texts of its evicted copies, that can decide a conflict.
   *
   * @internal
   */
  readonly claims?: readonly Claim[];
  /** Only chunks of the same namespace are compared. */
  readonly namespace: string;
  readonly pinned: boolean;
  /**
   * Whether it is one of several chunks that answer the question alike, in words that the rest of the pool does not have.
   * Absent if not.
   *
   * @internal
   */
  readonly isDependent?: true;
  /** Index of its tier in the option `trust`; 0 is the most trusted. Absent without tiers. */
  readonly tier?: number;
  /** Unit length, or all zero. */
  readonly vector?: Float32Array;
  /** Indices of candidates that state different facts in the same place. */
  readonly conflicts: readonly number[];
  /** Set if the option `conflicts.prefer` prefers another side of a conflict. */
  readonly superseded?: Superseded;
  /** Indices of the preferred candidates that stand before this one in the result. Absent if there are none. */
  readonly behind?: readonly number[];
  /** The kept parts of the original text, if the text was cut. */
  readonly excerpts?: readonly Excerpt[];
  /** The first characters of the uncut text, for the report. Present only if the option `preview` is on. */
  readonly preview?: string;
  readonly signals: Readonly<Signals>;
}

/** Why a chunk was evicted, with the evidence. It has ids, and no texts unless the option `preview` is on. */
export type Eviction = EvictionReason & {
  id: string;
  /** Index in the input, from 0. */
  index: number;
  /** Name of the stage that evicted it. */
  stage: string;
  tokens: number;
  /** The document of the chunk and its position there, if metadata has them. */
  source?: string;
  position?: number;
  /** 0..1 within the pool, and the contribution of each feature. Absent if the chunk was evicted before it was measured. */
  relevance?: number;
  features?: Readonly<Record<string, number>>;
  /** In nats, if it was measured. */
  utility?: number;
  /** The first characters of the text, on one line, if the option `preview` asks for them. */
  preview?: string;
};

export type EvictionReason =
  | {
      reason: 'flagged';
      /** The kinds of its flags that the option `flag.evict` names. The flags with their evidence are in `flags`. */
      kinds: Exclude<FlagKind, 'dependent-group'>[];
    }
  | { reason: 'low-entropy'; entropy: number; minEntropy: number }
  | { reason: 'exact-duplicate'; keptId: string }
  | {
      reason: 'semantic-duplicate';
      keptId: string;
      distance: number;
      maxDistance: number;
      measure: 'cosine' | 'lexical';
    }
  | {
      /** Another side of a conflict is preferred, and the option `conflicts.drop` is on. */
      reason: 'superseded';
      /** Id of the preferred chunk. */
      by: string;
      /** Why that chunk is preferred: `newest by metadata.date`. */
      because: string;
    }
  | {
      reason: 'cluster-member';
      /** The cluster's representative. */
      keptId: string;
      cluster: number;
      distance: number;
      maxDistance: number;
    }
  | { reason: 'low-utility'; minUtility: number }
  | {
      reason: 'below-floor';
      /** The option `relevance.floor`, 0..1. */
      floor: number;
      /** How far the chunk is below the floor; at least 0. */
      margin: number;
    }
  | {
      reason: 'outranked';
      k: number;
      /** How far its marginal relevance is below that of the last selected chunk; at least 0. */
      margin: number;
    }
  | {
      reason: 'over-budget';
      /** `chunksPerSource` limits chunks; `trust` limits the chunks or tokens of a tier. */
      limit: 'maxTokens' | 'perSource' | 'chunksPerSource' | 'trust';
      /**
       * The least relevant chunk that the stage kept for its relevance, and that relevance, 0..1. Pinned and blank chunks
       * do not count; of equals, the last that was taken counts. In the stage `extract` it is the chunk of the least
       * relevant unit of text (sentence, list item, …) that was taken in its own turn, with the relevance of the unit. For
       * `perSource` and `trust`, only chunks of the same source or tier count. Absent if there is none, if relevance was
       * not measured, for a pinned chunk, and in the stage `select`.
       */
      lastKept?: { id: string; relevance: number };
      /**
       * How far the chunk, in the stage `extract` its best unit, is below `lastKept`, -1..1. Zero or negative: it is as
       * relevant or more relevant, but did not fit into the room that was left in its turn. Absent without `lastKept`, and
       * for a chunk that ranked too low for its units to be read.
       */
      margin?: number;
    }
  | {
      /** A stage of the user's own, which `stage` names, evicted it. */
      reason: 'custom';
      /** The stage's reason, as plain JSON. */
      evidence: Readonly<Record<string, unknown>>;
      /** By how much it fell short, in the stage's own unit; at least 0. */
      margin?: number;
    }
  | ExtendedReason;

/**
 * Reasons that an adapter evicts chunks for, each with its evidence. An adapter adds its own by declaration merging:
 * `interface EvictionExtensions { 'off-topic': { score: number } }` adds `{ reason: 'off-topic'; score: number }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: adapters fill it
export interface EvictionExtensions {}

type ExtendedReason = {
  [R in keyof EvictionExtensions]: { reason: R } & EvictionExtensions[R];
}[keyof EvictionExtensions];

/**
 * Fields that an adapter adds to a report: optional, and plain JSON. An adapter adds its own by declaration merging.
 * `formatReport` prints them under the name of the field.
 */
// biome-ignore lint/suspicious/noEmptyInterface: adapters fill it
export interface ReportExtensions {}

/** Codes of degradations that an adapter reports, as keys. An adapter adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: adapters fill it
export interface DegradationExtensions {}

/**
 * Chunks that say something else of the same thing. It is no verdict: they may be versions of one manual, and the report
 * does not know which side is right.
 */
export interface Conflict {
  /** The statements have one subject, and differ in one value. Conflicts of another level are not reported. */
  level: 'sure';
  kinds: FactKind[];
  /** The words around what differs, such as `retries a failed delivery for`. Only with the option `preview`. */
  about?: string;
  /**
   * Two or more. The preferred side comes first. Then the sides with a chunk in the result, in its order; then the others,
   * in input order.
   */
  sides: ConflictSide[];
  /**
   * Why the first side is preferred: `newest by metadata.date`. Absent if the option `conflicts.prefer` is off or does not
   * apply.
   */
  preferred?: string;
}

/** The chunks that say the same in a conflict. */
export interface ConflictSide {
  /** In input order. */
  ids: string[];
  indices: number[];
  /** The words in which the sides differ, as the first chunk writes them: `6 hours`. Only with the option `preview`. */
  says?: string;
  /** The statement of the first chunk, cut to the length that the option `preview` allows. */
  excerpt?: string;
  /** The document of the first chunk, as are the next fields. */
  source?: string;
  title?: string;
  date?: string;
  version?: string;
  tier?: number;
  /** How many different documents say it. */
  support: number;
}

/** Classes of invisible characters, in the order in which a flag lists them. */
export const HIDDEN_CLASSES = [
  'tag',
  'variation-selector',
  'bidirectional',
  'zero-width',
  'control',
  'private-use',
  'surrogate',
  'noncharacter',
] as const;
export type HiddenClass = (typeof HIDDEN_CLASSES)[number];

/**
 * Evidence that a part of a chunk may address the search engine or the model rather than readers. It is no verdict: each
 * flag has honest causes.
 */
export type Flag =
  /** The chunk repeats the question: `share` of its words. The repetition adds nothing to relevance. */
  | { kind: 'query-echo'; share: number }
  /** The chunk repeats the question's words many times: they are `density` of its words of substance. */
  | { kind: 'keyword-stuffing'; density: number }
  /**
   * The chunk says the same as others, with the same words of the question and with words that the rest of the pool does
   * not have. `support` is the group's index in the report's `support`. Groups in which every chunk has its own title are
   * not flagged.
   */
  | { kind: 'dependent-group'; support: number; members: number; sources: number }
  /** Invisible characters. */
  | { kind: 'hidden-characters'; count: number; classes: HiddenClass[] }
  /** The first three words that mix look-alike letters of two scripts. */
  | { kind: 'mixed-script'; words: string[] }
  /** The first three control tokens of chat templates or role tags. */
  | { kind: 'role-tag'; tags: string[] }
  /** Instructions to a model; `text` is their beginning. */
  | { kind: 'instruction'; text: string };

export const FLAG_KINDS = [
  'query-echo',
  'keyword-stuffing',
  'dependent-group',
  'hidden-characters',
  'mixed-script',
  'role-tag',
  'instruction',
] as const satisfies readonly Flag['kind'][];
export type FlagKind = (typeof FLAG_KINDS)[number];

/** Kinds of flags that a chunk has without regard to other chunks. */
export const OWN_FLAG_KINDS = FLAG_KINDS.filter((kind) => kind !== 'dependent-group');

/** A chunk with flags, kept or evicted. */
export interface FlaggedChunk {
  id: string;
  /** Index in the input, from 0. */
  index: number;
  flags: Flag[];
}

/**
 * Three or more chunks that say the same with the same words of the question: a well supported answer, or a planted
 * one. The entry gives the number of sources; it does not judge whether the answer is right.
 */
export interface SupportEntry {
  /** The most relevant first. Only that chunk takes one of `k` places, as long as chunks outside the group are left. */
  ids: string[];
  indices: number[];
  /** Stems that at least half of these chunks contain and the question does not. */
  says: string[];
  /** Number of documents of these chunks. All chunks without a known document count as one document. */
  sources: number;
}

export type FactKind = 'number' | 'date' | 'unit' | 'name' | 'negation' | 'sign' | 'word';

/** How the relevance of a pool was computed. */
export interface Ranking {
  /** Whether an order counted as evidence: that of the list, or that of the scores. */
  ranked: boolean;
  /**
   * How far it counted, 0..1: 0 not at all, 1 as if the words of the chunks could not disagree. An order that repeats the
   * cosines of the vectors counts less.
   */
  trust: number;
  /**
   * The reason: the option `ranked`, the argument of `shape`, or what `auto` found. `scores` fall along the list.
   * `distances` rise along it. The list was sorted by `unsorted-scores`. The list is in `document-order`, so its order did
   * not count. `unsaid`: nothing was said and nothing found, so the order may mean nothing.
   */
  reason: 'option' | 'caller' | 'scores' | 'distances' | 'unsorted-scores' | 'document-order' | 'unsaid';
  /** The set of learned weights that was used. */
  weights: 'passages' | 'talk' | 'chat';
  /** Features that count: they have a weight, and their values differ within this pool. */
  features: string[];
  /**
   * The conversation before the query: its number of turns, and the number of their words that counted. `carried` has
   * these words, heaviest first, if the option `preview` is on; a word of the query has the weight 1. Absent without
   * `query.history`.
   */
  history?: { turns: number; words: number; carried?: { word: string; weight: number }[] };
}

/** The costs of requests to a model. */
export interface ModelUsage {
  /** Number of requests sent. Each attempt counts. */
  requests: number;
  /** Tokens of all prompts and continuations, including cached ones. Absent if not known. */
  tokens?: number;
  /** How many of `tokens` came from a prefix cache. Absent if not known. */
  cachedTokens?: number;
}

/** How a model measured utility, and how the utility was used. */
export interface EcsUse {
  method: EcsMethod;
  /** The model's identity. It is asked for only if a profile must match it. */
  model?: string;
  /** Why utility may outrank relevance: a profile shows that it wins, or the caller chose `always`. `none`: it may not. */
  trust: 'profile' | 'always' | 'none';
  /** Weight of utility in relevance: that of the options, or of the profile. */
  share: number;
  /** Greatest number of chunks to measure: that of the options, or of the profile. */
  maxCandidates: number;
  /** Number of chunks that have a utility. */
  scored: number;
  /** Number of chunks whose utility is only a bound, because the service does not report all probabilities. */
  bounded: number;
  /** Number of passages given to the model: chunks, or the best parts of long chunks. */
  passages: number;
  /** Number of rounds. Each further round takes the best passage so far as given. */
  rounds: number;
  /** Requests to the service, tokens of all prompts and answers, and tokens that came from its cache. */
  usage: ModelUsage;
}

/** How well a model's utilities rank. `fitModels` writes it, `ecs` reads it. */
export interface EcsProfile {
  /** 2. A profile of version 1 is of an older release, and is not trusted. */
  version: 1 | 2;
  /**
   * By method: whether it ranks better than relevance, by more than chance, with this model and these settings. `model` is
   * what `identify` said, and has to be the same when the profile is used; `provider` and `modelId` are for readers. `share`
   * and `maxCandidates` are the values with which it ranks best; they count unless options of `ecs` replace them.
   */
  methods: {
    [method: string]: {
      wins: boolean;
      model: string;
      provider?: string | undefined;
      modelId?: string | undefined;
      share?: number | undefined;
      maxCandidates?: number | undefined;
      settings: EcsSettings;
    };
  };
}

/**
 * Everything but the model on which a measurement depends, by the path of the option or a name: the options of `ecs`, the
 * prompts rendered with the words `passage`, `question` and `answer`, and what else makes relevance.
 */
export interface EcsSettings {
  [option: string]: number | string;
}

/** Whether the chunks answer the question, as far as words tell. */
export interface Answerable {
  /** `likely` from a probability of .7, `unlikely` below .2. It has no influence on the result. */
  verdict: 'likely' | 'unclear' | 'unlikely';
  /** 0..1: that the chunks hold the answer. One half, if the question has no words. */
  probability: number;
}

/** How utility is measured. */
export type EcsMethod = 'answer' | 'question' | 'judge';

/** A failure, and the fallback that replaced the failed work. */
export interface Degradation {
  stage: string;
  /** A stable code to switch on. */
  code:
    | 'pin-not-found'
    | 'option-without-effect'
    | 'query-empty'
    | 'embedder-failed'
    | 'embeddings-incomplete'
    | 'query-not-embedded'
    | 'conflicts-incomplete'
    | 'entropy-gate-lifted'
    | 'scores-contradict-order'
    | 'scores-rise'
    | 'list-in-document-order'
    | 'floor-lifted'
    | 'ecs-not-trusted'
    | 'ecs-failed'
    | 'ecs-incomplete'
    | 'utility-gate-lifted'
    | 'cut-to-fit'
    | 'nothing-fits'
    | 'best-over-budget'
    | 'header-over-budget'
    | 'pinned-over-budget'
    | 'observer-failed'
    | 'stage-degraded'
    | keyof DegradationExtensions;
  message: string;
  /** The option that it is about, such as `fields.title`, if it is about one. */
  field?: string;
}

/** The numbers of candidates of one stage, and its duration. */
export interface StageTrace {
  readonly name: string;
  readonly input: number;
  readonly kept: number;
  readonly evicted: number;
  readonly milliseconds: number;
}

/**
 * The result of one stage, reported while later stages have not run yet. It is final: the evictions, conflicts and
 * degradations of all stages, one after the other, are those of the report, which adds only failed observers and moves
 * the sides of conflicts into the order of the result.
 */
export interface StageEvent extends Omit<StageTrace, 'evicted'> {
  readonly evicted: readonly Eviction[];
  readonly conflicts: readonly Conflict[];
  readonly degradations: readonly Degradation[];
  readonly flagged: readonly FlaggedChunk[];
}

/** It rises if a field changes its meaning or is removed. New fields do not raise it. */
export const REPORT_VERSION = 2;

/**
 * The outcome of every chunk, with its reason. Plain JSON. It has no texts of chunks except the words that a flag
 * quotes. If the option `preview` is on, it also has the first characters of each chunk, and what the sides of a conflict
 * say.
 */
export interface ShapingReport extends ReportExtensions {
  version: typeof REPORT_VERSION;
  query: string;
  /**
   * Every option with defaults filled in. Services are shown as `provider/modelId`; those without
   * a name, and functions, as `"custom"`.
   */
  options: Record<string, unknown>;
  /** Ids in input order. Their number is that of `kept` and `evicted` together. */
  input: string[];
  /** In the order of the result. */
  kept: KeptEntry[];
  /** In the order of the stages. */
  evicted: Eviction[];
  /** How relevance was computed. Absent if it was not measured. */
  ranking?: Ranking;
  /** Whether the chunks answer the question. Absent if relevance was not measured. */
  answerable?: Answerable;
  /** How the model was used, if `ecs` is on. */
  ecs?: EcsUse;
  conflicts: Conflict[];
  /** Chunks with flags, kept or evicted, in input order. */
  flags: FlaggedChunk[];
  /** Groups of three or more chunks that say the same. The group with the most relevant chunk comes first. */
  support: SupportEntry[];
  degradations: Degradation[];
  stages: StageTrace[];
  tokens: {
    input: number;
    output: number;
    /** `budget.maxTokens` minus `budget.reserve`; null without a cap. */
    budget: number | null;
  };
  /** SHA-256, hexadecimal, of the report as JSON without `digest`, the stages' `milliseconds` and `ecs.usage`. */
  digest: string;
}

export interface KeptEntry extends Signals {
  id: string;
  /** Index in the input, from 0. */
  index: number;
  score?: number;
  pinned?: true;
  /** Index of its tier in the option `trust`; 0 is the most trusted. Absent without tiers. */
  tier?: number;
  /** Its own source first, then the sources of its evicted copies. */
  sources: Source[];
  /** The kept parts of the original text, if it was cut. */
  excerpts?: Excerpt[];
  /** True if the option `sanitise` changed the text. Excerpts refer to the original. */
  sanitised?: true;
  /** Set if the option `conflicts.prefer` prefers another side of a conflict. */
  superseded?: Superseded;
  /** The first characters of the text before it was cut, on one line, if the option `preview` asks for them. */
  preview?: string;
}

/** A chunk of the result: the caller's own fields unchanged, and the fields that shaping adds. */
export type ShapedChunk<T extends Chunk = Chunk> = T & {
  /** Index in the input, from 0. */
  index: number;
  tokens: number;
  /** The probability that it holds evidence for the query, 0..1. Absent if there was nothing to rank by. */
  relevance?: number;
  /** Its own source first, then the sources of its evicted copies. Cite them all. */
  sources: Source[];
  /** The kept parts of the original, as offsets, if `text` was cut. Absent if `text` is whole. */
  excerpts?: Excerpt[];
  /** True if the option `sanitise` changed `text`. */
  sanitised?: true;
  /** The preferred chunk, if the option `conflicts.prefer` prefers another side of a conflict. */
  superseded?: Superseded;
};
