/**
 * Whether the budget that `evaluate` recommends on some questions of a set keeps its share of the evidence on others:
 * `npm run research -- measure/recommended-budget --data DIR [--limit QUESTIONS]`. With `--cases FOLDER` it only writes the cases
 * of each set there, for `context-shaping-devtools evaluate --data FILE`.
 *
 * The questions of a set are measured once. Then 60 of them, drawn by chance, choose the least budget that keeps 95 %, and all
 * others measure what it keeps; a hundred times. Beside it are the rule before, the least budget of the questions themselves, and
 * the upper end of the interval.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluate } from 'context-shaping-devtools/evaluate';
import { leastBudget, resampledMeans, seededRandom, shuffled } from '../../devtools/src/measurement/index.js';
import type { Case, Dataset } from '../eval/data/case.js';
import { loadClapNq } from '../eval/data/clapnq.js';
import { loadFetaQa } from '../eval/data/fetaqa.js';
import { loadHotpot, loadMusique } from '../eval/data/multihop.js';
import { loadNaturalQuestionsCollection } from '../eval/data/nq.js';
import { loadRamdocs } from '../eval/data/ramdocs.js';
import { loadTatQa } from '../eval/data/tatqa.js';
import { loadXquad } from '../eval/data/xquad.js';
import { foundCase, overfetch } from '../eval/overfetch.js';
import { limited } from '../eval/suites/suite.js';

const { values } = parseArgs({
  options: { data: { type: 'string' }, limit: { type: 'string', default: '240' }, cases: { type: 'string' } },
});
const { data, limit, cases: folder } = values;
if (data === undefined) throw new Error('Name the folder of the data sets: --data DIR.');

const RETRIEVED = 60;
const TARGET = 0.95;
const CHOOSING = 60;
const DRAWS = 100;
const SEED = 1;

interface EvidenceSet {
  name: string;
  load(dataDir: string): Dataset | undefined;
  /** The chunks are the best of a collection, or those of the question. */
  isCollection: boolean;
  evidence(found: Case): object;
}

const anyAnswer = ({ answers }: Case) => ({ answers: [answers] });
const eachAnswer = ({ answers }: Case) => ({ answers: [...answers] });
const anyFact = ({ facts }: Case) => ({ answers: [facts.map(({ text }) => text.trim())] });
const eachFact = ({ facts }: Case) => ({ passages: facts.map(({ text }) => text.trim()) });
const eachStep = ({ facts }: Case) => ({ answers: facts.flatMap(({ answer }) => answer ?? []) });

const SETS: readonly EvidenceSet[] = [
  { name: 'NQ', load: loadNaturalQuestionsCollection, isCollection: true, evidence: anyAnswer },
  { name: 'ClapNQ', load: loadClapNq, isCollection: true, evidence: eachFact },
  { name: 'XQuAD en', load: (dir) => loadXquad(dir, 'en'), isCollection: true, evidence: anyFact },
  { name: 'HotpotQA', load: loadHotpot, isCollection: false, evidence: eachFact },
  { name: 'MuSiQue', load: loadMusique, isCollection: false, evidence: eachStep },
  { name: 'TAT-QA', load: (dir) => loadTatQa(dir, 'markdown'), isCollection: false, evidence: eachAnswer },
  { name: 'FeTaQA', load: loadFetaQa, isCollection: true, evidence: eachFact },
  { name: 'RAMDocs', load: loadRamdocs, isCollection: true, evidence: eachAnswer },
];

function casesOf({ load, isCollection, evidence }: EvidenceSet, dataDir: string): object[] {
  const dataset = load(dataDir);
  if (dataset === undefined) return [];
  const { cases } = limited(dataset, Number(limit));
  const found = isCollection ? overfetch({ cases }, RETRIEVED).map(foundCase) : cases;
  return found
    .filter(({ chunks }) => chunks.length > 0)
    .map((each) => ({
      ...{ id: each.id, group: each.group, query: each.question, evidence: evidence(each) },
      chunks: each.chunks.map(({ id, text, metadata }) => ({ id, text, metadata })),
    }));
}

const percent = (share: number) => (100 * share).toFixed(1);
const row = (...cells: readonly string[]) =>
  console.log(cells.map((cell, at) => cell.padEnd(at === 0 ? 14 : 12)).join(''));

/** What was chosen on some questions, as the others measure it: means over the draws. */
interface Measured {
  kept: number;
  /** Share of the draws in which the others keep the target. */
  holds: number;
  tokens: number;
}

type Chosen = ReturnType<typeof leastBudget>;
type Rule = (columns: readonly ReturnType<typeof resampledMeans>[number][], chosen: Chosen) => number | null;

/** The least budget of the questions themselves: the same, of draws that are all their mean. */
const ofTheMean =
  (budgets: readonly number[]): Rule =>
  (columns) =>
    leastBudget(
      budgets,
      columns.map(({ mean }) => ({ mean, draws: Float64Array.of(mean) })),
      TARGET,
    ).budget;

async function measured(cases: readonly object[]) {
  const { budgets, results, methods } = await evaluate({ cases, explained: 0 });
  const all = results.flatMap(({ group, kept: [own] }) => (own === undefined ? [] : [{ group, kept: own }]));
  const groups = [...new Set(all.map(({ group }) => group))];
  const rules: Record<string, Rule> = {
    before: ofTheMean(budgets),
    now: (_, { budget }) => budget,
    'upper end': (_, { high }) => high,
  };
  const sums = Object.fromEntries(Object.keys(rules).map((name) => [name, { kept: 0, holds: 0, tokens: 0 }]));
  let covered = 0;
  const random = seededRandom(SEED);
  const columnsOf = (some: typeof all) =>
    resampledMeans(
      budgets.map((_, at) => some.map(({ kept }) => kept[at] as number)),
      some.map(({ group }) => group),
    );
  for (let draw = 0; draw < DRAWS; draw++) {
    const choosing = new Set(shuffled(groups, random).slice(0, CHOOSING));
    const columns = columnsOf(all.filter(({ group }) => choosing.has(group)));
    const others = columnsOf(all.filter(({ group }) => !choosing.has(group)));
    const chosen = leastBudget(budgets, columns, TARGET);
    const beyond = Number.POSITIVE_INFINITY;
    const least = ofTheMean(budgets)(others, chosen) ?? beyond;
    covered += Number((chosen.low ?? beyond) <= least && least <= (chosen.high ?? beyond));
    for (const [name, rule] of Object.entries(rules)) {
      const at = budgets.indexOf(rule(columns, chosen) ?? (budgets.at(-1) as number));
      const kept = others[at]?.mean as number;
      const sum = sums[name] as Measured;
      sum.kept += kept / DRAWS;
      sum.holds += Number(kept >= TARGET) / DRAWS;
      sum.tokens += (methods[0]?.budgets[at]?.tokens as number) / DRAWS;
    }
  }
  return { sums, covered: covered / DRAWS, groups: groups.length };
}

if (folder === undefined)
  row(
    'set',
    'questions',
    'covered',
    ...['before', 'now', 'upper end'].flatMap((name) => [name, 'holds', 'tokens']),
  );
const table: Record<string, Measured>[] = [];
for (const set of SETS) {
  const cases = casesOf(set, data);
  if (folder !== undefined) {
    const lines = cases.map((each) => JSON.stringify(each));
    writeFileSync(join(folder, `${set.name}.jsonl`), lines.join('\n'));
    continue;
  }
  if (cases.length < 1.5 * CHOOSING) continue;
  const { sums, covered, groups } = await measured(cases);
  table.push(sums);
  const cells = Object.values(sums).flatMap(({ kept, holds, tokens }) => [
    percent(kept),
    percent(holds),
    tokens.toFixed(0),
  ]);
  row(set.name, String(groups), percent(covered), ...cells);
}
if (table.length > 0) {
  const meanOf = (name: string, of: (own: Measured) => number) =>
    table.reduce((sum, own) => sum + of(own[name] as Measured), 0) / table.length;
  for (const name of Object.keys(table[0] as object)) {
    const more =
      meanOf(name, ({ tokens }) => Math.log(tokens)) - meanOf('before', ({ tokens }) => Math.log(tokens));
    const least = Math.min(...table.map((own) => (own[name] as Measured).kept));
    const kept = `${percent(meanOf(name, (own) => own.kept))} % kept, ${percent(least)} % in the worst set`;
    console.log(
      `${name}: ${kept}, holds in ${percent(meanOf(name, ({ holds }) => holds))} %, tokens × ${Math.exp(more).toFixed(2)}`,
    );
  }
}
