/** One screen about a shaping: the input, the context, its conflicts, the chunks left out, and the next calls. */
import type { Conflict, ShapingReport, ShapingResult } from '../../src/index.js';
import { CAUSES, type Cause, type Explanation, explain, optionsWritten } from '../explain/index.js';
import { conflictsInContext, tableOf } from '../report/index.js';
import { FLAGS } from './flags.js';
import { type Io, printable, type Style, shorten, styleFor, widthOf, wrap } from './terminal.js';

/** Characters of a statement that differs from another one: the option `preview` of a shaping for a screen. */
export const EXCERPT = 80;

/** The most lines of a screen. Passages get those that the other parts leave. */
const LINES = 40;
const MOST_PASSAGES = 6;
const LINES_OF_A_PASSAGE = 3;
const LINES_OF_DIFFERENCES = 9;
const MOST_COLUMNS = 5;
const MOST_FLAGGED = 2;

export interface Shown {
  question: string;
  /** Sentences about the origin of the chunks. */
  from: readonly string[];
  result: ShapingResult;
  /** Calls and their purpose, after those about this run. */
  next?: readonly (readonly [call: string, does: string])[];
}

/** The screen for a terminal. */
export async function screenOf(shown: Shown, { save }: { save?: string }, io: Io): Promise<string> {
  const closest = await closestMiss(shown.result, io);
  const next = [...nextCalls(save, closest), ...(shown.next ?? [])];
  return screen({ ...shown, closest, next }, widthOf(io.stdout), styleFor(io.stdout, io.env));
}

const NO_ROOM: ReadonlySet<string> = new Set(['outranked', 'over-budget', 'cluster-member']);

/** The most relevant chunk that was evicted for lack of room, and what brings it back. */
async function closestMiss(result: ShapingResult, { signal }: Io): Promise<Explanation | undefined> {
  const [closest] = result.report.evicted
    .filter(({ reason }) => NO_ROOM.has(reason))
    .sort(({ relevance: one = 0 }, { relevance: other = 0 }) => other - one);
  return closest && explain(result, closest.index, { signal });
}

function nextCalls(save: string | undefined, closest: Explanation | undefined) {
  const call = 'npx context-shaping-devtools';
  const id = closest === undefined ? '' : ` ${printable(closest.id)}`;
  return save === undefined
    ? ([
        ['add --format table', 'a line for each chunk, kept or left out'],
        ['add --save run.json', 'save the run for shape and context-shaping-devtools'],
      ] as const)
    : ([
        [`${call} explain ${save}${id}`, 'why not this one?'],
        [`${call} inspect ${save}`, 'the run as a page'],
      ] as const);
}

function screen(
  shown: Shown & { closest: Explanation | undefined; next: NonNullable<Shown['next']> },
  width: number,
  style: Style,
): string {
  const columns = Math.max(60, Math.min(width, 120));
  const { question, from, result, next, closest } = shown;
  const { report } = result;
  const head = [
    style('bold', shorten(printable(question), columns)),
    style('dim', shorten(from.join(' '), columns)),
    '',
    wentIn(report, columns),
    '',
  ];
  const tail = [
    ...differences(report, columns, style),
    ...flagged(report, columns, style),
    ...leftOut(report, closest, columns),
    '',
    ...calls(next, columns, style),
  ];
  return [
    ...head,
    ...passages(result, columns, LINES - head.length - tail.length - 1, style),
    '',
    ...tail,
  ].join('\n');
}

function wentIn({ input, kept, tokens }: ShapingReport, columns: number): string {
  const most = tokens.budget === null ? '' : ` of ${count(tokens.budget)}`;
  return shorten(
    `${chunks(input.length)}, ${count(tokens.input)} tokens  →  ${chunks(kept.length)}, ${count(tokens.output)}${most} tokens`,
    columns,
  );
}

/** Each passage with its source and as many lines as there is room for, at least one. */
function passages(
  { chunks: kept, report }: ShapingResult,
  columns: number,
  lines: number,
  style: Style,
): string[] {
  const shown = kept.slice(0, Math.max(1, Math.min(MOST_PASSAGES, Math.floor((lines - 1) / 2))));
  const rest = kept.length - shown.length;
  const room = Math.floor((lines - (rest > 0 ? 1 : 0)) / Math.max(1, shown.length)) - 1;
  const each = Math.max(1, Math.min(LINES_OF_A_PASSAGE, room));
  const more = chunks(rest).replace(' ', ' more ');
  return [
    ...shown.flatMap(({ id, text, sources: [own, ...copies] }, at) => {
      const source = own?.source ?? id;
      const position = own?.source === undefined || own.position === undefined ? '' : `:${own.position}`;
      const name = printable(`${source}${position}`);
      const notes = [
        ...(own?.title === undefined ? [] : [printable(own.title)]),
        ...(report.kept[at]?.excerpts === undefined ? [] : ['cut']),
        ...(copies.length === 0
          ? []
          : [`${count(copies.length)} ${copies.length === 1 ? 'copy' : 'copies'}`]),
      ];
      const number = String(at + 1).padStart(2);
      const head = shorten([`${number}  ${name}`, ...notes].join(' · '), columns);
      return [head.replace(name, style('green', name)), ...textOf(text, own?.title, columns - 6, each)];
    }),
    ...(rest > 0 ? [style('dim', `    … ${more}`)] : []),
  ];
}

/** The first lines of a text, without its title. */
function textOf(text: string, title: string | undefined, columns: number, most: number): string[] {
  const lines = printable(text)
    .split('\n')
    .filter((line) => line.trim() !== '' && line.replace(/^#+ /, '') !== title)
    .join(' ');
  const wrapped = wrap(lines.replaceAll('\t', '  '), columns);
  const shown = wrapped.slice(0, most);
  if (wrapped.length > most) shown.push(shorten(`${shown.pop()} …`, columns));
  return shown.map((line) => `    │ ${line}`);
}

/** Conflicts in the context: a row for each, and a column for each passage. Then how many more there are. */
function differences(report: ShapingReport, columns: number, style: Style): string[] {
  const places = new Map(report.kept.map(({ index }, at) => [index, at + 1]));
  const all = conflictsInContext(report).map((conflict) => ({ conflict, said: saidIn(conflict, places) }));
  let [table, shown] = [[] as string[], 0];
  for (const [at] of all.entries()) {
    const part = all.slice(0, at + 1);
    const passages = [...new Set(part.flatMap(({ said }) => [...said.keys()]))].sort((a, b) => a - b);
    const rows = part.map(({ conflict: { about, kinds }, said }) => [
      about ?? kinds.join(', '),
      ...passages.map((place) => said.get(place) ?? '–'),
    ]);
    const lines = tableOf('', columns, ['passage', ...passages.map(String)], rows)
      .split('\n')
      .slice(1);
    if (at > 0 && (passages.length > MOST_COLUMNS || lines.length > LINES_OF_DIFFERENCES)) break;
    [table, shown] = [lines, at + 1];
  }
  const rest = all.length - shown;
  return all.length === 0
    ? []
    : [
        style('yellow', `! Conflicts in the context: ${count(all.length)}`),
        ...table,
        ...(rest > 0 ? [style('dim', `  … and ${count(rest)} more`)] : []),
        '',
      ];
}

/** The words of a conflict's sides, by the number of the first passage of the context that says it. */
function saidIn({ sides }: Conflict, places: ReadonlyMap<number, number>): Map<number, string> {
  const said = sides.flatMap(({ indices, says, excerpt }): [number, string][] => {
    const [first] = indices.flatMap((index) => places.get(index) ?? []).sort((a, b) => a - b);
    return first === undefined ? [] : [[first, says ?? excerpt ?? 'differs']];
  });
  return new Map(said);
}

/** Chunks whose text speaks to the model or the search, and whether the context has them. */
function flagged({ flags, kept, evicted }: ShapingReport, columns: number, style: Style): string[] {
  const inContext = new Set(kept.map(({ index }) => index));
  const removed = new Set(evicted.flatMap(({ index, reason }) => (reason === 'flagged' ? [index] : [])));
  const placeOf = (index: number) =>
    removed.has(index)
      ? 'left out by flag.evict'
      : inContext.has(index)
        ? 'it is in the context'
        : 'not in the context';
  const lines = flags.flatMap(({ id, index, flags: own }) =>
    own.flatMap((flag) =>
      flag.kind !== 'instruction'
        ? []
        : [`! ${printable(id)} tells a model: “${printable(flag.text)}”; ${placeOf(index)}`],
    ),
  );
  const shown = lines
    .slice(0, MOST_FLAGGED)
    .map((line) => style('yellow', shorten(line.replace(/\s+/g, ' '), columns)));
  const rest = lines.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [style('yellow', `! ${chunks(rest)} more like that`)] : []),
    ...(lines.length > 0 ? [''] : []),
  ];
}

function leftOut({ evicted }: ShapingReport, closest: Explanation | undefined, columns: number): string[] {
  if (evicted.length === 0) return ['Nothing was left out.'];
  const reasons = new Map<string, number>();
  for (const { reason } of evicted) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const rows = [...reasons].map(([reason, times]) => {
    const { meaning = '' } = CAUSES[reason as Cause] ?? {};
    return shorten(
      `${count(times).padStart(6)}  ${printable(reason).padEnd(18)} ${meaning.replaceAll('`', '')}`,
      columns,
    );
  });
  return [
    `Left out ${count(evicted.length)}`,
    ...rows,
    ...(closest === undefined
      ? []
      : [
          shorten(
            `        closest: ${printable(closest.id)}${closest.remedy === undefined ? '' : `; it comes back with ${optionsWritten(closest.remedy.options, FLAGS)}`}`,
            columns,
          ),
        ]),
  ];
}

function calls(next: NonNullable<Shown['next']>, columns: number, style: Style): string[] {
  const size = Math.max(...next.map(([call]) => call.length));
  return next.map(([call, does]) => style('dim', shorten(`${call.padEnd(size)}   ${does}`, columns)));
}

const count = (value: number) => value.toLocaleString('en-US');
const chunks = (number: number) => `${count(number)} ${number === 1 ? 'chunk' : 'chunks'}`;
