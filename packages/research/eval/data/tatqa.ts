/**
 * TAT-QA: questions on a table of a financial report and the paragraphs around it. The pool of a question is its
 * table and paragraphs.
 *
 * Source: F. Zhu et al., "TAT-QA: A Question Answering Benchmark on a Hybrid of Tabular and Textual Content in
 * Finance", 2021.
 */
import type { Chunk } from 'context-shaping';
import * as z from 'zod/mini';
import { type Case, type Dataset, Tally } from './case.js';
import { filesOf, readLines } from './files.js';

const line = z.object({
  table: z.object({ uid: z.string(), table: z.array(z.array(z.string())) }),
  paragraphs: z.array(z.object({ uid: z.string(), order: z.number(), text: z.string() })),
  questions: z.array(
    z.object({
      uid: z.string(),
      question: z.string(),
      answer: z.union([z.string(), z.number(), z.array(z.string())]),
      derivation: z.string(),
      answer_type: z.string(),
      answer_from: z.string(),
      rel_paragraphs: z.array(z.string()),
    }),
  ),
});

/** How a table is written. */
export const LAYOUTS = ['markdown', 'pipes', 'csv', 'tsv', 'one chunk'] as const;
type Layout = (typeof LAYOUTS)[number];

/** A case whose table is at hand, as lines of the chunk that holds it. */
export interface TableCase extends Case {
  /** Of the chunk with the table. */
  table: string;
  /** Lines of the header, each with words or figures in it. */
  headerLines: readonly string[];
  /** The other lines of the table. */
  rows: readonly string[];
  /** All of these, each somewhere in what is kept, answer the question. */
  wanted: readonly string[];
}

/** @param layout `one chunk`: a Markdown table between the paragraphs, all in one chunk; the others: one chunk each. */
export function loadTatQa(dataDir: string, layout: Layout): (Dataset & { cases: TableCase[] }) | undefined {
  const files = filesOf(dataDir, 'tatqa', /^tatqa.*\.jsonl(\.gz)?$/);
  if (files.length === 0) return undefined;
  const tally = new Tally();
  const cases = files
    .flatMap((file) => readLines(file, line))
    .flatMap((document): TableCase[] => {
      const { table, paragraphs, questions } = document;
      const cells = table.table.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()));
      const headers = headerRows(cells);
      const lines = linesOf(cells, layout);
      const texts = paragraphs.toSorted((a, b) => a.order - b.order).map(({ text }) => text);
      const isOne = layout === 'one chunk';
      const written = lines.join('\n');
      const pieces = isOne
        ? [[...texts.slice(0, 1), written, ...texts.slice(1)].join('\n\n')]
        : [written, ...texts];
      const chunks = pieces.map(
        (text, at): Chunk => ({
          id: `${table.uid}#${at}`,
          text,
          metadata: { source: table.uid, position: at },
        }),
      );
      return questions.flatMap(({ uid, question, answer, derivation, answer_type }): TableCase[] => {
        const wanted = wantedOf(answer, derivation, answer_type);
        const everything = pieces.join('\n');
        if (wanted.length === 0 || !holdsAll(everything, wanted)) {
          tally.add('questions skipped, what answers is not in the texts');
          return [];
        }
        tally.add('questions used');
        const relevant = chunks
          .filter(({ text }) => wanted.some((each) => holdsAll(text, [each])))
          .map(({ id }) => id);
        const headerLines =
          isOne || layout === 'markdown'
            ? lines.filter((_, at) => at < headers + 1 && at !== 1)
            : lines.slice(0, headers);
        return [
          {
            id: uid,
            group: table.uid,
            category: answer_type,
            question,
            chunks,
            relevant,
            answers: wanted,
            facts: [],
            table: `${table.uid}#0`,
            headerLines: headerLines.filter((each) => /[\p{L}\p{N}]/u.test(each)),
            rows: lines.slice(headers + Number(isOne || layout === 'markdown')),
            wanted,
          },
        ];
      });
    });
  return { cases, counts: tally.counts };
}

/**
 * What has to be there: the spans; of a sum or a share the figures that it is derived from; of a count nothing that could
 * be looked for.
 */
function wantedOf(answer: string | number | string[], derivation: string, type: string): string[] {
  if (type === 'arithmetic')
    return derivation.match(/\d[\d,]*(?:\.\d+)?/g)?.filter((figure) => /\d{2}|\./.test(figure)) ?? [];
  return type === 'count' ? [] : [answer].flat().map(String);
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();
const normal = (text: string) => text.replace(/\s+/g, ' ').toLowerCase();

function holdsAll(text: string, wanted: readonly string[]): boolean {
  const own = normal(text);
  return wanted.every((each) => own.includes(normal(each)));
}

/**
 * Rows above the first that has a label and, in another cell, a figure that is not part of a date; without the title of the
 * first section, a row with only a label, if other sections follow.
 */
function headerRows(cells: readonly (readonly string[])[]): number {
  const isValue = (cell: string) =>
    /\d/.test(
      cell.replace(/\b(?:19|20)\d ?\d ?\d\b|\b\d{1,2}\b(?=,| [A-Z])|(?<=[a-z] )\d{1,2}\b|\(\d\)/g, ''),
    );
  const first = cells.findIndex(([label = '', ...values]) => label !== '' && values.some(isValue));
  const isTitle = ([label = '', ...values]: readonly string[]) =>
    label !== '' &&
    !/^\(|\b(?:thousands?|millions?|billions?)\b/i.test(label) &&
    values.every((cell) => cell === '');
  const hasSections = first > 1 && isTitle(cells[first - 1] ?? []) && cells.slice(first, -1).some(isTitle);
  return Math.max(1, hasSections ? first - 1 : first);
}

function linesOf(cells: readonly (readonly string[])[], layout: Layout): string[] {
  if (layout === 'csv')
    return cells.map((row) =>
      row.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
    );
  if (layout === 'tsv') return cells.map((row) => row.join('\t'));
  const lines = cells.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  if (layout === 'pipes') return lines;
  const rule = `|${' --- |'.repeat(cells[0]?.length ?? 1)}`;
  return [...lines.slice(0, 1), rule, ...lines.slice(1)];
}

/** 1 if all rows of the header are in what was kept of the table; nothing if the table was not cut. */
export function headersKept(
  { headerLines, rows }: Pick<TableCase, 'headerLines' | 'rows'>,
  table: string,
): number | undefined {
  // Some methods join rows by spaces.
  const text = ` ${spaced(table)} `;
  const isKept = (line: string) => text.includes(` ${spaced(line)} `);
  const kept = rows.filter(isKept);
  if (kept.length === 0 || kept.length === rows.length) return undefined;
  return Number(headerLines.every(isKept));
}
