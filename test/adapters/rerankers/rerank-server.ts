/** Imitations of services that rerank: their paths, checks, scores and errors, as their documents and sources have them. */
import { type Asked, type JsonServer, jsonServer, type Reply } from '../logprobs/servers/json-server.js';

export type RerankService = 'vllm' | 'llama.cpp' | 'tei';

interface Quirks {
  /** The longest text, in characters. Longer ones are refused, or cut if the request asks for that. */
  longest?: number;
  /** The scores of another model. */
  score?: (query: string, text: string) => number;
  /** Changes the entries of an answer. */
  entries?: (entries: Entry[]) => unknown[];
}

interface Entry {
  index: number;
  score: number;
}

/** The tokens that each service counts for a request: its characters. */
const tokensOf = (query: string, texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + query.length + text.length, 0);

interface Service {
  path: string;
  /** The fields that the service knows. A field that it does not know is refused, as by strict services. */
  fields: Record<string, string>;
  score(query: string, text: string): number;
  answer(entries: unknown[], tokens: number): unknown;
  refusal(longest: number): { status: number; json: unknown };
  cuts?(body: Record<string, unknown>): boolean;
}

/** The share of the query's words that are in the text, between .001 and .999. */
function share(query: string, text: string): number {
  const words = (each: string) => each.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const has = new Set(words(text));
  const wanted = words(query);
  return 0.001 + (0.998 * wanted.filter((word) => has.has(word)).length) / Math.max(1, wanted.length);
}
const logit = (query: string, text: string) => 12 * (share(query, text) - 0.5);
const named = (entries: unknown[]) =>
  (entries as Entry[]).map(({ index, score }) => ({ index, relevance_score: score }));

const SERVICES: Record<RerankService, Service> = {
  vllm: {
    path: '/v1/rerank',
    fields: {
      model: 'string',
      query: 'string',
      documents: 'array',
      top_n: 'number',
      truncate_prompt_tokens: 'number',
    },
    score: share,
    answer: (entries, tokens) => ({
      id: 'score-1',
      model: 'm',
      usage: { prompt_tokens: tokens, total_tokens: tokens },
      results: named(entries).map((entry) => ({ ...entry, document: { text: '…' } })),
    }),
    refusal: (longest) => ({
      status: 400,
      json: { error: { message: `This model's maximum context length is ${longest} tokens.`, code: 400 } },
    }),
    cuts: ({ truncate_prompt_tokens: cut }) => cut === -1,
  },
  'llama.cpp': {
    path: '/v1/rerank',
    fields: { model: 'string', query: 'string', documents: 'array', top_n: 'number' },
    score: logit,
    answer: (entries, tokens) => ({
      model: 'm',
      object: 'list',
      usage: { prompt_tokens: tokens, total_tokens: tokens },
      results: named(entries),
    }),
    refusal: () => ({
      status: 500,
      json: {
        error: {
          code: 500,
          type: 'server_error',
          message: 'input (900 tokens) is too large to process. increase the physical batch size',
        },
      },
    }),
  },
  tei: {
    path: '/rerank',
    fields: {
      query: 'string',
      texts: 'array',
      raw_scores: 'boolean',
      return_text: 'boolean',
      truncate: 'boolean',
    },
    score: share,
    answer: (entries) => entries,
    refusal: (longest) => ({
      status: 413,
      json: {
        error: `Input validation error: \`inputs\` must have less than ${longest} tokens. Given: 900`,
        error_type: 'Validation',
      },
    }),
    cuts: ({ truncate }) => truncate === true,
  },
};

/** Words of questions, and others that answers have for them: for pages of the documentation. */
const SYNONYMS: Record<string, string> = {
  doctor: 'physician',
  teacher: 'tutor',
  leader: 'chief',
  owner: 'proprietor',
  guard: 'sentinel',
  builder: 'mason',
  judge: 'magistrate',
  driver: 'coachman',
};

/** Log-odds of a model that knows synonyms: 4 for a text with the place and the other word of the question, else -4. */
export function bySynonyms(query: string, text: string): number {
  const [, word = '', place = ''] = /the (\w+) of (\w+)/.exec(query) ?? [];
  return text.includes(place) && text.includes(SYNONYMS[word] ?? word) ? 4 : -4;
}

/** The entries come best first, as all services send them. */
export function rerankServer(
  name: RerankService,
  { longest, score = SERVICES[name].score, entries = (each) => each }: Quirks = {},
): Promise<JsonServer> {
  const service = SERVICES[name];
  return jsonServer(({ method, path, body }: Asked): Reply => {
    if (method !== 'POST' || path !== service.path) return { status: 404, json: { error: 'Not Found' } };
    for (const [field, value] of Object.entries(body as object)) {
      const kind = Array.isArray(value) ? 'array' : typeof value;
      if (service.fields[field] !== kind) return { status: 422, json: { detail: `unknown field: ${field}` } };
    }
    const { query } = body as { query: string };
    const texts = (body.documents ?? body.texts) as string[];
    if (texts.length === 0) return { status: 400, json: { message: 'no documents' } };
    const isLong = longest !== undefined && texts.some((text) => text.length > longest);
    if (isLong && service.cuts?.(body) !== true) return service.refusal(longest as number);
    const found = texts
      .map((text, index) => ({ index, score: score(query, text.slice(0, longest)) }))
      .sort((a, b) => b.score - a.score || b.index - a.index)
      .slice(0, body.top_n ?? texts.length);
    return { json: service.answer(entries(found), tokensOf(query, texts)) };
  });
}
