/** Renders reports for people and for logs. */

import { invalidInput } from '../errors.js';
import { isObject } from '../input/parse-options.js';
import { lazyRegExp } from '../runtime/lazily.js';
import { DIRECTION_CONTROLS } from '../text/hidden/classes.js';
import { escaped } from '../text/hidden/decode.js';
import type { Eviction, Flag, ShapingReport } from '../types.js';

/**
 * The report as tables for a terminal: kept chunks, evicted chunks with their reasons, and degradations.
 *
 * @param options `width`: number of columns, at least 40. Long ids are shortened in the middle. `timings`: `false`
 *   leaves out the milliseconds and the table of the stages, so equal calls give equal texts.
 * @throws ContextShapingError `invalid-input`, if it gets anything but a report.
 */
export function formatReport(
  report: ShapingReport,
  { width = 100, timings = true }: { width?: number; timings?: boolean } = {},
): string {
  checkReport(report);
  const columns = Math.max(40, Math.floor(width));
  const { version, query, options, input, ranking, digest, ...shown } = report;
  const { tokens, kept, evicted, stages, conflicts, flags, support, degradations, ecs, ...extensions } =
    shown;
  const isMeasured = kept.some(({ utility }) => utility !== undefined);
  const milliseconds = stages.reduce((sum, stage) => sum + stage.milliseconds, 0);
  const budget = tokens.budget === null ? '' : ` of ${count(tokens.budget)} allowed`;
  const share = tokens.input === 0 ? 0 : Math.round((1 - tokens.output / tokens.input) * 100);
  const sections = [
    inLines(columns, [
      `${input.length} chunks in, ${kept.length} kept, ${evicted.length} evicted`,
      `${count(tokens.input)} → ${count(tokens.output)} tokens${budget} (−${share} %)`,
      ...(timings ? [`${milliseconds.toFixed(0)} ms`] : []),
    ]),
    section(
      'Kept',
      columns,
      ['#', 'tokens', 'relevance', ...(isMeasured ? ['utility'] : []), 'top features', 'id', 'copies'],
      [
        ...kept.map((entry, place) => [
          String(place + 1),
          count(entry.tokens),
          entry.relevance?.toFixed(2) ?? '–',
          ...(isMeasured ? [entry.utility?.toFixed(2) ?? '–'] : []),
          strongest(entry.features),
          label(entry, entry.sources[0]?.source, entry.sources[0]?.position) +
            (entry.pinned ? ' (pinned)' : '') +
            (entry.excerpts ? ' (cut)' : '') +
            (entry.sanitised ? ' (sanitised)' : ''),
          entry.sources
            .slice(1)
            .map((source) => source.id)
            .join(', '),
        ]),
      ],
    ),
    section(
      'Evicted',
      columns,
      ['stage', 'tokens', 'id', 'why'],
      [...evicted.map((eviction) => [eviction.stage, count(eviction.tokens), eviction.id, why(eviction)])],
    ),
    section(
      'Conflicts',
      columns,
      ['differ in', 'one says', 'the other says'],
      [
        ...conflicts.map(({ kinds, ids, differences: [one, other] }) => [
          kinds.join(', '),
          `${ids[0]}: ${one.join(', ') || '–'}`,
          `${ids[1]}: ${other.join(', ') || '–'}`,
        ]),
      ],
    ),
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
              count(ecs.usage.requests),
              ecs.usage.tokens === undefined ? '–' : count(ecs.usage.tokens),
              ecs.usage.cachedTokens === undefined ? '–' : count(ecs.usage.cachedTokens),
              ecs.model ?? '–',
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
  const { kept, report: inner } = (report ?? {}) as { kept?: unknown; report?: unknown };
  if (Array.isArray(kept)) return;
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
 * @throws ContextShapingError `invalid-input`, if it gets anything but a report.
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

/** An id within a sentence, shortened so that the evidence beside it fits. */
const brief = (id: string) => shorten(oneLine(id), 24);

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

/** The evidence of a flag in a few words. */
function said(flag: Flag): string {
  switch (flag.kind) {
    case 'query-echo':
      return `repeats ${Math.round(100 * flag.share)} % of the question`;
    case 'keyword-stuffing':
      return `${Math.round(100 * flag.density)} % of its words are the question’s`;
    case 'dependent-group':
      return `says the same as ${flag.members - 1} others`;
    case 'hidden-characters': {
      const { count: times, classes, decoded } = flag;
      return `${count(times)} hidden characters (${classes.join(', ')})${decoded === undefined ? '' : `: “${decoded}”`}`;
    }
    case 'mixed-script':
      return `letters of two scripts in ${flag.words.join(', ')}`;
    case 'role-tag':
      return `role tags ${flag.tags.join(' ')}`;
    case 'instruction':
      return `tells a model: “${flag.text}”`;
  }
}

/** The evidence of an eviction in a few words. */
export function why(eviction: Eviction): string {
  switch (eviction.reason) {
    case 'low-entropy':
      return `entropy ${eviction.entropy.toFixed(2)} under ${eviction.minEntropy}`;
    case 'exact-duplicate':
      return `same text as ${brief(eviction.keptId)}`;
    case 'semantic-duplicate':
      return `${eviction.distance.toFixed(3)} from ${brief(eviction.keptId)} (${eviction.measure})`;
    case 'cluster-member':
      return `in a cluster with ${brief(eviction.keptId)}, ${eviction.distance.toFixed(3)} away`;
    case 'low-utility':
      return `utility ${(eviction.utility ?? 0).toFixed(2)} nats under ${eviction.minUtility}`;
    case 'below-floor':
      return `${eviction.margin.toFixed(2)} below the floor of relevance, ${eviction.floor.toFixed(2)}`;
    case 'outranked':
      return `relevance ${(eviction.relevance ?? 0).toFixed(2)}, ${eviction.margin.toFixed(2)} short of the best ${eviction.k}`;
    case 'over-budget':
      return eviction.budgetToKeep === null
        ? `no room under ${eviction.limit}`
        : `would need ${eviction.limit} ${count(eviction.budgetToKeep)}`;
    case 'custom': {
      const short = eviction.margin === undefined ? '' : `short by ${eviction.margin}`;
      return [inWords(eviction.evidence), short].filter((part) => part !== '').join(', ') || '–';
    }
    default: {
      const {
        id,
        index,
        stage,
        tokens,
        source,
        position,
        relevance,
        features,
        utility,
        reason,
        ...evidence
      } = eviction as Eviction;
      return [reason, inWords(evidence)].filter((part) => part !== '').join(': ');
    }
  }
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

/** A value of an adapter as text: numbers with at most three decimals, the fields of objects by name. */
function inWords(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, each]) => `${key} ${inWords(each)}`)
    .join(', ');
}

const count = (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A table with a title. Wide columns share the room that the others leave. Empty without rows. */
export function section(title: string, width: number, header: string[], rows: string[][]): string {
  if (rows.length === 0) return '';
  const cells = [header, ...rows].map((row) => row.map(oneLine));
  const natural = header.map((_, column) =>
    cells.reduce((most, row) => Math.max(most, displayWidth(row[column] ?? '')), 0),
  );
  const numeric = header.map((_, column) => isNumeric(rows, column));
  const wide = natural.map((size) => size > 20);
  const fixed = natural.reduce(
    (sum, size, column) => sum + (wide[column] ? 0 : size),
    2 * (header.length - 1) + 2,
  );
  const room = Math.floor((width - fixed) / Math.max(1, wide.filter(Boolean).length));
  const widths = natural.map((size, column) => (wide[column] ? Math.max(16, Math.min(size, room)) : size));
  const lines = cells.map((row) =>
    row
      .map((cell, column) =>
        pad(shorten(cell, widths[column] as number), widths[column] as number, numeric[column] as boolean),
      )
      .join('  '),
  );
  const [head, ...body] = lines.map((line) => `  ${line.trimEnd()}`);
  return [title, head, `  ${widths.map((size) => '─'.repeat(size)).join('  ')}`, ...body].join('\n');
}

const isNumeric = (rows: string[][], column: number) =>
  rows.every((row) => /^[\d,.–-]+$/.test(row[column] ?? ''));
// biome-ignore lint/suspicious/noControlCharactersInRegex: ids are untrusted text, and terminals execute control characters
const OBEYED = /[\s\u0000-\u001f\u007f-\u009f]+/g;
const oneLine = (cell: string) => cell.replace(OBEYED, ' ').replace(REORDERING(), escaped);
/** Characters that change the direction of the rest of a line. */
const REORDERING = lazyRegExp(`[${DIRECTION_CONTROLS}]`, 'g');
const pad = (cell: string, size: number, right: boolean) => {
  const space = ' '.repeat(Math.max(0, size - displayWidth(cell)));
  return right ? space + cell : cell + space;
};

function shorten(cell: string, size: number): string {
  if (displayWidth(cell) <= size) return cell;
  const characters = Array.from(cell);
  const take = (from: readonly string[]) => {
    let used = 0;
    return from.filter((character) => {
      used += displayWidth(character);
      return used <= (size - 1) / 2;
    });
  };
  return `${take(characters).join('')}…${take(characters.toReversed()).reverse().join('')}`;
}

const WIDE = lazyRegExp(
  String.raw`[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}`,
  'u',
);
const ZERO = lazyRegExp(String.raw`^[\p{M}\u200b-\u200f]$`, 'u');

/** Columns of a text in a terminal: East Asian characters and emoji take two, combining marks none. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += ZERO().test(character) ? 0 : WIDE().test(character) ? 2 : 1;
  return width;
}
