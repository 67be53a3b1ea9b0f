/**
 * Conflicts: how many contradictions are reported, how many pairs of true texts are reported as well, and how many of
 * those that contradict each other go for being redundant, when there is room for two of eight chunks.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Chunk, createShaper, type Embedder } from 'context-shaping';
import { estimate } from '../../../devtools/src/measurement/index.js';
import { sidesOf } from '../conflict-reports.js';
import {
  loadParaphrases,
  loadRamdocs,
  loadXquad,
  madeStatements,
  type StatementPair,
} from '../data/statements.js';
import { share } from '../tables.js';
import type { Suite } from './suite.js';

const REDUNDANT: ReadonlySet<string> = new Set(['exact-duplicate', 'semantic-duplicate', 'cluster-member']);
/** Texts of other pairs in each pool. */
const OTHERS = 6;
const PAIR = ['a', 'b'];

interface Outcome extends StatementPair {
  reported: number;
  evicted: number;
}

export const conflicts: Suite = {
  name: 'conflicts',
  async run({ dataDir, embedder, limit, onProgress }) {
    if (!['ramdocs', 'xquad', 'paraphrase'].every((set) => existsSync(join(dataDir, set)))) return undefined;
    const all = [
      ...madeStatements(),
      ...loadRamdocs(dataDir),
      ...loadXquad(dataDir, 'English'),
      ...loadXquad(dataDir, 'Chinese'),
      ...(await loadParaphrases(dataDir)),
    ];
    const step = Math.max(1, all.length / (limit ?? all.length));
    const pairs = all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
    const tables = [];
    for (const model of embedder === undefined ? [undefined] : [undefined, embedder]) {
      const outcomes: Outcome[] = [];
      for (const [at, pair] of pairs.entries()) {
        onProgress(at, pairs.length);
        const others = Array.from(
          { length: OTHERS },
          (_, i) => all[(at * 31 + i * 977 + 1) % all.length]?.texts[0],
        );
        outcomes.push({ ...pair, ...(await outcomeOf(pair, others.map(String), model)) });
      }
      tables.push({
        title: `Conflicts, ${model === undefined ? 'by words' : 'by static vectors'}`,
        columns: ['set', 'contradictions', 'reported', 'evicted as redundant', 'true pairs', 'false alarms'],
        rows: rowsOf(outcomes),
        notes: [`Two of ${PAIR.length + OTHERS} chunks are kept.`],
      });
    }
    return { suite: 'conflicts', counts: {}, methods: [], comparisons: [], tables };
  },
};

async function outcomeOf({ texts, question }: StatementPair, others: readonly string[], model?: Embedder) {
  const all = [...texts, ...others];
  const vectors = await model?.embed(all, {});
  const chunks = all.map((text, at): Chunk => {
    return {
      id: PAIR[at] ?? `other ${at}`,
      text,
      ...(vectors === undefined ? {} : { embedding: vectors[at] }),
    };
  });
  const shape = async (options: Parameters<typeof createShaper>[0]) => {
    const { report } = await createShaper({ k: 2, ...options }).shape({ query: question, chunks });
    return { report, gone: report.evicted.filter(({ id }) => PAIR.includes(id)) };
  };
  const { report, gone } = await shape({});
  const reported = report.conflicts.some((conflict) => sidesOf(conflict, 'a', 'b') !== undefined);
  let evicted = gone.some(({ reason }) => REDUNDANT.has(reason));
  if (!evicted && gone.length > 0)
    evicted = (await shape({ select: { lambda: 1 } })).gone.length < gone.length;
  return { reported: Number(reported), evicted: Number(evicted) };
}

function rowsOf(outcomes: readonly Outcome[]): (string | number)[][] {
  const languages = [...new Set(outcomes.map(({ language }) => language))];
  return languages.flatMap((language) => {
    const own = outcomes.filter((outcome) => outcome.language === language);
    const sets = [...new Set(own.map(({ set }) => set))];
    return [
      ...sets.map((set) =>
        rowOf(
          `${language}: ${set}`,
          own.filter((outcome) => outcome.set === set),
        ),
      ),
      rowOf(`${language}, all`, own),
    ];
  });
}

function rowOf(name: string, outcomes: readonly Outcome[]): (string | number)[] {
  const [wrong, right] = [true, false].map((is) => outcomes.filter(({ contradicts }) => contradicts === is));
  const cell = (of: readonly Outcome[], what: 'reported' | 'evicted') => {
    if (of.length === 0) return '–';
    const values = of.map((outcome) => outcome[what]);
    return `${values.reduce((sum, value) => sum + value, 0)} = ${share(
      estimate(
        values,
        of.map(({ group }) => group),
      ),
    )}`;
  };
  return [
    name,
    (wrong as Outcome[]).length,
    cell(wrong as Outcome[], 'reported'),
    cell(wrong as Outcome[], 'evicted'),
    (right as Outcome[]).length,
    cell(right as Outcome[], 'reported'),
  ];
}
