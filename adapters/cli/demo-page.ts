/** The output of the demo. */
import {
  type ConflictSide,
  type Eviction,
  formatReport,
  type ShapedChunk,
  type ShapingReport,
} from '../../src/index.js';
import { conflictTable } from '../../src/internal.js';
import type { Corpus } from './demo-corpus.js';
import { printable, type Style, shorten, wrap } from './terminal.js';

/** Passages to show with text, and the most lines of each. Further passages are shown by their source only. */
const PASSAGES = 5;
const LINES = 6;

export interface Demonstration {
  question: string;
  /** The question is a heading of the corpus. */
  isHeading?: boolean;
  corpus: Corpus;
  /** The searched folder; absent: the demo's own corpus. */
  folder?: string;
  /** The kept chunks, in the order of `report.kept`. */
  chunks: readonly ShapedChunk[];
  report: ShapingReport;
}

export function demoPage(demonstration: Demonstration, width: number, style: Style): string {
  const { question, isHeading, chunks, report } = demonstration;
  const columns = Math.max(60, Math.min(width, 120));
  const rule = (title: string) =>
    `${style('bold', title)} ${style('dim', '─'.repeat(columns - title.length - 1))}`;
  const passages = chunks.map((chunk, at) => passage(chunk, at, report, columns, style));
  return [
    style('bold', shorten(printable(question), columns)),
    ...(isHeading
      ? [style('dim', 'This is a heading of the corpus. Ask your own question after the folder.')]
      : []),
    '',
    ...wrap(searched(demonstration), columns),
    '',
    ...beforeAndAfter(report, columns, style),
    '',
    rule('Context for the model'),
    '',
    ...passages,
    ...(report.conflicts.length === 0
      ? []
      : [rule('Texts differ'), conflictTable('', columns, report.conflicts), '']),
    rule('Report: every chunk, kept or evicted'),
    '',
    formatReport(withoutPreviews(report), { width: columns }),
    '',
    rule('Next'),
    '',
    ...next(columns, style),
  ].join('\n');
}

function searched({ corpus: { files, allFiles, chunks }, folder }: Demonstration): string {
  const read = files === allFiles ? count(files) : `the first ${count(files)} of ${count(allFiles)}`;
  const from =
    folder === undefined
      ? ': a made-up manual that comes with the package, in three versions, with copies and padding'
      : ` in ${folder === '.' ? 'this folder' : printable(folder)}`;
  return (
    `Searched ${count(chunks.length)} chunks of ${read} Markdown ${files === 1 ? 'file' : 'files'}${from}. ` +
    'The retriever here is the word relevance of the library, without a model. Yours may be any.'
  );
}

function beforeAndAfter({ input, kept, tokens }: ShapingReport, columns: number, style: Style): string[] {
  const budget = tokens.budget === null ? '' : `of ${count(tokens.budget)} allowed`;
  const bar = columns - 42 - budget.length;
  const row = (label: string, chunks: number, amount: number, note: string) => {
    const size = tokens.input === 0 ? 0 : Math.round((amount / tokens.input) * bar);
    const drawn = '█'.repeat(size) + '░'.repeat(bar - size);
    return `${label.padEnd(9)} ${count(chunks).padStart(5)} chunks ${count(amount).padStart(8)} tokens  ${style('cyan', drawn)}  ${note}`.trimEnd();
  };
  return [row('retrieved', input.length, tokens.input, ''), row('kept', kept.length, tokens.output, budget)];
}

/** A kept passage: its source, its copies, the passages above that differ from it, and its first lines. */
function passage(
  { id, text, sources: [own, ...copies] }: ShapedChunk,
  at: number,
  report: ShapingReport,
  columns: number,
  style: Style,
): string {
  const notes = [
    ...copies.map((source) => `also in ${place(source)}`),
    ...differences(report.kept[at]?.index, at, report),
    ...(report.flags.some((flagged) => flagged.id === id)
      ? ['flagged: it speaks to the model (see Flags)']
      : []),
  ];
  const number = `${at + 1}.`.padEnd(3);
  const title = own?.title === undefined ? '' : ` · ${printable(own.title)}`;
  const from = own === undefined ? id : place(own);
  const head = shorten(`${number} ${from}${title}`, columns).replace(from, style('green', from));
  if (at >= PASSAGES) return [head, ...(at + 1 === report.kept.length ? [''] : [])].join('\n');
  const lines = printable(text)
    .split('\n')
    .filter((line) => line.trim() !== '' && line.replace(/^#+ /, '') !== own?.title)
    .flatMap((line) => wrap(line.replaceAll('\t', '  '), columns - 6));
  const rest = lines.length - LINES;
  return [
    head,
    ...notes.map((note) => style('yellow', shorten(`    ${note}`, columns))),
    ...lines.slice(0, LINES).map((line) => `    │ ${line}`),
    ...(rest > 0 ? [style('dim', `    │ … ${rest} more ${rest === 1 ? 'line' : 'lines'}`)] : []),
    '',
  ].join('\n');
}

/** The page shows texts and differences in other parts. */
const withoutPreviews = (report: ShapingReport): ShapingReport => ({
  ...report,
  kept: report.kept.map(({ preview: _, ...entry }) => entry),
  evicted: report.evicted.map(({ preview: _, ...eviction }) => eviction as Eviction),
  conflicts: [],
});

function place({ id, source, position }: ShapedChunk['sources'][number]): string {
  if (source === undefined) return printable(id);
  return printable(position === undefined ? source : `${source}:${position}`);
}

/** The numbers of passages above that say something else than this one. */
function differences(index: number | undefined, at: number, { kept, conflicts }: ShapingReport): string[] {
  const others = conflicts.flatMap(({ sides }) => {
    const has = (side: ConflictSide) => side.indices.includes(index as number);
    return sides.some(has) ? sides.filter((side) => !has(side)).flatMap(({ indices }) => indices) : [];
  });
  const numbers = kept
    .slice(0, at)
    .flatMap((above, place) => (others.includes(above.index) ? [place + 1] : []));
  return numbers.length === 0 ? [] : [`differs from ${numbers.join(', ')} (see Texts differ)`];
}

function next(columns: number, style: Style): string[] {
  const rows = [
    ['context-shaping demo FOLDER "QUESTION"', 'search your own Markdown'],
    ['context-shaping demo --format text', 'the context alone, for a prompt'],
    ['context-shaping shape --help', 'shape what your retriever found'],
  ] as const;
  return rows
    .map(([command, says]) => shorten(`npx ${command.padEnd(40)} ${says}`, columns))
    .map((row) => style('dim', row));
}

const count = (value: number) => value.toLocaleString('en-US');
