// Generated from options.ts by "npm run generate". A test fails when it is out of date.
import type { Embedder, Judge, LogprobModel, PromptInput, Telemetry, TokenCounter } from '../ports.js';
import type { DefaultStage, Stage } from '../stage.js';
import type { Chunk, EcsProfile, Eviction, ShapingReport, StageEvent, TrustTier } from '../types.js';

/** What a caller may write. Everything is optional. */
export interface ShapingOptions {
  /** Maximum number of chunks to keep. Absent: as many as fit the budget. */
  k?: number | null | undefined;
  budget?: {
    /** Hard cap on the tokens of all kept chunks together, as `tokenizer` counts them. Absent: no cap. */
    maxTokens?: number | null | undefined;
    /** Tokens of `maxTokens` to leave free for the answer, the prompt and the separators between chunks. Default `0`. */
    reserve?: number | undefined;
    /** Hard cap on the tokens of all kept chunks of one source together. */
    perSource?: number | null | undefined;
    /** Maximum number of chunks to keep per source. Pinned chunks count. */
    chunksPerSource?: number | null | undefined;
  } | undefined;
  /** How much the order of the list counts. `"reranked"`: a reranker sorted it, best first. `true`: a retriever sorted it, best first. `false`: it means nothing; scores, if there are any, then give an order. A number from 0 to 1: the trust in the order. `"auto"`: the `ranked` argument of `shape` decides; without it, scores do; without scores, the order counts half. Default `"auto"`. */
  ranked?: boolean | 'reranked' | number | 'auto' | undefined;
  /** The meaning of the chunks’ scores. `order`: only their order counts. `cosine`: they are cosines of the vectors of a contextual embedding model, from -1 to 1, as many vector stores return them. They then count for relevance and `answerable` as vectors do, and nothing has to be embedded. Default `"order"`. */
  scores?: 'order' | 'cosine' | undefined;
  /** The token counter. `estimate`: estimates `o200k_base` without its vocabulary, and is a few per cent too high or too low, but can be far too low for texts that were written to deceive it. An OpenAI encoding: exact. `characters/4`: a rule of thumb for English that can overrun your budget (too low by 8–76 % in Vietnamese, Arabic, Hindi and Thai, by 57–79 % in Chinese, Japanese and Korean, by up to 57 % in code). Or your own function. Default `"estimate"`. */
  tokenizer?: 'estimate' | 'characters/4' | 'o200k_base' | 'cl100k_base' | TokenCounter | undefined;
  /** Computes vectors for chunks that have none. Absent: all stages compare words. */
  embedder?: Embedder | undefined;
  /** Ids of chunks to keep ahead of all others, at most 10000, or a function that returns true for them. Only an exact copy, the hard budget, or a stage of your own evicts a pinned chunk. Default `[]`. */
  pin?: string[] | ((chunk: Chunk) => boolean) | undefined;
  /** Metadata path of a plain value, such as a tenant or a collection. Only chunks with the same value are compared with each other. Absent: all chunks are compared. */
  namespace?: string | null | undefined;
  fields?: {
    /** Metadata paths of the document that a chunk is from. The first path that exists counts. Each field takes at most 32 paths, each of at most 256 characters and 16 steps (`loc.lines.from` has three). Default `["source","file_path","file_name","url"]`. */
    source?: string | string[] | undefined;
    /** Metadata paths of the chunk’s position within its source. Default `["position","loc.pageNumber","page_label","loc.lines.from","chunk_index"]`. */
    position?: string | string[] | undefined;
    /** Metadata paths of the title. Default `["title","document_title","pdf.info.Title"]`. */
    title?: string | string[] | undefined;
    /** Metadata paths of the speaker. Default `["speaker","role"]`. */
    speaker?: string | string[] | undefined;
    /** Metadata paths of the date on which the text was written or spoken. Default `["date","timestamp","created_at","creation_date"]`. */
    date?: string | string[] | undefined;
    /** Metadata paths of the value that `trust` maps to a tier. Use a key that only your own ingestion writes, so that a page cannot choose its tier. Default `"trust"`. */
    trust?: string | string[] | undefined;
  } | undefined;
  /** Tiers of sources, at most 32, the most trusted first. `value` is the metadata value under `fields.trust`; `k` and `maxTokens` limit the chunks and tokens of the tier. A copy from a less trusted tier never replaces a chunk of a more trusted tier. An echo of the question counts in the first tier only. Chunks of no listed tier belong to the tier `*`; without that tier, they are trusted least. Default `[]`. */
  trust?: TrustTier[] | undefined;
  /** Makes texts safe to show, before any stage runs. `strip` removes invisible characters that have no legitimate use where they stand; `escape` shows them as `\u{E0049}`. Both insert a space into forged control tokens and role tags (`< |im_start|>`). `false`: off. Default `false`. */
  sanitise?: false | 'strip' | 'escape' | undefined;
  /** Counts each chunk as `renderContext` shows it with the same `spotlight`, including its header, and reserves room for the text around the passages. `rendered` does not count then. `false`: chunks are counted as given. Default `false`. */
  frame?: false | {
    /** How `renderContext` marks passages as data. `delimiter`: lines with a random number enclose the passages, and each header repeats the number. `datamark`: `^` replaces the white space within passages. `none`: only numbers and sources. Default `"delimiter"`. */
    spotlight?: 'delimiter' | 'datamark' | 'none' | undefined;
  } | undefined;
  /** Adds the first characters of each chunk’s text to the report, kept or evicted: a number of characters, 1 to 500. They are on one line and end with a whole word where possible; hidden characters are escaped. `ranking.history` then names the words of earlier turns. The log and the events of the report have these texts, too. `false`: the report has no texts. Default `false`. */
  preview?: false | number | undefined;
  /** Whether the report quotes the messages of services, stages and observers that failed. A service may repeat its input in a message, so these can hold texts and the question; the log, the events and the spans of the report have them, too. `false`: the report has class and code of the error, or field, problem and remedy of an error of this package. Default `false`. */
  errorMessages?: boolean | undefined;
  /** Whether the result may be empty if there were chunks. If not, `minEntropy` spares the chunk with the highest entropy, `relevance.floor` spares the most relevant chunk, and if nothing fits the budget, the best chunk is cut to fit. `flag.evict` spares none. Default `false`. */
  allowEmpty?: boolean | undefined;
  /** Longest wait for outside services, in milliseconds from the start of the call. After that, the fallback is used. Observers together get the same time again. Absent: no limit. */
  deadlineMs?: number | null | undefined;
  /** Reports text that addresses the search engine or the model, not readers: an echo of the question, hidden characters, role tags, instructions. `false`: off. Default `{}`. */
  flag?: false | {
    /** Evict chunks with flags of these kinds, before copies are looked for: `query-echo`, `keyword-stuffing`, `hidden-characters`, `mixed-script`, `role-tag`, `instruction`. Honest texts can have each of these. Pinned chunks stay. Empty: off. Default `[]`. */
    evict?: ('query-echo' | 'keyword-stuffing' | 'hidden-characters' | 'mixed-script' | 'role-tag' | 'instruction')[] | undefined;
  } | undefined;
  /** Measures the entropy of each chunk, and can evict boilerplate. `false`: off. Default `{}`. */
  annotate?: false | {
    /** Evict chunks whose blended entropy (0..1) is below this. 0: off. Default `0`. */
    minEntropy?: number | undefined;
  } | undefined;
  /** Evicts copies that differ only in form: case, white space, punctuation of sentences, words divided at line ends, HTML entities. The best copy stays. `false`: off. Default `{}`. */
  exactDedup?: false | Record<string, never> | undefined;
  /** Evicts near-copies: texts with the same facts and the same words in the same order. The best stays. Facts may have other spellings (number, date, unit); articles, auxiliaries and forms of a word make no difference. `false`: off. Default `{}`. */
  semanticDedup?: false | {
    /** Greatest distance of near-copies: cosine distance with vectors, else Jaccard distance of stemmed words. Default `0.06`. */
    maxDistance?: number | undefined;
  } | undefined;
  conflicts?: {
    /** Which side of a conflict comes first. `newest`: by `fields.date`, then `version` in metadata, then versions and dates in titles and sources; the first of these that all sides have, and that differs, decides. `trusted`: the better tier of `trust`. `majority`: the side of more documents. A metadata path: the greater number, later date or later version; other values do not count. The preferred side stands first in the report and in the result, and chunks of other sides are marked `superseded`. Absent: no side is preferred. */
    prefer?: 'newest' | 'trusted' | 'majority' | (string & {}) | null | undefined;
    /** Evict superseded chunks that state nothing else. Pinned chunks, chunks that are more trusted than the preferred one, and chunks without a value to compare stay. Default `false`. */
    drop?: boolean | undefined;
  } | undefined;
  /** Measures relevance: the probability that a chunk holds evidence for the query. `false`: off. Default `{}`. */
  relevance?: false | {
    /** Weights of the features: the log-odds that a feature adds at its greatest value. Absent weights are the learned ones. Default `{}`. */
    weights?: {
      /** BM25 of the query’s words. Off by default: `grams` finds more. */
      bm25?: number | undefined;
      /** BM25 of character n-grams: finds inflected forms, compounds and other spellings in any language. */
      grams?: number | undefined;
      /** Share of the query’s words that the chunk contains. Rare words weigh more. */
      coverage?: number | undefined;
      /** Words that are adjacent both in the query and in the chunk. */
      phrase?: number | undefined;
      /** Share of the query’s words that stand close together in the chunk. */
      proximity?: number | undefined;
      /** Share of the words of the chunk’s title that the query contains. */
      title?: number | undefined;
      /** The speaker is the person that the query names, or means by “I” or “you”. */
      speaker?: number | undefined;
      /** Highest first-pass relevance among the chunk and its neighbours in the same source, up to four positions away. */
      neighbours?: number | undefined;
      /** BM25 of all chunks of the same source together. */
      source?: number | undefined;
      /** The chunk contains a date, and the query asks when. */
      date?: number | undefined;
      /** The chunk’s date in metadata is the date that the query names (“on 8 May”, “last week”), or soon after it. */
      dateMatch?: number | undefined;
      /** A relevant chunk names the title of this chunk. */
      titleBridge?: number | undefined;
      /** Cosine of the chunk’s vector and the query’s: by how many standard deviations of the pool the cosines of relevant chunks lie above the others. Default 1.2; of turns of a conversation and of a static embedder 0.5. 0: vectors do not count for relevance. */
      cosine?: number | undefined;
      /** The rank of the chunk in the list, as far as its order is trusted. */
      place?: number | undefined;
    } | undefined;
    /** Evict chunks whose relevance, a probability, is below this, even if everything fits. Pinned chunks stay. 0: off. Default `0`. */
    floor?: number | undefined;
  } | undefined;
  /** If not all chunks fit, evicts redundant members of clusters. `false`: off. Default `{}`. */
  cluster?: false | {
    /** Greatest distance of two clusters that are joined, as `linkage` measures it: by cosines of vectors, else of TF-IDF. If the mean distance of the vectors is less than one half, it is reduced in proportion. Default `0.1`. */
    maxDistance?: number | undefined;
    /** How the distance between two clusters is measured. Default `"average"`. */
    linkage?: 'single' | 'complete' | 'average' | 'ward' | undefined;
    /** Which member represents a cluster. `auto`: the most relevant. Default `"auto"`. */
    representative?: 'auto' | 'score' | 'centroid' | 'query-closest' | 'longest' | undefined;
    /** Number of members that a cluster always keeps. Default `1`. */
    maxPerCluster?: number | undefined;
  } | undefined;
  /** Entropic Context Shaping: asks a language model how far each chunk moves the model’s belief in the answer. `false`: off. Default `false`. */
  ecs?: false | {
    /** The model that scores how probable answers are. `context-shaping/logprobs` makes such models. */
    model?: LogprobModel | undefined;
    /** A judge that answers yes or no for each chunk. It is asked if there is no `model`, or if `withoutAnswer` is `judge`. */
    judge?: Judge | undefined;
    /** When utility may outrank relevance. `profile`: only if `profile` shows that this model ranks better with utility. `always`: always. Default `"profile"`. */
    trust?: 'profile' | 'always' | undefined;
    /** The profile that `context-shaping-devtools evaluate --fit` wrote. */
    profile?: EcsProfile | undefined;
    /** How utility is measured if the query has no `answer`. `question`: how much more probable the chunk makes the question. `judge`: whether the model says that the chunk helps. Default `"question"`. */
    withoutAnswer?: 'question' | 'judge' | undefined;
    /** The question that the judge gets if the answer is not known. `answers`: does the chunk have the facts that answer the question? `factuality`: does the chunk state the truth about the question, as far as the judge knows? Default `"answers"`. */
    judging?: 'answers' | 'factuality' | undefined;
    /** Weight of utility in relevance if utility is trusted. Words, vectors and scores share the rest. Absent: the value of the profile; without a profile 0.75, or 0.33 if `withoutAnswer` is `question` and there is no answer. */
    share?: number | null | undefined;
    /** Evict chunks whose own measured utility is below this, in nats. Absent: no limit. */
    minUtility?: number | null | undefined;
    /** Number of chunks to measure, the most relevant first. Absent: the value of the profile; without a profile 16. */
    maxCandidates?: number | null | undefined;
    /** A longer chunk is measured by one part of about so many tokens: the part that has most of the question by words. Default `200`. */
    maxPassageTokens?: number | undefined;
    /** Utility subtracted per token, in nats. Default `0.002`. */
    lengthPenalty?: number | undefined;
    /** Number of rounds. Each further round takes the best chunk so far as given: chunks that complete it gain, chunks that repeat it do not. Default `2`. */
    rounds?: number | undefined;
    /** Function from `{ context, question }` to the prompt that precedes the answer; for a chat model, its template. Absent: the context, `Question:` and `Answer:`. It does not count for the methods `question` and `judge`. */
    prompt?: ((input: PromptInput) => string) | undefined;
  } | undefined;
  /** If not all chunks fit, orders them by maximal marginal relevance, and applies `k`. `false`: off. Default `{}`. */
  select?: false | {
    /** Balance of maximal marginal relevance: 1 is relevance only, 0 is diversity only. Default `0.9`. */
    lambda?: number | undefined;
  } | undefined;
  /** If not all chunks fit the token budget, cuts them to the sentences that answer the query. `false`: off. Default `{}`. */
  extract?: false | {
    /** Mark for omitted text between two sentences. Between lines it stands on its own line. Blank: no mark. Default `" … "`. */
    gap?: string | undefined;
  } | undefined;
  /** Order of the result. `edges-first` puts the best chunks at both ends. `false`: in the order of selection. Default `"relevance"`. */
  order?: false | 'relevance' | 'input' | 'source' | 'edges-first' | undefined;
  /** Called once, with the default stages that are on. Returns the stages to run. It may leave out default stages, except `annotate`, `embed` and `budget`, but must keep their order. Stages of your own go anywhere after `annotate`. */
  stages?: ((defaults: readonly DefaultStage[]) => readonly (DefaultStage | Stage)[]) | undefined;
  /** Called with the report of every call. */
  onReport?: ((report: ShapingReport) => void | Promise<void>) | undefined;
  /** Called with every eviction, in order, before `onReport` is called. */
  onEvict?: ((eviction: Eviction) => void | Promise<void>) | undefined;
  /** Called after every stage with its result. The next stage waits for it. `deadlineMs` does not pause meanwhile. */
  onStage?: ((event: StageEvent) => void | Promise<void>) | undefined;
  /** Makes spans and metrics of every call. `openTelemetry` of `context-shaping/telemetry` makes one. */
  telemetry?: Telemetry | undefined;
}
