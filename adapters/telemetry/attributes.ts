/** The attributes of a span: those at its start, and those at its end. */
import type { Attributes } from '@opentelemetry/api';
import type { Eviction, KeptEntry, Telemetry, TracedOutcome } from '../../src/index.js';
import { defined } from '../../src/internal.js';
import { GEN_AI, OPENINFERENCE as NAME } from './names.js';

type ShapedOutcome = Extract<TracedOutcome, { report: unknown }>;

/** Samplers see these attributes. */
export function startOf({ options }: Parameters<Telemetry['begin']>[0]): Attributes {
  const k = (options.k as number | null | undefined) ?? undefined;
  return defined({
    [NAME.kind]: 'RERANKER',
    [NAME.model]: 'context-shaping',
    [GEN_AI.operation]: 'retrieval',
    [NAME.topK]: k,
    [GEN_AI.topK]: k,
  });
}

/**
 * The attributes of a result: the totals, then the documents of the result, then those of the input. So a limit of the
 * provider drops the input first.
 */
export function resultOf(outcome: ShapedOutcome, texts: boolean): Attributes {
  const attributes: Attributes = totalsOf(outcome, texts);
  const add = (list: string, documents: readonly Attributes[]) => {
    for (const [place, document] of documents.entries())
      for (const [field, value] of Object.entries(document)) attributes[`${list}.${place}.${field}`] = value;
  };
  const { report, given, chunks } = outcome;
  const kept = report.kept.map((entry, place) =>
    documentOf(entry.id, entry.relevance, texts ? chunks[place]?.text : undefined, keptMetadata(entry)),
  );
  add(NAME.kept, kept);
  const evictions = new Map(report.evicted.map((eviction) => [eviction.index, eviction]));
  const all = given.map(({ id, score, text }, index) => {
    const eviction = evictions.get(index);
    return documentOf(
      id,
      score ?? undefined,
      texts ? text : undefined,
      eviction && evictedMetadata(eviction),
    );
  });
  add(NAME.given, all);
  return attributes;
}

function totalsOf({ report }: ShapedOutcome, texts: boolean): Attributes {
  const { tokens, kept } = report;
  const query = texts ? report.query : undefined;
  return defined({
    'context_shaping.digest': report.digest,
    'context_shaping.tokens.input': tokens.input,
    'context_shaping.tokens.output': tokens.output,
    'context_shaping.tokens.budget': tokens.budget ?? undefined,
    'context_shaping.chunks.input': report.input.length,
    'context_shaping.chunks.kept': kept.length,
    'context_shaping.chunks.evicted': report.evicted.length,
    [GEN_AI.documents]: JSON.stringify(kept.map(({ id, relevance }) => ({ id, score: relevance }))),
    [GEN_AI.query]: query,
    [NAME.query]: query,
    [NAME.input]: query,
  });
}

/** One attribute for each field of a document. Viewers do not read a JSON list in their place. */
const documentOf = (
  id: string,
  score: number | undefined,
  text: string | undefined,
  metadata: object | undefined,
): Attributes =>
  defined({
    [NAME.id]: id,
    [NAME.score]: score,
    [NAME.content]: text,
    [NAME.documentMetadata]: metadata && JSON.stringify(metadata),
  });

const keptMetadata = ({ index, tokens, excerpts, pinned, utility }: KeptEntry) => ({
  index,
  tokens,
  cut: excerpts === undefined ? undefined : true,
  pinned,
  utility,
});

/** Why a document went: the fields that its reason has. */
const EVIDENCE = ['keptId', 'by', 'distance', 'margin', 'lastKept'];
const evictedMetadata = ({ stage, reason, index, tokens, relevance, ...rest }: Eviction) => ({
  stage,
  reason,
  ...Object.fromEntries(Object.entries(rest).filter(([field]) => EVIDENCE.includes(field))),
  ...{ index, tokens, relevance },
});
