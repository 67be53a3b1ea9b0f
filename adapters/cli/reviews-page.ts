/** Reviews, for a person to read. */
import type { Review } from '../langgraph/index.js';
import { printable, type Style, shorten, wrap } from './terminal.js';

type Request = Review['request'];

/** One line. */
const flat = (text: string) => printable(text).replace(/\s+/g, ' ').trim();

export function reviewsTable(reviews: readonly Review[], width: number, style: Style): string {
  if (reviews.length === 0) return 'Nobody waits for a review.';
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
  return claim === undefined ? 'open' : `held by ${shorten(flat(claim.by), 20)}`;
}

export function reviewPage(review: Review, width: number, style: Style): string {
  const { id, threadId, since, request } = review;
  const columns = Math.max(40, Math.min(width, 120));
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', style('bold', title), ...lines];
  return [
    ...wrap(flat(request.query), columns).map((line) => style('bold', line)),
    style('dim', `${id} · thread ${flat(threadId)} · since ${since} · ${stateOf(review)}`),
    ...(request.problem === undefined ? [] : wrap(`Asked again: ${flat(request.problem)}`, columns)),
    flat(`Verdict: ${request.verdict}. Asked because of: ${request.reasons.join(', ')}.`),
    ...(request.search === undefined ? [] : ['', `May the web be searched for “${flat(request.search)}”?`]),
    ...section('What the model would get', chunks(request, columns, style)),
    ...section('What it would not get', evictions(request, columns, style)),
    ...section('What contradicts each other', conflicts(request, columns)),
    ...section('Searches so far', searches(request)),
    ...section('What did not work', degradations(request, columns)),
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

const conflicts = ({ conflicts }: Request, columns: number) =>
  conflicts.flatMap(({ ids: [one, other], differences: [first, second] }) =>
    wrap(flat(`${one}: ${first.join(', ')} – ${other}: ${second.join(', ')}`), columns),
  );

const searches = ({ searches }: Request) =>
  searches.map(({ query, found, failure }) =>
    flat(`“${query}”: ${failure === undefined ? `${found} found` : `failed, ${failure}`}`),
  );

const degradations = ({ degradations }: Request, columns: number) =>
  degradations.flatMap(({ stage, message }) => wrap(flat(`${stage}: ${message}`), columns));

function answers(id: string, { about }: Request): string[] {
  const command = `context-shaping reviews answer ${id}`;
  return [
    'Answer with one of',
    ...(about === 'search'
      ? [
          `  ${command} --approve                 search`,
          `  ${command} --approve --search WORDS  search for these words`,
          `  ${command} --approve --no-search     go on without it`,
        ]
      : [`  ${command} --approve                 go on with this`]),
    `  ${command} --answer TEXT             you know it`,
    `  ${command} --query TEXT              ask another question`,
    `  ${command} --refuse                  nothing of this may reach the model`,
    'and --pin ID, --veto ID, --unevict ID, --by NAME, --note TEXT.',
  ];
}
