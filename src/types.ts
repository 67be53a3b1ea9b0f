/** The data that flows: query and chunks in, candidates through the stages, chunks and a report out. */
import type { ModelUsage } from './ports.js';
import type { HiddenClass } from './text/hidden.js';

/** The question the context has to answer. `text` may be empty: then ranking relies on scores alone. */
export interface Query {
  text: string;
  /** In the same vector space as the chunks' embeddings. */
  embedding?: ArrayLike<number> | null | undefined;
  /** The right answer, where it is known: `ecs` then measures how far each chunk moves the model towards it. */
  answer?: string | null | undefined;
}

/** A retrieved passage. `null` counts as absent in every optional field; fields of your own are kept. */
export interface Chunk {
  /** Names the chunk in the report. Two chunks may share an id only if they share their text. */
  id: string;
  text: string;
  /** What the model will see of it, if not `text` alone (a header with metadata, say): this is what is counted. */
  rendered?: string | null | undefined;
  /** The retriever's own score, higher is better, any scale. Never overwritten. Absent is not zero. */
  score?: number | null | undefined;
  embedding?: ArrayLike<number> | null | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: with unknown, metadata typed by an interface would be refused
  metadata?: Readonly<Record<string, any>> | null | undefined;
}

/** Sources that are trusted alike. */
export interface TrustTier {
  /** What metadata has under `fields.trust`; `*` is all that no other tier names. */
  value: string;
  /** The most chunks to keep; pinned ones count. */
  k?: number | null | undefined;
  /** The most tokens that they may take together. */
  maxTokens?: number | null | undefined;
}

/** Where a text comes from: what a citation needs. Read from metadata through the `fields` option. */
export interface Source {
  /** The chunk that carried it. */
  id: string;
  source?: string;
  position?: number;
  title?: string;
  speaker?: string;
  date?: string;
}

/** A stretch of the original text, in UTF-16 code units: `text.slice(start, end)`. */
export interface Excerpt {
  start: number;
  end: number;
}

/** A stretch of the original text, and what stands in its place. */
export interface Edit extends Excerpt {
  text: string;
}

/** What the stages have found out about a candidate. A missing signal was not measured; it is not zero. */
export interface Signals {
  /** What the model will see, under the declared token counter. */
  tokens: number;
  /** Shannon entropies in bits per symbol, and their blend in 0..1. */
  entropy?: { character: number; token: number; blend: number };
  /** 0..1 within this pool. */
  relevance?: number;
  /** What each feature adds to relevance; they sum to it. */
  features?: Readonly<Record<string, number>>;
  /** What it adds to the model's belief in the answer, in nats; below 0 it misleads. */
  utility?: number;
  /** The same given those that were found better; about 0 where it only repeats them. This is what ranks. */
  jointUtility?: number;
  /** Number of the support group: its place in the report's `support`. */
  support?: number;
  /** Number of the cluster, counted from 0 in input order of each cluster's first member. */
  cluster?: number;
  /** Place in the order of selection, from 0. */
  rank?: number;
}

/** A chunk on its way through the stages. Frozen; a stage that adds something returns a new one. */
export interface Candidate {
  /** Place in the input, from 0: the last tie-break everywhere. */
  readonly index: number;
  readonly id: string;
  readonly text: string;
  /** What is counted: `text` as the model will see it. */
  readonly rendered: string;
  /** The chunk's own, frozen, one level deep; only where the option `stages` is given, and where the chunk has some. */
  readonly metadata?: Chunk['metadata'];
  /**
   * What would be counted of a part of it, where that is known; else the part takes the text's place in `rendered`.
   *
   * @internal
   */
  readonly render?: (part: string) => string;
  /** The text as the caller gave it, and what was changed of it; absent where nothing was. */
  readonly original?: string;
  readonly edits?: readonly Edit[];
  /** Finite, or absent. */
  readonly score?: number;
  /** Its own source first, then those it inherited from copies that went. */
  readonly sources: readonly [Source, ...Source[]];
  /** Copies are merged only within one namespace. */
  readonly namespace: string;
  readonly pinned: boolean;
  /** Place of its tier in the option `trust`, 0 the most trusted; absent without tiers. */
  readonly tier?: number;
  /** Unit length, or all zero. */
  readonly vector?: Float32Array;
  /** Indices of candidates that state different facts in the same place. */
  readonly conflicts: readonly number[];
  /** Of the original. */
  readonly excerpts?: readonly Excerpt[];
  readonly signals: Readonly<Signals>;
}

/** Why a chunk went, with the evidence of that reason. Ids, not texts: ledgers get logged. */
export type Eviction = EvictionReason & {
  id: string;
  /** Place in the input, from 0. */
  index: number;
  /** Name of the stage that evicted it. */
  stage: string;
  tokens: number;
  /** The document it is from, and its place there, where metadata tells. */
  source?: string;
  position?: number;
  /** 0..1 within the pool, and what each feature adds to it; absent for what went before it was measured. */
  relevance?: number;
  features?: Readonly<Record<string, number>>;
  /** In nats, where it was measured. */
  utility?: number;
};

export type EvictionReason =
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
      /**
       * Of relevance, 0..1: `relevance.floor`; or, in a budget, what was worth the room that was left. In the stage
       * `extract` that is the relevance of sentences and other units of the text, in the others that of chunks.
       */
      floor: number;
      /** How much the chunk, or its best unit, fell short of it; at least 0. */
      margin: number;
    }
  /** Corrective retrieval found that it does not help to answer. */
  | { reason: 'low-grade'; grade: number; minGrade: number }
  /** A person ruled it out. */
  | { reason: 'vetoed'; by?: string; note?: string }
  | {
      reason: 'outranked';
      k: number;
      /** How much its marginal relevance fell short of the last chunk that was selected; at least 0. */
      margin: number;
    }
  | {
      reason: 'over-budget';
      /** `chunksPerSource` and `trust` count chunks, the latter of a tier, or its tokens. */
      limit: 'maxTokens' | 'perSource' | 'chunksPerSource' | 'trust';
      /** A value of that limit at which it stays, all else as it is; null if raising that alone does not do. */
      budgetToKeep: number | null;
    }
  | {
      /** A stage of the user's own, which `stage` names, evicted it. */
      reason: 'custom';
      /** The stage's reason, as plain JSON. */
      evidence: Readonly<Record<string, unknown>>;
      /** By how much it fell short, in the stage's own unit; at least 0. */
      margin?: number;
    };

/** Two texts that state different facts in the same place. Neither was merged into the other. */
export interface Conflict {
  ids: [string, string];
  indices: [number, number];
  kinds: FactKind[];
  /**
   * The facts that each text has in the places where they contradict each other, folded to lower case, sorted; where
   * facts only changed places, those facts in the order of each text, as one string.
   */
  differences: [string[], string[]];
}

/**
 * What the author of a chunk may have meant for the search or the model rather than for readers. Evidence, no verdict:
 * each has honest causes.
 */
export type Flag =
  /** Repeats the question: `share` of its words. It adds nothing to relevance. */
  | { kind: 'query-echo'; share: number }
  /** Is made of the question's words, each again and again: `density` of its words of substance are. */
  | { kind: 'keyword-stuffing'; density: number }
  /**
   * Says the same as others, for the same reason: `support` is the group's place in the report's `support`. Not of groups in
   * which each has another title.
   */
  | { kind: 'dependent-group'; support: number; members: number; sources: number }
  /** Characters that nobody sees, and what they spell, if that can be read. */
  | { kind: 'hidden-characters'; count: number; classes: HiddenClass[]; decoded?: string }
  /** Words with letters of two scripts that look alike; the first three. */
  | { kind: 'mixed-script'; words: string[] }
  /** Tokens of chat templates and tags of roles; the first three. */
  | { kind: 'role-tag'; tags: string[] }
  /** Tells a model what to do; the beginning of that. */
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

/** A chunk about which there is something to say, kept or evicted. */
export interface FlaggedChunk {
  id: string;
  /** Place in the input, from 0. */
  index: number;
  flags: Flag[];
}

/**
 * Three or more chunks that say the same, with the same words of the question: one answer, or one that is pushed. How
 * many sources it has is told, not whether it is right.
 */
export interface SupportEntry {
  /** The most relevant first: it alone takes one of the `k` places while others are left to take them. */
  ids: string[];
  indices: number[];
  /** Stems that at least half of them have beyond the question. */
  says: string[];
  /** How many documents they are from; all without a known one count as one. */
  sources: number;
}

export type FactKind = 'number' | 'date' | 'unit' | 'name' | 'negation';

/** What the relevance of a pool rests on. */
export interface Ranking {
  /** Did the order of the list count as evidence, best first? */
  ranked: boolean;
  /**
   * Why: the option `ranked`, or the caller of `shape`; else what `auto` found in the pool: `document-order` or
   * `unsorted-scores`, which are no ranking, or nothing against one (`default`).
   */
  reason: 'option' | 'caller' | 'default' | 'document-order' | 'unsorted-scores';
  /** Which set of learned weights was used. */
  weights: 'passages' | 'talk' | 'chat';
  /** Features that count: those with a weight that tell chunks of this pool apart. */
  features: string[];
}

/** What a model was asked of how much chunks help, and how it was used. */
export interface EcsUse {
  method: EcsMethod;
  /** What the model says it is; asked for only where a profile has to be of this model. */
  model?: string;
  /** Why its verdict may outrank relevance: a profile says that it wins, or the caller does. `none`: it may not. */
  trust: 'profile' | 'always' | 'none';
  /** Chunks that have a utility. */
  scored: number;
  /** Of how many of them it is a bound only, for the service does not tell all probabilities. */
  bounded: number;
  /** Passages that were given to the model: chunks, or the parts of long ones. */
  passages: number;
  /** How often they were compared, each time given what was found best before. */
  rounds: number;
  /** Requests sent to the service, the tokens of all prompts and answers, and those it took from its cache. */
  usage: ModelUsage;
}

/** What is known of how well a model's utilities rank: written by `calibrate`, read by `ecs`. */
export interface EcsProfile {
  version: 1;
  /** By method: does it rank better than relevance, by more than chance, with this model and these settings? */
  methods: { [method: string]: { wins: boolean; model: string; settings: EcsSettings } };
}

/** Options that utilities depend on, and the prompt as it looks with a passage `passage` and a question `question`. */
export interface EcsSettings {
  [option: string]: number | string;
}

/** How utility is measured. */
export type EcsMethod = 'answer' | 'expected-utility' | 'judge' | 'trajectory';

/** How well a context answers, by the grades of its chunks: Corrective Retrieval (Yan et al., 2024). */
export type Verdict = 'correct' | 'ambiguous' | 'incorrect';

/** Why a person is asked. */
export type ReviewReason = 'before-search' | 'ambiguous' | 'incorrect' | 'conflict';

/** What corrective retrieval did. */
export interface CragRecord {
  verdict: Verdict;
  /** What is handed on: the context, a person's answer with it, or nothing, for a person refused. */
  outcome: 'context' | 'answered' | 'refused';
  /** The person's. */
  answer?: string;
  /** The question in the end, where a person changed it. */
  query?: string;
  /** The steps, in their order; a decision with its verdict: `decide: incorrect`. */
  path: string[];
  grader: string;
  /** From `upper` on a chunk answers; below `lower` it does not help. */
  thresholds: { lower: number; upper: number };
  /** In input order; those of the last question. */
  grades: GradeEntry[];
  searches: SearchEntry[];
  reviews: ReviewEntry[];
}

export interface GradeEntry {
  id: string;
  index: number;
  /** 0..1. */
  grade: number;
  reason?: string;
  /** Who graded, if not the grader itself: `relevance` where it failed. */
  by?: string;
}

export interface SearchEntry {
  query: string;
  /** Documents that were not known before. */
  found: number;
  /** Why the search failed. */
  failure?: string;
}

export interface ReviewEntry {
  about: 'context' | 'search';
  reasons: ReviewReason[];
  action: 'approve' | 'answer' | 'edit' | 'refuse';
  by?: string;
  note?: string;
  search?: string | false;
  pin?: string[];
  veto?: string[];
  unevict?: string[];
}

/** Something that did not work as asked, and what was done instead. */
export interface Degradation {
  stage: string;
  /** A stable code to switch on. */
  code:
    | 'embedder-failed'
    | 'embeddings-incomplete'
    | 'query-not-embedded'
    | 'entropy-gate-lifted'
    | 'scores-contradict-order'
    | 'scores-outlying'
    | 'floor-lifted'
    | 'ecs-not-trusted'
    | 'ecs-failed'
    | 'ecs-incomplete'
    | 'utility-gate-lifted'
    | 'cut-to-fit'
    | 'nothing-fits'
    | 'best-over-budget'
    | 'pinned-over-budget'
    | 'grader-failed'
    | 'rewrite-failed'
    | 'search-failed'
    | 'review-failed'
    | 'grade-gate-lifted'
    | 'observer-failed'
    | 'stage-degraded';
  message: string;
}
