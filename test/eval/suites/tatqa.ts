/** What is left of tables at half the tokens: answers, and the headers of the rows. */
import { type Estimate, estimate } from '../bootstrap.js';
import { headersKept, holdsAll, LAYOUTS, loadTatQa, type TableCase } from '../data/tatqa.js';
import { plain } from '../methods/lexical.js';
import type { Method } from '../methods/method.js';
import { naive } from '../methods/naive.js';
import { ours } from '../methods/ours.js';
import type { Table } from '../results.js';
import { share } from '../tables.js';
import { countTokens } from '../tokens.js';
import { limited, type Suite } from './suite.js';

/** The budget: the tokens of the pool over this. */
const FACTOR = 2;

const METHODS = [ours, naive, plain];

export const tatqa: Suite = {
  name: 'tatqa',
  async run({ dataDir, limit, onProgress }) {
    const metrics = new Map<string, Record<string, Estimate>>(METHODS.map(({ name }) => [name, {}]));
    const rows: Table['rows'] = [];
    let counts: Readonly<Record<string, number>> = {};
    for (const [at, layout] of LAYOUTS.entries()) {
      onProgress(at, LAYOUTS.length);
      const loaded = loadTatQa(dataDir, layout);
      if (loaded === undefined) return undefined;
      counts = loaded.counts;
      const cases = limited(loaded, limit).cases as TableCase[];
      for (const method of METHODS) {
        const { answers, headers, used } = await measure(method, cases);
        const groups = cases.map(({ group }) => group);
        const own = metrics.get(method.name) as Record<string, Estimate>;
        own[`answers, ${layout}`] = estimate(answers, groups);
        const kept = headers.filter((each) => each.value !== undefined);
        const known = kept.map(({ value }) => value as number);
        rows.push([
          method.name,
          layout,
          share(own[`answers, ${layout}`] as Estimate),
          known.length === 0
            ? '–'
            : share(
                estimate(
                  known,
                  kept.map(({ group }) => group),
                ),
              ),
          known.length,
          share(estimate(used, groups)),
        ]);
      }
    }
    const table: Table = {
      title: `TAT-QA: a table and the paragraphs around it, ${FACTOR} times fewer tokens`,
      columns: [
        'method',
        'table as',
        'answers kept',
        'all header rows in cut tables',
        'cut tables',
        'of the budget used',
      ],
      rows,
      notes: ['A table is cut if some but not all of its rows are kept.'],
    };
    return {
      suite: 'tatqa',
      counts,
      methods: METHODS.map(({ name }) => ({
        method: name,
        milliseconds: 0,
        metrics: metrics.get(name) ?? {},
      })),
      comparisons: [],
      tables: [table],
    };
  },
};

async function measure(method: Method, cases: readonly TableCase[]) {
  const answers: number[] = [];
  const used: number[] = [];
  const headers: { group: string; value: number | undefined }[] = [];
  for (const question of cases) {
    const total = question.chunks.reduce((sum, { text }) => sum + countTokens(text), 0);
    const maxTokens = Math.floor(total / FACTOR);
    const kept = await method.fit({ ...question, seed: 0 }, maxTokens, countTokens);
    answers.push(Number(holdsAll(kept.map(({ text }) => text).join('\n'), question.wanted)));
    used.push(kept.reduce((sum, { text }) => sum + countTokens(text), 0) / maxTokens);
    const table = kept.filter(({ id }) => id === question.table).map(({ text }) => text);
    headers.push({ group: question.group, value: headersKept(question, table.join('\n')) });
  }
  return { answers, headers, used };
}
