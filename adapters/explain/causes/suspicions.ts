/** Faults of options that may be the cause. Each is named only if a run without the fault keeps the chunk. */
import type { SessionOverrides } from '../../../src/index.js';
import { COEFFICIENTS, normalise } from '../../../src/internal.js';
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
    ...(isCopy ? [] : [...zeroWeights(it), ...listFaults(it), ...roomFaults(it)]),
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

function zeroWeights(it: EvictedCase): Suspicion[] {
  const { relevance, preset } = optionsOf(it);
  const { ranking } = it.report;
  if (!relevance || ranking === undefined) return [];
  if (preset === 'entropy') {
    return [
      {
        cause: 'preset-entropy',
        because: 'The preset entropy ranks by entropy.',
        options: { preset: 'balanced' },
      },
    ];
  }
  const { words, ranked } = COEFFICIENTS[ranking.weights];
  const learned: Readonly<Record<string, number>> = { ...words.weights, place: ranked.place };
  const zero = Object.entries(relevance.weights ?? {})
    .filter(([name, weight]) => weight === 0 && (learned[name] ?? 0) > 0)
    .map(([name]) => name)
    .sort((a, b) => (learned[b] as number) - (learned[a] as number));
  const suspect = (names: readonly string[]): Suspicion => ({
    cause: 'weight-zero',
    because: `The weight of ${names.join(' and ')} is 0.`,
    options: {
      relevance: { weights: Object.fromEntries(names.map((name) => [name, learned[name] as number])) },
    },
  });
  return [...zero.map((name) => suspect([name])), ...(zero.length > 1 ? [suspect(zero)] : [])];
}

/** Suspicions that the report has about the order of the list. `ranked: false` then lets words and scores decide. */
function listFaults(it: EvictedCase): Suspicion[] {
  const faults = [
    [
      'scores-contradict-order',
      'scores-contradict-order',
      'ranked vouches for the order, so the scores that contradict it were ignored.',
    ],
    [
      'list-in-document-order',
      'list-is-no-ranking',
      'The list is in the order of a document, but ranked vouches for it.',
    ],
    [
      'order-outranks-match',
      'list-is-no-ranking',
      'Chunks that match worse rank above a better match for their place in the list.',
    ],
  ] as const;
  if (it.report.ranking?.ranked !== true) return [];
  return faults.flatMap(([code, cause, because]) =>
    degradationsOf(it, code).length === 0 ? [] : [{ cause, because, options: { ranked: false } }],
  );
}

function roomFaults(it: EvictedCase): Suspicion[] {
  const { budget = {}, tokenizer = '', frame = false, pin = [] } = optionsOf(it);
  const { maxTokens, reserve = 0 } = budget;
  const found: Suspicion[] = [];
  if (maxTokens != null && reserve >= maxTokens / 2) {
    found.push({
      cause: 'reserve-too-large',
      because: `budget.reserve takes ${reserve} of the ${maxTokens} tokens of budget.maxTokens.`,
      options: { budget: { reserve: 0 } },
      isEvident: true,
    });
  }
  if (['upper-bound', 'characters/4', 'custom'].includes(tokenizer)) {
    found.push({
      cause: 'tokenizer-overcounts',
      because: `The tokenizer is ${tokenizer === 'custom' ? 'one of your own' : tokenizer}.`,
      options: { tokenizer: 'estimate' },
    });
  }
  if (frame !== false) {
    found.push({
      cause: 'frame-takes-room',
      because: 'The option frame counts the headers and marks around the passages.',
      options: { frame: false },
    });
  }
  const hasPins = it.report.kept.some(({ pinned }) => pinned);
  if (hasPins && pin.length > 0) {
    found.push({ cause: 'pins-took-room', because: 'Pinned chunks come first.', options: { pin: [] } });
  }
  return found;
}

const STAGES = ['exactDedup', 'semanticDedup', 'relevance', 'cluster', 'select'] as const;

const stagesOff = (it: EvictedCase): Suspicion[] =>
  STAGES.filter((name) => optionsOf(it)[name] === false).map((name) => ({
    cause: 'stage-off',
    because: `The option ${name} is false.`,
    options: { [name]: null },
  }));
