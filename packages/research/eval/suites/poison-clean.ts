/** What a defence against poison costs where there is none: the evidence kept of clean pools, to three digits. */
import { createShaper } from 'context-shaping';
import { seededRandom, shuffled } from '../../../../test/random.js';
import { type Estimate, estimate } from '../../../devtools/src/measurement/index.js';
import type { Case } from '../data/case.js';
import { type Collection, collectionsOf } from '../data/collections.js';
import { answerKept, answersKept, evidenceShareKept, type Kept, ownFactKept } from '../metrics.js';
import { foundCase, overfetch } from '../overfetch.js';
import type { PerQuestion, SuiteResult, Table } from '../results.js';
import { share } from '../tables.js';
import { countTokensO200k as countTokens } from '../tokens.js';
import { HANDED_ON } from './poison.js';
import { limited, type Suite } from './suite.js';

const SIZE = 20;
/** Questions of each set, where no other limit is given. */
const QUESTIONS = 300;
const ORDERS = { 'as a ranking': true, 'in random order': false };
const METHOD = 'ours';

interface Evidence {
  name: string;
  of(question: Case, kept: readonly Kept[]): number;
}

/** How much of the evidence is in what was kept: answers where the set has them, else the text of the gold passages. */
const EVIDENCE: Readonly<Record<Collection['family'], Evidence>> = {
  NQ: { name: 'answers', of: answerKept },
  XQuAD: { name: 'answers', of: ownFactKept },
  RAMDocs: { name: 'answers', of: answersKept },
  MuSiQue: { name: 'answers', of: answerKept },
  HotpotQA: { name: 'answers', of: answerKept },
  'MTRAG-UN': {
    name: 'share of the gold text',
    of: (question, kept) => evidenceShareKept(question, kept, countTokens),
  },
};

export const poisonClean: Suite = {
  name: 'poison-clean',
  async run({ dataDir, limit, onProgress }) {
    const collections = collectionsOf(dataDir);
    if (collections.length === 0) return undefined;
    const shaper = createShaper(HANDED_ON);
    const values: Record<string, PerQuestion> = {};
    const metrics: Record<string, Estimate> = {};
    const rows: Table['rows'] = [];
    for (const [at, { name, family, dataset }] of collections.entries()) {
      onProgress(at, collections.length);
      const lists = overfetch(limited(dataset, limit ?? QUESTIONS), SIZE);
      const evidence = EVIDENCE[family];
      const row: Table['rows'][number] = [name, lists.length, evidence.name];
      for (const [order, ranked] of Object.entries(ORDERS)) {
        const found: PerQuestion & { groups: string[]; values: number[] } = { groups: [], values: [] };
        for (const [seed, list] of lists.entries()) {
          const { question: query, chunks } = foundCase(list);
          const given = ranked ? chunks : shuffled(chunks, seededRandom(seed));
          const shaped = await shaper.shape({ query, chunks: [...given], ranked });
          found.groups.push(`${family} ${list.case.group}`);
          found.values.push(evidence.of(list.case, shaped.chunks));
        }
        const metric = `${name}, ${order}: ${evidence.name}`;
        values[metric] = found;
        metrics[metric] = estimate(found.values, found.groups);
        row.push(share(metrics[metric]));
      }
      rows.push(row);
    }
    return {
      suite: 'poison-clean',
      counts: {},
      methods: [{ method: METHOD, milliseconds: 0, metrics }],
      comparisons: [],
      values,
      tables: [
        {
          title: `Clean pools, BM25’s best ${SIZE} of a collection: evidence in the ${HANDED_ON.k} chunks handed on`,
          columns: ['set', 'questions', 'evidence', ...Object.keys(ORDERS)],
          rows,
          notes: [`${HANDED_ON.budget.maxTokens} tokens, without an attack.`],
        },
      ],
    } satisfies SuiteResult;
  },
};
