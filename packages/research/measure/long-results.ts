/**
 * Long results of tools with questions, for the scripts that shape them.
 *
 * A result has some 170,000 tokens of o200k_base. Tables of TAT-QA are one result, written in four ways. Copies fill it up:
 * the same tables with the years of earlier decades and other figures. Questions are those that name enough to be found:
 * every word of the label of each answering row is in the question, and the row has a label. A question counts if each
 * answering row is kept. The first half of the documents chose the settings.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { digestOf } from 'context-shaping/kit';
import * as z from 'zod/mini';
import { filesOf, readLines } from '../eval/data/files.js';
import { findNodeModules } from '../eval/readmes/documentation.js';
import { QUESTIONS } from '../eval/readmes/questions.js';
import { RESULT_QUESTIONS } from '../eval/readmes/result-questions.js';
import { termsOf } from '../eval/terms.js';
import { countTokensO200k } from '../eval/tokens.js';

const RESULT_TOKENS = 170_000;

/** A result of a tool. */
export interface LongResult {
  text: string;
  /** Absent for a text. */
  json?: { value: unknown; schema: object };
}

/** Shapes a result for a question. */
export type ShapeResult = (result: LongResult, question: string) => Promise<string>;

const line = z.object({
  table: z.object({ uid: z.string(), table: z.array(z.array(z.string())) }),
  paragraphs: z.array(z.object({ order: z.number(), text: z.string() })),
  questions: z.array(
    z.object({
      question: z.string(),
      answer: z.union([z.string(), z.number(), z.array(z.string())]),
      derivation: z.string(),
      answer_type: z.string(),
      answer_from: z.string(),
    }),
  ),
});

interface Report {
  id: string;
  header: string[][];
  rows: { section: string; cells: string[] }[];
  paragraphs: string[];
}
interface Asked {
  question: string;
  /** The rows that answer: of each group, one. */
  wanted: { report: Report; rows: number[] }[] | { texts: readonly string[]; packages: readonly string[] };
}

const figureOf = (text: string) => text.replace(/[\s$€£%(),]/g, '');
const isValue = (cell: string) => /\d/.test(cell.replace(/\b(?:19|20)\d\d\b|\b\d{1,2},/g, ''));

function reportOf({ table, paragraphs }: z.infer<typeof line>): Report {
  const cells = table.table.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()));
  const first = Math.max(
    1,
    cells.findIndex(([label = '', ...values]) => label !== '' && values.some(isValue)),
  );
  let section = '';
  const rows = cells.slice(first).map((row) => {
    const isSection = row.length > 1 && row[0] !== '' && row.slice(1).every((cell) => cell === '');
    const own = { section, cells: row };
    if (isSection) section = row[0] as string;
    return own;
  });
  const texts = paragraphs.toSorted((a, b) => a.order - b.order).map(({ text }) => text);
  return { id: table.uid.slice(0, 8), header: cells.slice(0, first), rows, paragraphs: texts };
}

/** The questions whose answering rows are named. */
function askedOf(report: Report, { questions }: z.infer<typeof line>): Asked[] {
  return questions.flatMap(({ question, answer, derivation, answer_type, answer_from }): Asked[] => {
    if (!answer_from.startsWith('table') || answer_type === 'count') return [];
    const figures =
      answer_type === 'arithmetic'
        ? (derivation.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).filter((figure) => /\d{2}|\./.test(figure))
        : [answer].flat().map(String);
    const words = new Set(termsOf(question));
    const wanted = figures.map((figure) => ({
      report,
      rows: report.rows.flatMap(({ cells: [label = '', ...values] }, at) => {
        const named = termsOf(label);
        const isNamed = named.length > 0 && named.every((word) => words.has(word));
        return isNamed && values.some((cell) => figureOf(cell) === figureOf(figure)) ? [at] : [];
      }),
    }));
    return figures.length > 0 && wanted.every(({ rows }) => rows.length > 0) ? [{ question, wanted }] : [];
  });
}

/** The report of an earlier decade, with other figures. */
function copyOf({ id, header, rows, paragraphs }: Report, decades: number): Report {
  const earlier = (text: string) =>
    text
      .replace(/(?<![\d.,])(20[0-4]\d|19\d\d)(?![\d.,]\d)/g, (year) => String(Number(year) - 10 * decades))
      .replace(/\d[\d,]*\.?\d*/g, (figure) =>
        /^(?:19|20)\d\d$/.test(figure)
          ? figure
          : figure.replace(/\d/g, (digit, at: number) => String((Number(digit) + decades * 3 + at) % 10)),
      );
  return {
    id: `${id}-${decades}`,
    header: header.map((row) => row.map((cell) => earlier(cell))),
    rows: rows.map(({ section, cells }) => ({
      section,
      cells: cells.map((cell, at) => (at === 0 ? cell : earlier(cell))),
    })),
    paragraphs: paragraphs.map(earlier),
  };
}

/** A way to write reports, and how to find a row in the shaped text. */
interface Layout {
  name: string;
  schema?: object;
  write(reports: readonly Report[]): unknown;
  holds(text: string, report: Report, row: number): boolean;
}

const columnsOf = ({ header }: Report): string[] => {
  const width = Math.max(...header.map((row) => row.length));
  const names = Array.from({ length: width }, (_, at) =>
    header
      .map((row) => row[at] ?? '')
      .filter((cell) => cell !== '')
      .join(' '),
  );
  return names.map((name, at) =>
    name === '' || names.indexOf(name) < at ? `${name} ${at + 1}`.trim() : name,
  );
};
const recordOf = (report: Report, at: number) => {
  const { section, cells } = report.rows[at] as Report['rows'][number];
  const [, ...columns] = columnsOf(report);
  return {
    report: report.id,
    section,
    item: cells[0] ?? '',
    values: Object.fromEntries(columns.map((column, place) => [column, cells[place + 1] ?? ''])),
  };
};
const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const csvRow = (report: Report, at: number) => {
  const { section, cells } = report.rows[at] as Report['rows'][number];
  const unit = columnsOf(report).slice(1).join(' / ');
  return [report.id, unit, section, ...Array.from({ length: 7 }, (_, column) => cells[column] ?? '')]
    .map(quoted)
    .join(',');
};
const pipes = (cells: readonly string[], width: number) =>
  `| ${Array.from({ length: width }, (_, at) => (cells[at] ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
const widthOf = ({ header, rows }: Report) =>
  Math.max(...header.map((row) => row.length), ...rows.map(({ cells }) => cells.length));

const TEXT = { type: 'string' };
const LAYOUTS: readonly Layout[] = [
  {
    name: 'JSON, an array of rows',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        required: ['report', 'section', 'item', 'values'],
        additionalProperties: false,
        properties: {
          report: TEXT,
          section: TEXT,
          item: TEXT,
          values: { type: 'object', additionalProperties: TEXT },
        },
      },
    },
    write: (reports) => reports.flatMap((report) => report.rows.map((_, at) => recordOf(report, at))),
    holds: (text, report, row) => text.includes(JSON.stringify(recordOf(report, row))),
  },
  {
    name: 'JSON, reports with tables and paragraphs',
    schema: {
      type: 'object',
      required: ['total', 'results'],
      additionalProperties: false,
      properties: {
        total: { type: 'integer' },
        results: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['id', 'paragraphs', 'table'],
            properties: {
              id: TEXT,
              paragraphs: { type: 'array', items: TEXT },
              table: {
                type: 'object',
                required: ['columns', 'rows'],
                properties: {
                  columns: { type: 'array', items: TEXT, minItems: 1 },
                  rows: { type: 'array', items: { type: 'array', items: TEXT } },
                },
              },
            },
          },
        },
      },
    },
    write: (reports) => ({
      total: reports.length,
      results: reports.map((report) => ({
        id: report.id,
        paragraphs: report.paragraphs,
        table: { columns: columnsOf(report), rows: report.rows.map(({ cells }) => cells) },
      })),
    }),
    holds(text, report, row) {
      const { results } = JSON.parse(text) as { results: { id: string; table: { rows: string[][] } }[] };
      const own = results.find(({ id }) => id === report.id);
      const cells = JSON.stringify(report.rows[row]?.cells);
      return own?.table.rows.some((each) => JSON.stringify(each) === cells) === true;
    },
  },
  {
    name: 'Markdown tables with paragraphs',
    write: (reports) =>
      reports
        .map((report) => {
          const width = widthOf(report);
          const [first = [], ...header] = report.header;
          return [
            `## Report ${report.id}`,
            ...report.paragraphs,
            [
              pipes(first, width),
              `|${' --- |'.repeat(width)}`,
              ...header.map((row) => pipes(row, width)),
              ...report.rows.map(({ cells }) => pipes(cells, width)),
            ].join('\n'),
          ].join('\n\n');
        })
        .join('\n\n'),
    holds(text, report, row) {
      const section = text.split(/^## Report /m).find((each) => each.startsWith(`${report.id}\n`));
      if (section === undefined) return false;
      const width = widthOf(report);
      const rows = [...report.header, report.rows[row]?.cells ?? []];
      return rows.every((cells) => section.includes(pipes(cells, width)));
    },
  },
  {
    name: 'CSV',
    write: (reports) =>
      [
        'report,columns,section,item,a,b,c,d,e,f',
        ...reports.flatMap((report) => report.rows.map((_, at) => csvRow(report, at))),
      ].join('\n'),
    holds: (text, report, row) => text.split('\n').includes(csvRow(report, row)),
  },
];

interface Figures {
  asked: number;
  kept: number;
  valid: number;
  most: number;
  milliseconds: number;
}

async function measure(
  result: LongResult,
  questions: readonly Asked[],
  shape: ShapeResult,
  check: (text: string, wanted: Asked['wanted']) => { kept: boolean; valid: boolean },
): Promise<Figures> {
  const figures = { asked: 0, kept: 0, valid: 0, most: 0, milliseconds: 0 };
  for (const { question, wanted } of questions) {
    const start = performance.now();
    const text = await shape(result, question);
    figures.milliseconds += performance.now() - start;
    const { kept, valid } = check(text, wanted);
    if (!kept && process.env.SHOW) console.log('  missed:', question);
    figures.asked++;
    figures.kept += Number(kept);
    figures.valid += Number(valid);
    figures.most = Math.max(figures.most, countTokensO200k(text));
  }
  return figures;
}

const told = ({ asked, kept, valid, most, milliseconds }: Figures) =>
  [`${kept} of ${asked}`, `${valid} of ${asked}`, most, Math.round(milliseconds / Math.max(1, asked))].join(
    ' | ',
  );

/** @param perHalf number of questions of each half of the documents. */
export async function measureTables(dir: string, shape: ShapeResult, perHalf: number): Promise<void> {
  const documents = filesOf(dir, 'tatqa', /^tatqa.*\.jsonl(\.gz)?$/).flatMap((file) => readLines(file, line));
  const reports = documents.map(reportOf);
  const asked = documents.map((document, at) => askedOf(reports[at] as Report, document));
  const half = Math.ceil(documents.length / 2);
  console.log(
    `TAT-QA: ${documents.length} reports, ${asked.flat().length} of ${documents.flatMap(({ questions }) => questions).length} questions name their rows`,
  );
  console.log(
    '| result | half | tokens | rows kept | valid | most tokens | ms |\n|---|---|---|---|---|---|---|',
  );
  for (const layout of LAYOUTS) {
    let filled: Report[] = reports;
    let written: unknown = layout.write(filled);
    const sizeOf = (value: unknown) =>
      countTokensO200k(typeof value === 'string' ? value : JSON.stringify(value));
    for (let decades = 1; sizeOf(written) < RESULT_TOKENS; decades++)
      for (const report of reports) {
        if (filled.length % 8 === 0 && sizeOf(written) >= RESULT_TOKENS) break;
        filled = [...filled, copyOf(report, decades)];
        if (filled.length % 8 === 0) written = layout.write(filled);
      }
    const { schema } = layout;
    const result: LongResult =
      typeof written === 'string'
        ? { text: written }
        : { text: JSON.stringify(written), json: { value: written, schema: schema as object } };
    const validate = schema === undefined ? undefined : new Ajv2020({ strict: false }).compile(schema);
    for (const [name, from, to] of [
      ['settings', 0, half],
      ['test', half, documents.length],
    ] as const) {
      const questions = spread(asked.slice(from, to), perHalf);
      const figures = await measure(result, questions, shape, (text, wanted) => ({
        kept: (wanted as { report: Report; rows: number[] }[]).every(({ report, rows }) =>
          rows.some((row) => layout.holds(text, report, row)),
        ),
        valid: validate === undefined || validate(JSON.parse(text)),
      }));
      console.log(`| ${layout.name} | ${name} | ${sizeOf(written)} | ${told(figures)} |`);
    }
  }
}

/** The first question of each report, then the second, and so on. */
function spread(asked: readonly (readonly Asked[])[], most: number): Asked[] {
  const rounds = Math.max(...asked.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => asked.flatMap((own) => own[round] ?? []))
    .flat()
    .slice(0, most);
}

/** The READMEs of the installed packages, by name. */
function readReadmes(): Map<string, string> {
  const root = findNodeModules(fileURLToPath(new URL('.', import.meta.url)));
  const names = readdirSync(root).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(root, name)).map((own) => `${name}/${own}`) : [name],
  );
  const files = names.sort().map((name) => [name, join(root, name, 'README.md')] as const);
  return new Map(
    files.filter(([, file]) => existsSync(file)).map(([name, file]) => [name, readFileSync(file, 'utf8')]),
  );
}

const SEARCH_SCHEMA = {
  type: 'object',
  required: ['query', 'results'],
  additionalProperties: false,
  properties: {
    query: TEXT,
    results: {
      type: 'array',
      items: {
        type: 'object',
        required: ['package', 'path', 'content'],
        properties: { package: TEXT, path: TEXT, content: TEXT },
      },
    },
  },
};

/** One result for each question: the README that answers it among others, up to the size of a result. */
export async function measureReadmes(shape: ShapeResult, most = Number.POSITIVE_INFINITY): Promise<void> {
  const readmes = readReadmes();
  const spaced = (text: string) => text.replace(/\s+/g, ' ');
  const holds = (text: string, answers: readonly string[]) =>
    answers.some((answer) => spaced(text).includes(spaced(answer)));
  const all = [...QUESTIONS, ...RESULT_QUESTIONS].filter(({ packages: [name = ''], answers }) =>
    holds(readmes.get(name) ?? '', answers),
  );
  console.log(
    `READMEs: ${readmes.size}, ${all.length} of ${QUESTIONS.length + RESULT_QUESTIONS.length} questions have their answer in them`,
  );
  const forms = ['JSON, search results', 'Markdown, one file after the other'] as const;
  for (const form of forms)
    for (const [half, parity] of [
      ['settings', 0],
      ['test', 1],
    ] as const) {
      const sum = { asked: 0, kept: 0, valid: 0, most: 0, milliseconds: 0 };
      let size = 0;
      for (const { question, packages, answers } of all.filter((_, at) => at % 2 === parity).slice(0, most)) {
        const [name = ''] = packages;
        const others = [...readmes.keys()].filter((each) => each !== name);
        const ranked = others
          .map((each) => ({ each, order: digestOf(`${each} ${question}`) }))
          .sort((a, b) => (a.order < b.order ? -1 : 1));
        const chosen = [name];
        let tokens = countTokensO200k(readmes.get(name) as string);
        for (const { each } of ranked) {
          if (tokens >= RESULT_TOKENS) break;
          chosen.push(each);
          tokens += countTokensO200k(readmes.get(each) as string);
        }
        // The answer is in the middle.
        chosen.push(...chosen.splice(0, Math.ceil(chosen.length / 2)));
        const results = chosen.map((each) => ({
          package: each,
          path: `${each}/README.md`,
          content: readmes.get(each) as string,
        }));
        const isJson = form === forms[0];
        const value = { query: question, results };
        const figures = await measure(
          isJson
            ? { text: JSON.stringify(value), json: { value, schema: SEARCH_SCHEMA } }
            : { text: results.map(({ path, content }) => `<!-- ${path} -->\n\n${content}`).join('\n\n') },
          [{ question, wanted: { texts: answers, packages } }],
          shape,
          (text) => {
            if (!isJson) return { kept: holds(text, answers), valid: true };
            const left = JSON.parse(text) as { results: typeof results };
            const own = left.results.find((result) => result.package === name);
            return { kept: holds(own?.content ?? '', answers), valid: validateSearch(left) };
          },
        );
        for (const key of ['asked', 'kept', 'valid', 'milliseconds'] as const) sum[key] += figures[key];
        sum.most = Math.max(sum.most, figures.most);
        size += tokens;
      }
      console.log(`| ${form} | ${half} | ${Math.round(size / sum.asked)} | ${told(sum)} |`);
    }
}
const validateSearch = new Ajv2020({ strict: false }).compile(SEARCH_SCHEMA);
