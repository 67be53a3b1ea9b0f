/** Tables of FeTaQA, 20 in one result of a tool: whether all rows that answer are kept with their header. */

import { shapeToolResult } from 'context-shaping-agents';
import { descending } from '../../../devtools/src/measurement/index.js';
import { Bm25 } from '../bm25.js';
import type { Case } from '../data/case.js';
import { loadFetaQa } from '../data/fetaqa.js';
import type { SuiteResult } from '../results.js';
import { questionTerms, termsOf } from '../terms.js';
import { countTokensO200k } from '../tokens.js';
import {
  blindRivals,
  type GivenResult,
  HEAD,
  measureResults,
  RANDOM_LINES,
  type ResultMethod,
} from './result-suite.js';
import { type Suite, spread } from './suite.js';

const TABLES = 20;
const QUESTIONS = 100;
const FACTORS = [2, 4, 10];
const BM25_TABLES = 'BM25 tables';

export interface Tables extends GivenResult {
  question: string;
  /** Undefined: the text. */
  value?: unknown;
  /** The tables as texts of their own, in the order of the result. */
  tables: readonly string[];
  /** All of these are needed. */
  needed: readonly string[];
}

const bm25: ResultMethod<Tables> = {
  name: BM25_TABLES,
  shape({ tables, question }, most) {
    const order = descending(new Bm25(tables.map(termsOf)).scores(questionTerms(question)));
    const chosen = new Set<number>();
    for (const at of order) {
      const more = new Set(chosen).add(at);
      const text = tables.filter((_, place) => more.has(place)).join('\n\n');
      if (countTokensO200k(text) <= most) chosen.add(at);
    }
    return tables.filter((_, at) => chosen.has(at)).join('\n\n');
  },
};

const ours: ResultMethod<Tables> = {
  name: 'ours',
  gates: [RANDOM_LINES, HEAD, BM25_TABLES],
  async shape({ text, value, question }, maxTokens) {
    const options = { maxTokens, query: question, tokenizer: 'o200k_base' } as const;
    if (value === undefined) return shapeToolResult({ ...options, content: text });
    const { content, note } = await shapeToolResult({ ...options, content: value });
    return { content: JSON.stringify(content), note };
  },
};

/** The table that answers among the tables that follow it in the collection, at a place that its number decides. */
function tablesAround({ chunks, relevant }: Case) {
  const own = chunks.findIndex(({ id }) => id === relevant[0]);
  const others = Array.from({ length: TABLES - 1 }, (_, at) => chunks[(own + 7 * (at + 1)) % chunks.length]);
  return others.toSpliced(own % TABLES, 0, chunks[own]).flatMap((chunk) => chunk ?? []);
}

const cellsOf = (row: string) =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

export function asMarkdown(question: Case): Tables {
  const around = tablesAround(question);
  const tables = around.map(({ text, metadata }) => `## ${metadata?.title}\n\n${text}`);
  const header = around.find(({ id }) => id === question.relevant[0])?.text.split('\n')[0] ?? '';
  const needed = [header, ...question.facts.map(({ text }) => text)];
  const { id, group, question: asked } = question;
  return { id, group, text: tables.join('\n\n'), question: asked, tables, needed };
}

export function asJson(question: Case): Tables {
  const around = tablesAround(question);
  const value = around.map(({ text, metadata }) => {
    const [header = '', , ...rows] = text.split('\n');
    return { title: metadata?.title, columns: cellsOf(header), rows: rows.map(cellsOf) };
  });
  const at = around.findIndex(({ id }) => id === question.relevant[0]);
  const needed = [value[at]?.columns, ...question.facts.map(({ text }) => cellsOf(text))].map((cells) =>
    JSON.stringify(cells),
  );
  const tables = value.map((each) => JSON.stringify(each));
  const { id, group, question: asked } = question;
  // A row on each line, for rivals that read lines.
  const lines = value.map(
    ({ title, columns, rows }) =>
      `{"title":${JSON.stringify(title)},"columns":${JSON.stringify(columns)},"rows":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}]}`,
  );
  return { id, group, text: `[${lines.join(',\n')}]`, value, question: asked, tables, needed };
}

export const tables: Suite = {
  name: 'tables',
  async run({ dataDir, limit = QUESTIONS, onProgress }) {
    const loaded = loadFetaQa(dataDir);
    if (loaded === undefined) return undefined;
    const cases = spread(loaded.cases, limit);
    const parts: SuiteResult[] = [];
    for (const [form, read] of [
      ['Markdown', asMarkdown],
      ['JSON', asJson],
    ] as const)
      parts.push(
        await measureResults({
          suite: `tables, ${form}`,
          title: `20 tables as one result, ${form}: all rows that answer`,
          given: cases.map(read),
          methods: [...blindRivals<Tables>(), bm25, ours],
          budgetsOf: ({ text }) =>
            FACTORS.map(
              (factor) => [`${factor}x`, Math.max(1, Math.floor(countTokensO200k(text) / factor))] as const,
            ),
          keptIn: (text, { needed }) => Number(needed.every((each) => text.includes(each))),
          onProgress,
        }),
      );
    const named = (part: SuiteResult) =>
      part.comparisons.map((each) => ({ ...each, metric: `${part.suite}: ${each.metric}` }));
    return {
      suite: 'tables',
      counts: parts[0]?.counts ?? {},
      methods: parts.flatMap(({ methods }) => methods),
      comparisons: parts.flatMap(named),
      tables: parts.flatMap((part) => part.tables),
    };
  },
};
