/** Results of developers' tools: what a reader of each kind needs, with and without a question. */
import { shapeToolResult } from 'context-shaping-agents';
import { drawOf } from '../draw.js';
import { compilations, diffs, listings, type Sample, searches, traces } from '../kinds/samples.js';
import type { SuiteResult } from '../results.js';
import { countTokensO200k } from '../tokens.js';
import {
  blindRivals,
  type GivenResult,
  HEAD,
  measureResults,
  RANDOM_LINES,
  type ResultMethod,
  TAIL,
} from './result-suite.js';
import { isAskedFor, type Suite, spread } from './suite.js';

type Given = Sample & GivenResult;

const KINDS = [
  {
    kind: 'diff',
    title: 'Diffs: names of changed files',
    samples: () => diffs().filter(({ query }) => !query),
    factors: [4, 10],
  },
  {
    kind: 'diff',
    title: 'Diffs: the hunk that is asked for',
    samples: () => diffs().filter(({ query }) => query),
    factors: [4, 10],
  },
  {
    kind: 'grep',
    title: 'Searches: names of files',
    samples: () => searches().filter(({ query }) => !query),
    factors: [4, 10],
  },
  {
    kind: 'grep',
    title: 'Searches: the line that is asked for',
    samples: () => searches().filter(({ query }) => query),
    factors: [4, 10],
  },
  { kind: 'listing', title: 'Listings: folders', samples: listings, factors: [4, 10] },
  { kind: 'compiler', title: 'Compilers: one of each code', samples: compilations, factors: [4, 10] },
  {
    kind: 'trace',
    title: 'Traces: messages and own frames',
    samples: (isChoosing: boolean) => traces((failure) => (drawOf(failure) % 2 === 0) === isChoosing),
    factors: [2, 4],
  },
] as const;

const ours: ResultMethod<Given> = {
  name: 'ours',
  gates: [RANDOM_LINES, HEAD, TAIL],
  shape: ({ text, query }, maxTokens) =>
    shapeToolResult({ content: text, maxTokens, query, tokenizer: 'o200k_base' }),
};

export const kinds: Suite = {
  name: 'kinds',
  async run({ limit, sets, onProgress }) {
    const parts: SuiteResult[] = [];
    // Half of the failures chose the priorities of traces; the others are reported.
    const isChoosing = sets !== undefined && isAskedFor('choosing', sets);
    for (const { kind, title, samples, factors } of KINDS) {
      if (!isAskedFor(kind, sets)) continue;
      const given = spread(samples(isChoosing), limit).map(
        (sample): Given => ({ group: sample.id, ...sample }),
      );
      if (given.length === 0) continue;
      parts.push(
        await measureResults({
          suite: kind,
          title,
          given,
          methods: [...blindRivals<Given>(), ours],
          budgetsOf: ({ text }) =>
            factors.map((factor) => [`${factor}x`, Math.floor(countTokensO200k(text) / factor)] as const),
          keptIn: (text, { needed }) => needed.filter((each) => text.includes(each)).length / needed.length,
          notes: [`${given.length} results of tools that ran on this repository.`],
          onProgress,
        }),
      );
    }
    return {
      suite: 'kinds',
      counts: {},
      methods: parts.flatMap(({ methods }) => methods),
      comparisons: parts.flatMap(({ suite, comparisons }) =>
        comparisons.map((each) => ({ ...each, metric: `${suite}: ${each.metric}` })),
      ),
      tables: parts.flatMap(({ tables }) => tables),
    };
  },
};
