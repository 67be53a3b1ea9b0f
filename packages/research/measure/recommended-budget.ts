/**
 * Whether the budget that `evaluate` recommends on half of the questions of a set keeps its share of the evidence on the other
 * half: `npm run research -- measure/recommended-budget --data DIR [--limit QUESTIONS]`. With
 * `--cases FOLDER` it only writes the cases of each set there, for `context-shaping evaluate --data FILE`.
 *
 * The questions of each set take turns in two halves. One half chooses the least budget that keeps 95 % of the evidence, and states
 * its interval. The other half measures what that budget keeps, and its own least budget. The share holds if the interval of the
 * other half reaches 95 %; the interval of the budget holds if the least budget of the other half is in it. The upper end of the
 * interval, the careful choice, is measured on the other half, too. Both halves choose in turn.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluate } from 'context-shaping/evaluate';
import type { Case, Dataset } from '../eval/data/case.js';
import { loadClapNq } from '../eval/data/clapnq.js';
import { loadHotpot, loadMusique } from '../eval/data/multihop.js';
import { loadNaturalQuestionsCollection } from '../eval/data/nq.js';
import { loadXquad } from '../eval/data/xquad.js';
import { foundCase, overfetch } from '../eval/overfetch.js';
import { limited } from '../eval/suites/suite.js';

const { values } = parseArgs({
  options: { data: { type: 'string' }, limit: { type: 'string', default: '200' }, cases: { type: 'string' } },
});
const { data, limit, cases: folder } = values;
if (data === undefined) throw new Error('Name the folder of the data sets: --data DIR.');

const RETRIEVED = 60;
const TARGET = 0.95;

interface EvidenceSet {
  name: string;
  load(dataDir: string): Dataset | undefined;
  /** The chunks are the best of a collection, or those of the question. */
  isCollection: boolean;
  evidence(found: Case): object;
}

const anyAnswer = ({ answers }: Case) => ({ answers: [answers] });
const anyFact = ({ facts }: Case) => ({ answers: [facts.map(({ text }) => text.trim())] });
const eachFact = ({ facts }: Case) => ({ passages: facts.map(({ text }) => text.trim()) });
const eachStep = ({ facts }: Case) => ({ answers: facts.flatMap(({ answer }) => answer ?? []) });

const SETS: readonly EvidenceSet[] = [
  { name: 'NQ', load: loadNaturalQuestionsCollection, isCollection: true, evidence: anyAnswer },
  { name: 'ClapNQ', load: loadClapNq, isCollection: true, evidence: eachFact },
  { name: 'XQuAD en', load: (dir) => loadXquad(dir, 'en'), isCollection: true, evidence: anyFact },
  { name: 'HotpotQA', load: loadHotpot, isCollection: false, evidence: eachFact },
  { name: 'MuSiQue', load: loadMusique, isCollection: false, evidence: eachStep },
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
const row = (...cells: string[]) =>
  console.log(cells.map((cell, at) => cell.padEnd(at === 0 ? 14 : 26)).join(''));
if (folder === undefined) {
  row(
    'set',
    'budget chosen (interval)',
    '% kept on the other half',
    '% kept at the upper end',
    'least of the other half',
    'holds',
  );
}
for (const set of SETS) {
  const cases = casesOf(set, data);
  if (folder !== undefined) {
    const lines = cases.map((each) => JSON.stringify(each));
    writeFileSync(join(folder, `${set.name}.jsonl`), lines.join('\n'));
    continue;
  }
  const halves = [0, 1].map((half) => cases.filter((_, at) => at % 2 === half));
  const results = [];
  for (const half of halves) {
    if (half.length > 0) results.push(await evaluate({ cases: half, explained: 0 }));
  }
  for (const [at, chosen] of results.entries()) {
    const other = results[1 - at] as typeof chosen;
    const [own] = chosen.methods[0]?.least ?? [];
    const [least] = other.methods[0]?.least ?? [];
    const keptAt = (each: number | null | undefined) =>
      other.methods[0]?.budgets.find(({ budget }) => budget === each)?.evidence;
    const [kept, careful] = [keptAt(own?.budget), keptAt(own?.high)];
    if (own === undefined || least === undefined || kept === undefined) continue;
    const beyond = Number.POSITIVE_INFINITY;
    const isBudgetIn =
      (least.budget ?? beyond) >= (own.low ?? beyond) && (least.budget ?? beyond) <= (own.high ?? beyond);
    row(
      `${set.name} ${at + 1}`,
      `${own.budget} (${own.low}–${own.high})`,
      `${percent(kept.mean)} (${percent(kept.low)}–${percent(kept.high)})`,
      careful === undefined
        ? 'beyond'
        : `${percent(careful.mean)} (${percent(careful.low)}–${percent(careful.high)})`,
      String(least.budget),
      `share ${kept.high >= TARGET ? 'yes' : 'no'}, budget ${isBudgetIn ? 'yes' : 'no'}`,
    );
  }
}
