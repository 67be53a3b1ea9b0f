/** One screen about a shaping: the input, the context, its conflicts, the chunks left out, and the next calls. */
import type { Conflict, ShapingReport, ShapingResult } from '../../src/index.js';
import { CAUSES, type Cause, type Explanation, explain, optionsWritten } from '../explain/index.js';
import { conflictsInContext, oneLine } from '../report/index.js';
import { FLAGS } from './flags.js';
import { type Io, printable, type Style, shorten, styleFor, widthOf } from './terminal.js';

/** Characters of a statement that differs from another one: the option `preview` of a shaping for a screen. */
export const EXCERPT = 80;

/** So much fits on one screen of 40 lines. */
const MOST_PASSAGES = 5;
const MOST_CONFLICTS = 2;
const MOST_SIDES = 3;
const MOST_FLAGGED = 2;

export interface Shown {
  question: string;
  /** Sentences about the origin of the chunks. */
  from: readonly string[];
  result: ShapingResult;
  /** After those about this run. */
  next?: Calls;
}

/** Calls of programs, and their purpose. */
type Calls = readonly (readonly [call: string, does: string])[];

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

function nextCalls(save: string | undefined, closest: Explanation | undefined): Calls {
  const call = 'npx context-shaping-devtools';
  const id = closest === undefined ? '' : ` ${printable(closest.id)}`;
  return save === undefined
    ? [
        ['add --format table', 'a line for each chunk, kept or left out'],
        ['add --save run.json', 'save the run for shape and context-shaping-devtools'],
      ]
    : [
        [`${call} explain ${save}${id}`, 'why not this one?'],
        [`${call} inspect ${save}`, 'the run as a page'],
      ];
}

function screen(
  { question, from, result, closest, next }: Shown & { closest: Explanation | undefined; next: Calls },
  width: number,
  style: Style,
): string {
  const columns = Math.max(60, Math.min(width, 120));
  const { report } = result;
  return [
    style('bold', shorten(printable(question), columns)),
    style('dim', shorten(from.join(' '), columns)),
    '',
    wentIn(report, columns),
    '',
    ...passages(result, columns, style),
    '',
    ...conflicting(report, columns, style),
    ...flagged(report, columns, style),
    ...leftOut(report, closest, columns),
    '',
    ...calls(next, columns, style),
  ].join('\n');
}

function wentIn({ input, kept, tokens }: ShapingReport, columns: number): string {
  const most = tokens.budget === null ? '' : ` of ${count(tokens.budget)}`;
  return shorten(
    `${chunks(input.length)}, ${count(tokens.input)} tokens  →  ${chunks(kept.length)}, ${count(tokens.output)}${most} tokens`,
    columns,
  );
}

/** The first passages, each with its source and the beginning of its text. */
function passages({ chunks: kept, report }: ShapingResult, columns: number, style: Style): string[] {
  const rest = kept.length - MOST_PASSAGES;
  return [
    ...kept.slice(0, MOST_PASSAGES).flatMap(({ id, text, sources: [own, ...copies] }, at) => {
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
      return [
        head.replace(name, style('green', name)),
        shorten(`    │ ${beginningOf(text, own?.title)}`, columns),
      ];
    }),
    ...(rest > 0 ? [style('dim', `    … ${chunks(rest).replace(' ', ' more ')}`)] : []),
  ];
}

/** A text on one line, without its title. */
const beginningOf = (text: string, title: string | undefined): string =>
  printable(text)
    .split('\n')
    .filter((line) => line.trim() !== '' && line.replace(/^#+ /, '') !== title)
    .join(' ')
    .replaceAll('\t', '  ');

/** The first conflicts in the context, with the words of each passage. Then how many more there are. */
function conflicting(report: ShapingReport, columns: number, style: Style): string[] {
  const places = new Map(report.kept.map(({ index }, at) => [index, at + 1]));
  const all = conflictsInContext(report);
  if (all.length === 0) return [];
  const rest = all.length - MOST_CONFLICTS;
  const lines = all.slice(0, MOST_CONFLICTS).flatMap((conflict) => {
    const said = [...saidIn(conflict, places)].sort(([one], [other]) => one - other);
    return [
      `  ${oneLine(conflict.about ?? conflict.kinds.join(', '))}`,
      ...said.slice(0, MOST_SIDES).map(([place, says]) => `${String(place).padStart(6)}  ${oneLine(says)}`),
    ];
  });
  return [
    style('yellow', `! Conflicts in the context: ${count(all.length)}`),
    ...lines.map((line) => shorten(line, columns)),
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
      flag.kind === 'instruction' ? [`! ${id} tells a model: “${flag.text}”; ${placeOf(index)}`] : [],
    ),
  );
  const shown = lines.slice(0, MOST_FLAGGED).map((line) => style('yellow', shorten(oneLine(line), columns)));
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

function calls(next: Calls, columns: number, style: Style): string[] {
  const size = Math.max(...next.map(([call]) => call.length));
  return next.map(([call, does]) => style('dim', shorten(`${call.padEnd(size)}   ${does}`, columns)));
}

const count = (value: number) => value.toLocaleString('en-US');
const chunks = (number: number) => `${count(number)} ${number === 1 ? 'chunk' : 'chunks'}`;
