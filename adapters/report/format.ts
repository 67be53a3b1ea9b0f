/** Renders reports for people and for logs. */

import type { ShapingReport } from '../../src/index.js';
import { checkReportVersion, type EcsUse, invalidInput, isObject } from '../../src/internal.js';
import { conflictTable } from './conflict-table.js';
import { oneLine, section } from './table.js';
import { said, why } from './why.js';
import { count, inWords } from './words.js';

/** Words of the conversation in the table. */
const MOST_CARRIED = 12;

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
  const { tokens, kept, evicted, stages, conflicts, flags, support, degradations, ecs, ...extensions } =
    shown;
  const isMeasured = kept.some(({ utility }) => utility !== undefined);
  const isRelevanceKnown = evicted.some(({ relevance }) => relevance !== undefined);
  const hasPreviews = [...kept, ...evicted].some(({ preview }) => preview !== undefined);
  const ifSo = (condition: boolean, cell: string) => (condition ? [cell] : []);
  const milliseconds = stages.reduce((sum, stage) => sum + stage.milliseconds, 0);
  const budget = tokens.budget === null ? '' : ` of ${count(tokens.budget)} allowed`;
  const share = tokens.input === 0 ? 0 : Math.round((1 - tokens.output / tokens.input) * 100);
  const sections = [
    inLines(columns, [
      `${input.length} chunks in, ${kept.length} kept, ${evicted.length} evicted`,
      `${count(tokens.input)} → ${count(tokens.output)} tokens${budget} (−${share} %)`,
      ...(timings ? [`${milliseconds.toFixed(0)} ms`] : []),
    ]),
    answerable === undefined
      ? ''
      : `Answer in these chunks: ${answerable.verdict} (${decimal(answerable.probability)})`,
    ranking?.reason === 'unsaid'
      ? `Order of the list: nothing was said, so it may mean nothing, and counts with the trust ${ranking.trust}. Set ranked.`
      : '',
    section(
      'Kept',
      columns,
      [
        ...['#', 'tokens', 'relevance', ...ifSo(isMeasured, 'utility'), 'top features', 'id', 'copies'],
        ...ifSo(hasPreviews, 'first words'),
      ],
      [
        ...kept.map((entry, place) => [
          String(place + 1),
          count(entry.tokens),
          decimal(entry.relevance),
          ...ifSo(isMeasured, decimal(entry.utility)),
          strongest(entry.features),
          label(entry, entry.sources[0]?.source, entry.sources[0]?.position) +
            (entry.pinned ? ' (pinned)' : '') +
            (entry.excerpts ? ' (cut)' : '') +
            (entry.sanitised ? ' (sanitised)' : ''),
          entry.sources
            .slice(1)
            .map((source) => source.id)
            .join(', '),
          ...ifSo(hasPreviews, entry.preview ?? '–'),
        ]),
      ],
    ),
    section(
      'Evicted',
      columns,
      [
        ...['stage', 'tokens', ...ifSo(isRelevanceKnown, 'relevance'), 'id'],
        ...[...ifSo(hasPreviews, 'first words'), 'why'],
      ],
      evicted.map((eviction) => [
        ...[eviction.stage, count(eviction.tokens), ...ifSo(isRelevanceKnown, decimal(eviction.relevance))],
        ...[
          label(eviction, eviction.source, eviction.position),
          ...ifSo(hasPreviews, eviction.preview ?? '–'),
        ],
        why(eviction),
      ]),
    ),
    section(
      'Conversation',
      columns,
      ['turns', 'words carried over', 'heaviest'],
      ranking?.history === undefined
        ? []
        : [
            [
              count(ranking.history.turns),
              count(ranking.history.words),
              ranking.history.carried
                ?.slice(0, MOST_CARRIED)
                .map(({ word }) => word)
                .join(', ') ?? '–',
            ],
          ],
    ),
    conflictTable('Conflicts', columns, conflicts),
    section(
      'Flags',
      columns,
      ['id', 'evidence'],
      flags.map(({ id, flags: own }) => [id, own.map(said).join('; ')]),
    ),
    section(
      'Support',
      columns,
      ['chunks', 'sources', 'shared words', 'most relevant'],
      support.map(({ ids, sources, says }) => [
        count(ids.length),
        count(sources),
        says.join(' ') || '–',
        ids[0] as string,
      ]),
    ),
    section(
      'Degradations',
      columns,
      ['stage', 'message'],
      degradations.map(({ stage, message }) => [stage, message]),
    ),
    ...Object.entries(extensions).flatMap(([name, value]) => extensionSections(name, value, columns)),
    section(
      'Model',
      columns,
      ['method', 'trust', 'measured', 'rounds', 'requests', 'tokens', 'cached', 'model'],
      ecs === undefined
        ? []
        : [
            [
              ecs.method,
              ecs.trust,
              count(ecs.scored) + (ecs.bounded > 0 ? ` (${ecs.bounded} bounds)` : ''),
              count(ecs.rounds),
              ...costOf(ecs),
            ],
          ],
    ),
    section(
      'Stages',
      columns,
      ['stage', 'in', 'kept', 'evicted', 'ms'],
      [
        ...(timings ? stages : []).map((stage) => [
          stage.name,
          count(stage.input),
          count(stage.kept),
          count(stage.evicted),
          stage.milliseconds.toFixed(1),
        ]),
      ],
    ),
  ];
  return sections.filter((text) => text !== '').join('\n\n');
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
  return [
    line('shaped', { ...rest, chunks: input.length, kept: kept.length, evicted: evicted.length }),
    ...kept.map((entry) => line('kept', entry)),
    ...evicted.map((entry) => line('evicted', entry)),
    ...conflicts.map((entry) => line('conflict', entry)),
    ...flags.map((entry) => line('flagged', entry)),
    ...support.map((entry) => line('support', entry)),
    ...degradations.map((entry) => line('degradation', entry)),
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
function label({ id }: { id: string }, source: string | undefined, position: number | undefined): string {
  if (source === undefined || id.includes(source)) return id;
  return `${id} · ${source}${position === undefined ? '' : `:${position}`}`;
}

const costOf = ({ usage: { requests, tokens, cachedTokens }, model }: EcsUse) => [
  count(requests),
  tokens === undefined ? '–' : count(tokens),
  cachedTokens === undefined ? '–' : count(cachedTokens),
  model ?? '–',
];

const decimal = (value: number | undefined) => value?.toFixed(2) ?? '–';

/** The two features that contribute most to relevance. */
function strongest(features: Readonly<Record<string, number>> = {}): string {
  const sorted = Object.entries(features)
    .filter(([, part]) => part > 0)
    .sort(([, a], [, b]) => b - a);
  return (
    sorted
      .slice(0, 2)
      .map(([name]) => name)
      .join(', ') || '–'
  );
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
