/** Faults of options that may be the cause. Each is named only if a run without the fault keeps the chunk. */
import type { SessionOverrides } from '../../../src/index.js';
import { normalise } from '../../../src/internal.js';
import { quoted } from '../wording.js';
import { type Case, chunksOf, degradationsOf, type EvictedCase, optionsOf } from './case.js';
import type { Cause } from './causes.js';

/** A possible cause, and the change of options that would prove it. */
export interface Suspicion {
  readonly cause: Cause;
  /** A sentence about the fault. */
  readonly because: string;
  /** As plain JSON. */
  readonly options: SessionOverrides;
  /** Whether the report alone shows the fault, so that it is named even if no run is possible. */
  readonly isEvident?: true;
}

/** The suspicions about an evicted chunk, the most specific first. */
export function suspicionsOf(it: EvictedCase): Suspicion[] {
  const isCopy = it.found.eviction.reason === 'exact-duplicate';
  return [
    ...missingNamespace(it),
    ...separateCopies(it),
    ...(isCopy ? [] : [...listFaults(it), ...roomFaults(it)]),
    ...stagesOff(it),
  ];
}

/** Keys of metadata that keep chunks of customers apart. */
const TENANT = /tenant|namespace|collection|workspace|customer|account|organi[sz]ation/i;

/** It went for a chunk with another value at a key such as `tenant`. */
function missingNamespace(it: EvictedCase): Suspicion[] {
  const { eviction, index } = it.found;
  const chunks = chunksOf(it);
  if (optionsOf(it).namespace != null || chunks === undefined || !('keptId' in eviction)) return [];
  const own = chunks[index]?.metadata ?? {};
  const other = chunks.find(({ id }) => id === eviction.keptId)?.metadata ?? {};
  return Object.keys(own)
    .filter((key) => TENANT.test(key) && key in other && own[key] !== other[key])
    .map((key) => ({
      cause: 'namespace-missing',
      because: `It and the chunk that stayed for it have different values of ${quoted(key)}, but the option namespace is not set.`,
      options: { namespace: key },
    }));
}

/** Kept chunks with the same text in several namespaces. For a kept chunk: its own text. */
export function separateCopies(it: Case): Suspicion[] {
  const { namespace } = optionsOf(it);
  const chunks = chunksOf(it);
  if (namespace == null || chunks === undefined) return [];
  const { kept } = it.report;
  const texts = kept.map(({ index }) => normalise(chunks[index]?.text ?? ''));
  const own = it.found.entry && normalise(chunks[it.found.index]?.text ?? '');
  const repeated = texts.filter((text, place) => texts.indexOf(text) !== place);
  if (own === undefined ? repeated.length === 0 : !repeated.includes(own)) return [];
  return [
    {
      cause: 'namespace-separates-copies',
      because: `The option namespace is ${quoted(namespace)}, so copies with different values there are not compared, and all of them stay.`,
      options: { namespace: null },
    },
  ];
}

/** Degradations about the order of the list, and the cause that each shows. */
const LIST_FAULTS = {
  'scores-contradict-order': 'scores-contradict-order',
  'list-in-document-order': 'list-is-no-ranking',
  'order-outranks-match': 'list-is-no-ranking',
} as const;

/** `ranked: false` lets words and scores decide. */
const listFaults = (it: EvictedCase): Suspicion[] =>
  it.report.ranking?.ranked !== true
    ? []
    : Object.entries(LIST_FAULTS).flatMap(([code, cause]) =>
        degradationsOf(it, code)
          .slice(0, 1)
          .map(({ message }) => ({ cause, because: message, options: { ranked: false } })),
      );

function roomFaults(it: EvictedCase): Suspicion[] {
  const { budget: { maxTokens, reserve = 0 } = {}, pin = [] } = optionsOf(it);
  const found: Suspicion[] = [];
  if (maxTokens != null && reserve >= maxTokens / 2)
    found.push({
      cause: 'reserve-too-large',
      because: `budget.reserve takes ${reserve} of the ${maxTokens} tokens of budget.maxTokens.`,
      options: { budget: { reserve: 0 } },
      isEvident: true,
    });
  if (it.report.kept.some(({ pinned }) => pinned) && pin.length > 0)
    found.push({ cause: 'pins-took-room', because: 'Pinned chunks come first.', options: { pin: [] } });
  return found;
}

const STAGES = ['exactDedup', 'semanticDedup', 'relevance', 'cluster', 'select'] as const;

const stagesOff = (it: EvictedCase): Suspicion[] =>
  STAGES.filter((name) => optionsOf(it)[name] === false).map((name) => ({
    cause: 'stage-off',
    because: `The option ${name} is false.`,
    options: { [name]: null },
  }));
