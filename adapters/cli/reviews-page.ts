/** Reviews as text for people. */
import { conflictTable } from '../../src/internal.js';
import type { Review } from '../langgraph/index.js';
import { printable, type Style, shorten, wrap } from './terminal.js';

type Request = Review['request'];

/** One line. */
const flat = (text: string) => printable(text).replace(/\s+/g, ' ').trim();

export function reviewsTable(reviews: readonly Review[], width: number, style: Style): string {
  if (reviews.length === 0) return 'There are no open reviews.';
  const rows = [
    ['id', 'since', 'state', 'about', 'thread', 'question'],
    ...reviews.map((review) => [
      review.id,
      `${review.since.slice(0, 16)}Z`,
      stateOf(review),
      review.request.about,
      shorten(flat(review.threadId), 20),
      flat(review.request.query),
    ]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...rows.map((cells) => (cells[column] ?? '').length)),
  );
  return rows
    .map((cells, at) => {
      const line = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
      return at === 0 ? style('dim', shorten(line, width)) : shorten(line, Math.max(width, 40));
    })
    .join('\n');
}

function stateOf({ answered, unfinished, claim }: Review): string {
  if (unfinished) return 'unfinished';
  if (answered) return 'answered';
  return claim === undefined ? 'open' : `claimed by ${shorten(flat(claim.by), 20)}`;
}

export function reviewPage(review: Review, width: number, style: Style): string {
  const { id, threadId, since, request } = review;
  const columns = Math.max(40, Math.min(width, 120));
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', style('bold', title), ...lines];
  return [
    ...wrap(flat(request.query), columns).map((line) => style('bold', line)),
    style('dim', `${id} · thread ${flat(threadId)} · since ${since} · ${stateOf(review)}`),
    ...(request.problem === undefined
      ? []
      : wrap(`The last answer was rejected: ${flat(request.problem)}`, columns)),
    flat(`Verdict: ${request.verdict}. Reasons for the review: ${request.reasons.join(', ')}.`),
    ...(request.search === undefined ? [] : ['', `May the web be searched for “${flat(request.search)}”?`]),
    ...section('Chunks that the model would get', chunks(request, columns, style)),
    ...section('Chunks that the model would not get', evictions(request, columns, style)),
    ...section('Texts differ', conflicts(request, columns)),
    ...section('Searches so far', searches(request)),
    ...section('Degradations', degradations(request, columns)),
    ...(review.answered ? [] : ['', ...answers(id, request)]),
  ].join('\n');
}

const details = (parts: readonly (string | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ');
const grade = (value: number | undefined) => (value === undefined ? undefined : `grade ${value.toFixed(2)}`);
const quoted = (text: string, columns: number) =>
  printable(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => wrap(line.replaceAll('\t', '  '), columns - 4))
    .map((line) => `  │ ${line}`);

const chunks = (request: Request, columns: number, style: Style) =>
  request.chunks.flatMap(({ id, text, origin, source, grade: value, reason }) => [
    `${style('green', flat(id))}  ${details([grade(value), origin, source && flat(source), reason && flat(reason)])}`,
    ...quoted(text, columns),
  ]);

const evictions = (request: Request, columns: number, style: Style) =>
  request.evicted.flatMap(({ id, reason, stage, preview, source, grade: value }) => [
    `${style('green', flat(id))}  ${details([grade(value), flat(`${reason} (${stage})`), source && flat(source)])}`,
    shorten(`  │ ${flat(preview)}`, columns),
  ]);

/** The table without its title. */
const conflicts = ({ conflicts }: Request, columns: number) =>
  conflictTable('', columns, conflicts).split('\n').slice(1);

const searches = ({ searches }: Request) =>
  searches.map(({ query, found, failure }) =>
    flat(`“${query}”: ${failure === undefined ? `${found} found` : `failed, ${failure}`}`),
  );

const degradations = ({ degradations }: Request, columns: number) =>
  degradations.flatMap(({ stage, message }) => wrap(flat(`${stage}: ${message}`), columns));

function answers(id: string, { about }: Request): string[] {
  const command = `context-shaping reviews answer ${id}`;
  return [
    'To answer, run one of',
    ...(about === 'search'
      ? [
          `  ${command} --approve                 allow the search`,
          `  ${command} --approve --search WORDS  search for these words instead`,
          `  ${command} --approve --no-search     continue without a search`,
        ]
      : [`  ${command} --approve                 accept this context`]),
    `  ${command} --answer TEXT             add the answer to the context`,
    `  ${command} --query TEXT              start again with another question`,
    `  ${command} --refuse                  reject: nothing of this may reach the model`,
    'and add --pin ID, --veto ID, --unevict ID, --by NAME or --note TEXT as needed.',
  ];
}
