/**
 * The page of an evaluation: HTML without a program, which makes no request. Its policy allows the one set of styles, and nothing
 * else. All texts of the data are escaped.
 */
import { evaluationStyle, evaluationStyleHash } from '#inspector-app';
import { count, differencesOf, percent as percentOf, signed } from '../evaluate/format.js';
import {
  type Estimate,
  type EvaluationResult,
  type LeastBudget,
  type LostUnit,
  type MethodResult,
  parseEvaluation,
} from '../evaluate/index.js';
import { evaluationPlot, lineSample } from './evaluation-plot.js';
import { inHtml, pageHead } from './html.js';

const POLICY = `default-src 'none'; style-src ${evaluationStyleHash}; img-src data:; base-uri 'none'; form-action 'none'`;

/**
 * Makes a page that shows an evaluation: the curve, the least budgets and their cost, differences, and the evidence that is
 * lost. The page is one HTML text without requests, and works from disk.
 *
 * @param options `title` of the page. Default `Evaluation`.
 * @throws ContextShapingError `invalid-input`, if it gets no result of an evaluation.
 */
export function evaluationPage(
  evaluation: EvaluationResult,
  { title = 'Evaluation' }: { title?: string | undefined } = {},
): string {
  const result = parseEvaluation(evaluation);
  return `${pageHead({ title, policy: POLICY, style: evaluationStyle })}
${head(result, title)}
<main>
${[curve(result), atBudget(result), leastBudgets(result), differences(result), lost(result)].join('\n')}
<footer>${inHtml(`${result.library.name} ${result.library.version}`)}. Intervals are 95 %, by resampling ${count(result.cases.groups)} groups of cases.</footer>
</main>
</body>
</html>
`;
}

const percent = (share: number) => `${percentOf(share)} %`;
const bounds = ({ low, high }: Pick<Estimate, 'low' | 'high'>) => `${percentOf(low)} to ${percentOf(high)}`;

function head({ cases, pool, budget, budgets, methods, notes }: EvaluationResult, title: string): string {
  const [first] = methods as [MethodResult];
  const kept = first.budgets[budgets.indexOf(budget)]?.evidence as Estimate;
  const figures = [
    ['Cases with evidence', `<b>${count(cases.measured)}</b> of ${count(cases.all)}`],
    ['A pool', `<b>${count(pool.tokens)}</b> tokens`],
    ['Evidence that pools hold', `<b>${percent(pool.found)}</b>`],
    ['Budget', `<b>${count(budget)}</b> tokens`],
    [`Kept by ${inHtml(first.name)}`, `<b>${percent(kept.mean)}</b> (${bounds(kept)})`],
  ];
  return `<header>
<h1>${inHtml(title)}</h1>
<dl class="figures">${figures.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>
${notes.map((note) => `<p class="limit">${inHtml(note)}</p>`).join('\n')}
</header>`;
}

const section = (
  id: string,
  title: string,
  text: string,
  content: string,
) => `<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${text === '' ? '' : `<p>${text}</p>\n`}${content}
</section>`;

/** A table in a region of its own, which scrolls on narrow screens. */
function table(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  own = 0,
): string {
  const header = columns.map((name) => `<th scope="col">${name}</th>`).join('');
  const body = rows.map(([first, ...cells], at) => {
    const name = `<th scope="row"${at < own ? ' class="own"' : ''}>${first}</th>`;
    return `<tr>${name}${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<div class="wide" role="region" tabindex="0" aria-label="${label}"><table><thead><tr>${header}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

const ownOf = ({ methods }: EvaluationResult) => methods.filter(({ kind }) => kind === 'options').length;

function curve(result: EvaluationResult): string {
  const { methods, budgets } = result;
  const key = methods.map(({ name, kind }, at) => `<li>${lineSample(at, kind)}${inHtml(name)}</li>`).join('');
  const all = table(
    'All figures',
    ['Budget', ...methods.map(({ name }) => inHtml(name))],
    budgets.map((budget, at) => [
      count(budget),
      ...methods.map(({ budgets: own }) => percent(own[at]?.evidence.mean as number)),
    ]),
  );
  return section(
    'curve',
    'Evidence kept by budget',
    'The mean share of the evidence of a pool that is kept. The band is the 95 % interval of the first method. Dashed lines are controls, which need no shaping.',
    `<ul class="key">${key}</ul>
<div class="wide" role="region" tabindex="0" aria-label="Plot">${evaluationPlot(result)}</div>
<details><summary>All figures</summary>${all}</details>`,
  );
}

function atBudget(result: EvaluationResult): string {
  const at = result.budgets.indexOf(result.budget);
  const rows = result.methods.map(({ name, budgets, milliseconds }) => {
    const { evidence, whole, tokens } = budgets[at] as MethodResult['budgets'][number];
    return [
      inHtml(name),
      percent(evidence.mean),
      bounds(evidence),
      percent(whole),
      count(tokens),
      milliseconds.toFixed(1),
    ];
  });
  return section(
    'at-budget',
    `At ${count(result.budget)} tokens`,
    'A whole case keeps all of its evidence. Tokens are the mean of the kept texts.',
    table(
      'Figures at the budget',
      ['Method', 'Evidence', 'Interval', 'Whole cases', 'Tokens', 'Milliseconds'],
      rows,
      ownOf(result),
    ),
  );
}

const bound = (budget: number | null) => (budget === null ? 'beyond' : count(budget));
const leastCells = ({ budget, low, high }: LeastBudget) => [
  budget === null ? 'none' : `<b>${count(budget)}</b>`,
  `${bound(low)} to ${bound(high)}`,
];

function leastBudgets(result: EvaluationResult): string {
  const tokens = (value: number | undefined) => (value === undefined ? '–' : count(value));
  const rows = result.methods.map(({ name, least }) => {
    const [first, second] = least as [LeastBudget, LeastBudget];
    return [inHtml(name), ...leastCells(first), ...leastCells(second), tokens(first.tokensPerThousand)];
  });
  const text = `The least of the measured budgets from which on the share is kept, in four of five resamples of the questions. The upper end of its interval is the careful choice. Tokens are those of a thousand questions at the 95 % budget.`;
  return section(
    'least',
    'Least budget',
    text,
    table(
      'Least budgets',
      ['Method', '95 % kept', 'Interval', '99 % kept', 'Interval', 'Tokens'],
      [...rows, ['whole pool', '', '', '', '', count(result.wholePool.tokensPerThousand)]],
      ownOf(result),
    ),
  );
}

function differences(result: EvaluationResult): string {
  const rows = differencesOf(result).map(({ method, baseline, at, mean, low, high }) => {
    const verdict = low > 0 ? 'more' : high < 0 ? 'less' : 'may be chance';
    const interval = `${signed(low)} to ${signed(high)}`;
    return [inHtml(method), inHtml(baseline), at, signed(mean), interval, verdict];
  });
  return section(
    'differences',
    'Differences',
    'The evidence that the method keeps minus that of the other, case by case, in percentage points: at the budget, and at fixed shares of a mean pool.',
    table(
      'Figures of the differences',
      ['Method', 'Compared with', 'At', 'Difference', 'Interval', 'Verdict'],
      rows,
    ),
  );
}

function lost({ lost: { cases, explained }, methods, budget }: EvaluationResult): string {
  const name = inHtml(methods[0]?.name ?? '');
  const text =
    cases === 0
      ? `${name} loses no evidence at ${count(budget)} tokens.`
      : `${name} loses evidence of ${count(cases)} ${cases === 1 ? 'case' : 'cases'} at ${count(budget)} tokens. Each change was run: it keeps the evidence on its own.`;
  return section('lost', 'Lost evidence', text, `<ul class="lost">${explained.map(lostItem).join('')}</ul>`);
}

function lostItem({ case: id, query, form, unit, chunks, why, remedies }: LostUnit): string {
  const help =
    remedies.length === 0
      ? 'No change that was tried keeps it.'
      : `Kept with ${remedies.map((remedy) => `<code>${inHtml(remedy)}</code>`).join(', or ')}.`;
  return `<li><h3>${inHtml(query)}</h3><blockquote>${inHtml(unit)}</blockquote><p class="note">Case ${inHtml(id)}, ${form}, in ${inHtml(chunks.join(', '))}. ${inHtml(why)} ${help}</p></li>`;
}
