// Generated from options.ts by "npm run generate". A test fails when it is out of date.
import type { PromptInput } from '../ecs/prompt.js';
import type { StageEvent } from '../pipeline.js';
import type { Embedder, Judge, LogprobModel, TokenCounter } from '../ports.js';
import type { ShapingReport } from '../report/report.js';
import type { Chunk, EcsProfile, Eviction, TrustTier } from '../types.js';

/** What a caller may write. Everything is optional. */
export interface ShapingOptions {
  /** Values for the options below to start from; what you give yourself goes over them. Default `"balanced"`. */
  preset?: 'balanced' | 'slimcontext' | 'entropy' | undefined;
  /** The most chunks to keep. Absent: as many as the budget holds. */
  k?: number | null | undefined;
  budget?: {
    /** Hard cap on the sum of the kept chunks’ tokens, under `tokenizer`. Absent: no cap. */
    maxTokens?: number | null | undefined;
    /** Tokens of `maxTokens` to leave free for the answer, the prompt, and separators between chunks. Default `0`. */
    reserve?: number | undefined;
    /** The most tokens that chunks of one source may take together. */
    perSource?: number | null | undefined;
    /** The most chunks of one source to keep; pinned ones count. */
    chunksPerSource?: number | null | undefined;
  } | undefined;
  /** Do the chunks come best first? Then their order is evidence. `auto`: as the caller of `shape` says, else yes, unless the pool shows another order (positions of a document that ascend, scores that are not sorted). Chunks in random order need `false`. Default `"auto"`. */
  ranked?: boolean | 'auto' | undefined;
  /** Counts tokens: `estimate` (no vocabulary; a few per cent from the truth, to both sides, but not on texts that were made to deceive it), `upper-bound` (no vocabulary; practically never below the truth, and 35 to 70 % above), an exact OpenAI encoding, `characters/4` (a rule of thumb for English that can overrun your budget: too low by 8–76 % in Vietnamese, Arabic, Hindi and Thai, 57–79 % in Chinese, Japanese and Korean, up to 57 % in code), or your own function. Default `"estimate"`. */
  tokenizer?: 'estimate' | 'upper-bound' | 'characters/4' | 'o200k_base' | 'cl100k_base' | TokenCounter | undefined;
  /** Computes vectors for chunks that have none. Absent: all stages compare words. */
  embedder?: Embedder | undefined;
  /** Ids of chunks to keep ahead of all others, or a function that tells. Only an exact copy or the hard budget evicts them. Default `[]`. */
  pin?: string[] | ((chunk: Chunk) => boolean) | undefined;
  /** Metadata path of a plain value (a tenant, a collection): only chunks that have the same are compared with each other. Absent: all are. */
  namespace?: string | null | undefined;
  fields?: {
    /** Metadata paths of the document a chunk is from; the first that is there counts. Of this and each other field at most 32 paths, each of at most 256 characters and 16 steps (`loc.lines.from` has three). Default `["source","file_path","file_name","url"]`. */
    source?: string | string[] | undefined;
    /** Metadata paths of its place within the source. Default `["position","loc.lines.from","loc.pageNumber","page_label","chunk_index"]`. */
    position?: string | string[] | undefined;
    /** Metadata paths of the title. Default `["title","document_title","pdf.info.Title"]`. */
    title?: string | string[] | undefined;
    /** Metadata paths of who says it. Default `["speaker","role"]`. */
    speaker?: string | string[] | undefined;
    /** Metadata paths of when it was said or written. Default `["date","timestamp","created_at","creation_date"]`. */
    date?: string | string[] | undefined;
    /** Metadata paths of the tier that `trust` names. Only what your own ingestion writes: pages must not name their own. Default `"trust"`. */
    trust?: string | string[] | undefined;
  } | undefined;
  /** Tiers of sources, the most trusted first: `value` is what metadata has under `fields.trust`, `k` and `maxTokens` are the most chunks and tokens of the tier. Less trusted ones never stand for more trusted ones as copies. An echo of the question counts in the first tier only. What names no tier is in that of the value `*`, else trusted less than all. Default `[]`. */
  trust?: TrustTier[] | undefined;
  /** Makes texts safe to show, before all else. Invisible characters that nothing justifies where they stand are removed (`strip`) or shown as `\u{E0049}` (`escape`); forged control tokens and role tags get a space (`< |im_start|>`). `false`: off. Default `false`. */
  sanitise?: false | 'strip' | 'escape' | undefined;
  /** Counts chunks as `renderContext` will show them with the same `spotlight`, headers and all, and takes what stands around them off the budget. `rendered` does not count then. `false`: chunks are counted as they come. Default `false`. */
  frame?: false | {
    /** How passages are marked as data. `delimiter`: between lines with a random number, which each passage’s header has, too; `datamark`: white space within them becomes `^`; `none`: numbers and sources alone. Default `"delimiter"`. */
    spotlight?: 'delimiter' | 'datamark' | 'none' | undefined;
  } | undefined;
  /** May the result be empty although there were chunks? If not, `minEntropy` spares the chunk with the most entropy, `relevance.floor` the most relevant, and when nothing fits the budget the best chunk is cut to fit. Default `false`. */
  allowEmpty?: boolean | undefined;
  /** Longest wait for outside services, in milliseconds from the start of the call; past it the fallback is used. Observers together are waited for as long again. Absent: no limit. */
  deadlineMs?: number | null | undefined;
  /** Says in the report what in a chunk is meant for the search or the model, not for readers: an echo of the question, hidden characters, role tags, instructions. Evicts nothing. `false`: off. Default `{}`. */
  flag?: false | Record<string, never> | undefined;
  /** Entropy of each chunk, and a gate for boilerplate. `false`: off. Default `{}`. */
  annotate?: false | {
    /** Evict chunks whose blended entropy (0..1) is below this. 0: off. Default `0`. */
    minEntropy?: number | undefined;
  } | undefined;
  /** Same text but for case, punctuation and space: the best copy stays. `false`: off. Default `{}`. */
  exactDedup?: false | Record<string, never> | undefined;
  /** Near-copies: the best stays, unless a fact (number, date, unit, name, negation) or another word of substance differs. `false`: off. Default `{}`. */
  semanticDedup?: false | {
    /** Two chunks are near-copies at this distance or closer: cosine distance with vectors, else Jaccard distance of stemmed words. Default `0.06`. */
    maxDistance?: number | undefined;
  } | undefined;
  /** Relevance to the query, 0..1 within the pool. `false`: off. Default `{}`. */
  relevance?: false | {
    /** Relevance is the weighted mean of the features that are present. What is not given is as learned. Default `{}`. */
    weights?: {
      /** BM25 of the query’s words, lengths compared with those of the same speaker. */
      bm25?: number | undefined;
      /** BM25 of character n-grams: inflected forms, compounds, other spellings, in any language. */
      grams?: number | undefined;
      /** How much of the query the chunk names, rare words weighing more. */
      coverage?: number | undefined;
      /** The rarest word of the query that the chunk has. */
      rarest?: number | undefined;
      /** Words that follow each other in the query and in the chunk. */
      phrase?: number | undefined;
      /** How much of the query stands close together. */
      proximity?: number | undefined;
      /** Share of the chunk’s title that the query names. */
      title?: number | undefined;
      /** Is said by whom the query names, or means by “I” or “you”. */
      speaker?: number | undefined;
      /** The most relevant, at first sight, of it and the chunks up to four places before and after it in its source. */
      neighbours?: number | undefined;
      /** BM25 of all chunks of its source together. */
      source?: number | undefined;
      /** Has a date, where the query asks when. */
      date?: number | undefined;
      /** Its date in metadata is the one that the query names (“on 8 May”, “last week”), or soon after. */
      dateMatch?: number | undefined;
      /** Has a number, where the query asks how many. */
      number?: number | undefined;
      /** Has words that the best chunks have and the query has not. */
      feedback?: number | undefined;
      /** Its title is named by a relevant chunk. */
      titleBridge?: number | undefined;
      /** Shares rare words with a relevant chunk. */
      wordBridge?: number | undefined;
      /** Cosine of the vectors of chunk and query. */
      cosine?: number | undefined;
      /** The retriever’s, or a reranker’s, score, and its place in the list. */
      score?: number | undefined;
      /** The place in a ranked list, of chunks without a score. */
      rank?: number | undefined;
      /** Blended entropy. Ranks worse than chance; here for comparison. */
      entropy?: number | undefined;
    } | undefined;
    /** Evict chunks whose relevance is below this, also without pressure; pinned ones stay. 0: off. Default `0`. */
    floor?: number | undefined;
  } | undefined;
  /** Under pressure, redundant members of a cluster go. `false`: off. Default `{}`. */
  cluster?: false | {
    /** Clusters are not merged beyond this height, as the linkage measures it on cosine distance (of vectors, else of TF-IDF). Default `0.1`. */
    maxDistance?: number | undefined;
    /** How the distance of two clusters is measured. Default `"average"`. */
    linkage?: 'single' | 'complete' | 'average' | 'ward' | 'centroid' | 'median' | undefined;
    /** Who stands for a cluster; `auto`: the most relevant. Default `"auto"`. */
    representative?: 'auto' | 'score' | 'centroid' | 'query-closest' | 'longest' | undefined;
    /** How many of a cluster are never evicted for being in it. Default `1`. */
    maxPerCluster?: number | undefined;
  } | undefined;
  /** Entropic Context Shaping: asks a language model how far each chunk moves its belief in the answer. `false`: off. Default `false`. */
  ecs?: false | {
    /** Tells how probable answers are: one of those that `context-shaping/logprobs` makes. */
    model?: LogprobModel | undefined;
    /** Says yes or no of each chunk. It is asked where there is no `model`, and where `withoutAnswer` is `judge`. */
    judge?: Judge | undefined;
    /** May utility outrank relevance? `profile`: only if `profile` says that this model wins by it; `always`: yes. Default `"profile"`. */
    trust?: 'profile' | 'always' | undefined;
    /** What `context-shaping calibrate` wrote. */
    profile?: EcsProfile | undefined;
    /** How utility is measured where the query has no `answer`. Default `"expected-utility"`. */
    withoutAnswer?: 'expected-utility' | 'judge' | 'trajectory' | undefined;
    /** Share of utility in relevance, where it is trusted; words, vectors and scores have the rest. Default `0.75`. */
    share?: number | undefined;
    /** Evict chunks whose own utility was measured below this, in nats. Absent: none. */
    minUtility?: number | null | undefined;
    /** How many chunks are measured: the most relevant. Default `16`. */
    maxCandidates?: number | undefined;
    /** Longer chunks are measured in parts; the best part counts. Four parts a chunk, on average over all, and no more. Default `200`. */
    maxPassageTokens?: number | undefined;
    /** Nats that each token costs. Default `0.002`. */
    lengthPenalty?: number | undefined;
    /** In each further one the best chunk so far is taken as given, so that what completes it counts and what repeats it does not. Default `2`. */
    rounds?: number | undefined;
    /** `expected-utility`: how many of the model’s own answers are weighed. Default `4`. */
    maxAnswers?: number | undefined;
    /** `expected-utility`, `trajectory`: how many tokens the model answers. Default `8`. */
    horizon?: number | undefined;
    /** `trajectory`: how many alternatives are compared at each token. Default `20`. */
    topLogprobs?: number | undefined;
    /** The prompt that an answer follows, from `{ context, question }`; for a chat model, its template. Absent: context, `Question:` and `Answer:`. */
    prompt?: ((input: PromptInput) => string) | undefined;
  } | undefined;
  /** Under pressure, order by maximal marginal relevance, and the bound `k`. `false`: off. Default `{}`. */
  select?: false | {
    /** Maximal marginal relevance: 1 is relevance only, 0 diversity only. Default `0.9`. */
    lambda?: number | undefined;
  } | undefined;
  /** Under pressure of the token budget, chunks are cut to the sentences that answer the query. `false`: off. Default `{}`. */
  extract?: false | {
    /** Marks what was left out between two sentences; between lines it stands on a line of its own. Blank: no mark. Default `" … "`. */
    gap?: string | undefined;
  } | undefined;
  /** Order of the result; `edges-first` puts the best at both ends; `false`: as selected. Default `"relevance"`. */
  order?: false | 'relevance' | 'input' | 'source' | 'edges-first' | undefined;
  /** Called with the report of every call. */
  onReport?: ((report: ShapingReport) => void | Promise<void>) | undefined;
  /** Called with every eviction, in order, before `onReport`. */
  onEvict?: ((eviction: Eviction) => void | Promise<void>) | undefined;
  /** Called after every stage with what it did; the next stage waits for it, while the `deadlineMs` of services runs on. */
  onStage?: ((event: StageEvent) => void | Promise<void>) | undefined;
}
