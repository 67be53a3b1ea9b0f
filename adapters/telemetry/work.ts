/** The attributes of a span: those at its start, and those at its end. */
import type { Attributes } from '@opentelemetry/api';
import type { TracedOutcome, TracedWork } from '../../src/index.js';
import { addDocuments, addList } from './documents.js';
import { GEN_AI, OPENINFERENCE, OWN, RETRIEVAL } from './names.js';
import type { Room } from './room.js';
import { totalsOf } from './totals.js';

/** Samplers see these attributes. */
export function startOf(work: TracedWork, texts: boolean): Attributes {
  const entries: [string, Attributes[string] | undefined][] = [[OWN.operation, work.kind]];
  switch (work.kind) {
    case 'shape': {
      const { k } = work.options;
      entries.push(
        [OPENINFERENCE.kind, 'RERANKER'],
        [OPENINFERENCE.model, 'context-shaping'],
        [GEN_AI.operation, RETRIEVAL],
        [OPENINFERENCE.topK, k ?? undefined],
        [GEN_AI.topK, k ?? undefined],
      );
      break;
    }
    case 'search':
      entries.push([OPENINFERENCE.kind, 'RETRIEVER'], [GEN_AI.operation, RETRIEVAL]);
      if (texts) entries.push(...queryEntries(work.query));
      break;
    case 'grade':
      entries.push([OPENINFERENCE.kind, 'EVALUATOR'], [OWN.grader, work.grader], [OWN.chunksIn, work.chunks]);
      break;
    case 'rewrite':
      entries.push([OPENINFERENCE.kind, 'CHAIN'], [OWN.attempt, work.attempt]);
      break;
    case 'review':
      entries.push([OPENINFERENCE.kind, 'CHAIN'], [OWN.about, work.about], [OWN.reasons, [...work.reasons]]);
      break;
    default:
      entries.push([OPENINFERENCE.kind, 'CHAIN']);
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Attributes;
}

const queryEntries = (query: string): [string, string][] => [
  [GEN_AI.query, query],
  [OPENINFERENCE.input, query],
  [OPENINFERENCE.inputType, 'text/plain'],
];

/** Adds the attributes of the outcome, the totals first. */
export function addOutcome(
  room: Room,
  outcome: Exclude<TracedOutcome, { error: unknown }>,
  texts: boolean,
): void {
  if ('report' in outcome) {
    const { report, given, chunks } = outcome;
    room.add(totalsOf(report, texts));
    if (given === undefined || chunks === undefined) return;
    const result = report.kept.map(({ id, relevance }) => ({ id, score: relevance }));
    room.add([
      [GEN_AI.documents, JSON.stringify(result)],
      [GEN_AI.query, texts ? report.query : undefined],
      [OPENINFERENCE.query, texts ? report.query : undefined],
    ]);
    addDocuments(room, { report, given, chunks }, texts);
  } else if ('grades' in outcome) {
    room.add([[OWN.grades, JSON.stringify(outcome.grades.map(({ id, grade }) => ({ id, grade })))]]);
  } else if ('query' in outcome) {
    if (texts) room.add(queryEntries(outcome.query));
  } else if ('found' in outcome) {
    const documents = outcome.found.map(({ id = '', text }) => ({ id, text: texts ? text : undefined }));
    room.add([
      [OWN.found, documents.length],
      [GEN_AI.documents, JSON.stringify(documents.map(({ id }) => ({ id })))],
    ]);
    addList(room, OPENINFERENCE.found, documents, OWN.givenOmitted);
  } else if ('action' in outcome) {
    room.add([[OWN.action, outcome.action]]);
  } else {
    room.add([[OWN.isInterrupted, true]]);
  }
}
