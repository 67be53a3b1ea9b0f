/** Renders reports for people and for logs. */

import type { KeptEntry, ShapingReport } from '../../src/index.js';
import { checkReportVersion, invalidInput, isObject } from '../../src/internal.js';
import { conflictTable } from './conflict-table.js';
import { oneLine, section } from './table.js';
import { said, why } from './why.js';
import { count, inWords } from './words.js';

/**
 * The report as tables of plain text: kept chunks, evicted chunks with their reasons, and degradations.
 *
 * @param options `width`: number of columns, at least 40, default 100. Longer cells wrap over several lines, and nothing
 *   is cut; a table of many columns can be wider. `Number.POSITIVE_INFINITY`: each row has one line, for `grep` and the
 *   like. `timings`: `false` leaves out the milliseconds and the table of the stages, so equal calls give equal texts.
 * @throws ContextShapingError `invalid-input`, if it gets anything but a report of this version, or a width that is no
 *   number.
 */
export function formatReport(
  report: ShapingReport,
  { width = 100, timings = true }: { width?: number; timings?: boolean } = {},
): string {
  checkReport(report);
  if (typeof width !== 'number' || Number.isNaN(width)) {
    const remedy = 'Give a number from 40, or Number.POSITIVE_INFINITY for one line a row.';
    throw invalidInput('width', width, 'must be a number of columns', remedy);
  }
  const columns = Math.max(40, Math.floor(width));
  const { version, query, options, input, ranking, answerable, digest, ...shown } = report;
  const { tokens, kept, evicted, stages, conflicts, flags, support, degradations, ...extensions } = shown;
  const isMeasured = kept.some(({ utility }) => utility !== undefined);
  const isRelevanceKnown = evicted.some(({ relevance }) => relevance !== undefined);
  const hasPreviews = [...kept, ...evicted].some(({ preview }) => preview !== undefined);
  const milliseconds = stages.reduce((sum, stage) => sum + stage.milliseconds, 0);
  const budget = tokens.budget === null ? '' : ` of ${count(tokens.budget)} allowed`;
  const share = tokens.input === 0 ? 0 : Math.round((1 - tokens.output / tokens.input) * 100);
  const sections = [
    inLines(columns, [
      `${input.length} chunks in, ${kept.length} kept, ${evicted.length} evicted`,
      `${count(tokens.input)} → ${count(tokens.output)} tokens${budget} (−${share} %)`,
      ...(timings ? [`${milliseconds.toFixed(0)} ms`] : []),
    ]),
    answerable && `Answer in these chunks: ${answerable.verdict} (${decimal(answerable.probability)})`,
    ranking?.reason === 'unsaid' &&
      `Order of the list: nothing was said, so it may mean nothing, and counts with the trust ${ranking.trust}. Set ranked.`,
    ranking?.history && `Carried over from the conversation: ${carriedIn(ranking.history)}`,
    table('Kept', columns, kept, [
      ['#', (_, place) => String(place + 1)],
      ['tokens', (entry) => count(entry.tokens)],
      ['relevance', ({ relevance }) => decimal(relevance)],
      isMeasured && ['utility', ({ utility }) => decimal(utility)],
      ['top features', ({ features }) => strongest(features)],
      ['id', labelOfKept],
      ['copies', ({ sources }) => idsOf(sources.slice(1))],
      hasPreviews && ['first words', ({ preview }) => preview ?? '–'],
    ]),
    table('Evicted', columns, evicted, [
      ['stage', ({ stage }) => stage],
      ['tokens', (entry) => count(entry.tokens)],
      isRelevanceKnown && ['relevance', ({ relevance }) => decimal(relevance)],
      ['id', ({ id, source, position }) => label(id, source, position)],
      hasPreviews && ['first words', ({ preview }) => preview ?? '–'],
      ['why', why],
    ]),
    conflictTable('Conflicts', columns, conflicts),
    table('Flags', columns, flags, [
      ['id', ({ id }) => id],
      ['evidence', ({ flags: own }) => own.map(said).join('; ')],
    ]),
    table('Support', columns, support, [
      ['chunks', ({ ids }) => count(ids.length)],
      ['sources', ({ sources }) => count(sources)],
      ['shared words', ({ says }) => says.join(' ') || '–'],
      ['most relevant', ({ ids }) => ids[0] as string],
    ]),
    table('Degradations', columns, degradations, [
      ['stage', ({ stage }) => stage],
      ['message', ({ message }) => message],
    ]),
    ...Object.entries(extensions).flatMap(([name, value]) => extensionSections(name, value, columns)),
    timings &&
      table('Stages', columns, stages, [
        ['stage', ({ name }) => name],
        ['in', (stage) => count(stage.input)],
        ['kept', (stage) => count(stage.kept)],
        ['evicted', (stage) => count(stage.evicted)],
        ['ms', (stage) => stage.milliseconds.toFixed(1)],
      ]),
  ];
  return sections.filter(Boolean).join('\n\n');
}

/** A column, if it is shown: its title, and the cell of a row. */
type Column<Row> = false | readonly [title: string, cell: (row: Row, place: number) => string];

function table<Row>(
  title: string,
  width: number,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): string {
  const shown = columns.filter((column) => column !== false);
  return section(
    title,
    width,
    shown.map(([head]) => head),
    rows.map((row, place) => shown.map(([, cell]) => cell(row, place))),
  );
}

function checkReport(report: unknown): void {
  const { kept, report: inner, version } = (report ?? {}) as Record<string, unknown>;
  if (Array.isArray(kept)) {
    checkReportVersion({ version }, 'report');
    return;
  }
  const remedy =
    inner === undefined
      ? 'Give the report of a shaping: `const { report } = await shaper.shape(…)`.'
      : 'Give its field `report`: formatReport(result.report).';
  throw invalidInput(
    'report',
    report,
    inner === undefined ? 'must be a report' : 'is a whole result',
    remedy,
  );
}

/**
 * The report as JSON lines for a log: one line for the call, then one line for every kept chunk, evicted chunk,
 * conflict, flagged chunk, support group and degradation. Every line has the digest, so that lines can be joined.
 *
 * @throws ContextShapingError `invalid-input`, if it gets anything but a report of this version.
 */
export function reportLines(report: ShapingReport): string[] {
  checkReport(report);
  const { kept, evicted, conflicts, flags, support, degradations, input, digest, ...rest } = report;
  const line = (event: string, entry: object) => JSON.stringify({ event, digest, ...entry });
  const lists = { kept, evicted, conflict: conflicts, flagged: flags, support, degradation: degradations };
  return [
    line('shaped', { ...rest, chunks: input.length, kept: kept.length, evicted: evicted.length }),
    ...Object.entries(lists).flatMap(([event, entries]) => entries.map((entry) => line(event, entry))),
  ];
}

/** The parts side by side, in as few lines as the width allows. */
function inLines(columns: number, parts: readonly string[]): string {
  return parts.reduce((text, part) => {
    const last = text.length - text.lastIndexOf('\n') - 1;
    return `${text}${last + 3 + part.length > columns ? '\n' : ' · '}${part}`;
  });
}

/** The id, with the document and the position unless the id contains the document. */
function label(id: string, source: string | undefined, position: number | undefined): string {
  if (source === undefined || id.includes(source)) return id;
  return `${id} · ${source}${position === undefined ? '' : `:${position}`}`;
}

const labelOfKept = ({ id, sources: [own], pinned, excerpts, sanitised }: KeptEntry): string =>
  label(id, own?.source, own?.position) +
  (pinned ? ' (pinned)' : '') +
  (excerpts ? ' (cut)' : '') +
  (sanitised ? ' (sanitised)' : '');

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id).join(', ');

/** Words of the conversation, the heaviest first. */
const MOST_CARRIED = 12;
const carriedIn = ({ words, carried }: NonNullable<NonNullable<ShapingReport['ranking']>['history']>) =>
  carried
    ?.slice(0, MOST_CARRIED)
    .map(({ word }) => word)
    .join(', ') ?? `${count(words)} words`;

const decimal = (value: number | undefined) => value?.toFixed(2) ?? '–';

/** The two features that contribute most to relevance. */
function strongest(features: Readonly<Record<string, number>> = {}): string {
  const sorted = Object.entries(features)
    .filter(([, part]) => part > 0)
    .sort(([, a], [, b]) => b - a);
  const names = sorted.slice(0, 2).map(([name]) => name);
  return names.join(', ') || '–';
}

/**
 * Formats the part of the report that an adapter added: a line for each fact, and a table for each list of objects.
 */
function extensionSections(name: string, value: unknown, width: number): string[] {
  if (!isObject(value)) return [`${oneLine(name)}: ${oneLine(inWords(value))}`];
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  const facts = fields.filter(([, each]) => !isTable(each));
  const tables = fields.flatMap(([key, each]) => (isTable(each) ? [{ key, rows: each }] : []));
  return [
    [oneLine(name), ...facts.map(([key, each]) => `  ${oneLine(`${key}: ${inWords(each)}`)}`)].join('\n'),
    ...tables.map(({ key, rows }) => {
      const header = [...new Set(rows.flatMap(Object.keys))];
      return section(
        oneLine(`${name}, ${key}`),
        width,
        header,
        rows.map((row) => header.map((column) => inWords(row[column]))),
      );
    }),
  ];
}

const isTable = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.every(isObject);
