/** The output of the demo. */
import type { DocumentInterface } from '@langchain/core/documents';
import { formatReport, type KeptEntry, type ShapingReport } from '../../src/index.js';
import type { Corpus } from './demo-corpus.js';
import { printable, type Style, shorten, wrap } from './terminal.js';

/** Maximum lines to show of a passage. */
const LINES = 6;
const BAR = 40;

export interface Demonstration {
  question: string;
  corpus: Corpus;
  /** The kept documents, in the order of `report.kept`. */
  documents: readonly DocumentInterface[];
  report: ShapingReport;
}

export function demoPage(
  { question, corpus, documents, report }: Demonstration,
  width: number,
  style: Style,
): string {
  const columns = Math.max(40, Math.min(width, 120));
  const passages = documents.map((document, at) =>
    passage(document, report.kept[at] as KeptEntry, at + 1, columns, style),
  );
  return [
    `${style('bold', question)}`,
    `Searched ${count(corpus.chunks.length)} chunks of ${count(corpus.files)} Markdown files in node_modules with LangChain’s BM25Retriever.`,
    '',
    beforeAndAfter(report, style),
    '',
    style('bold', 'Context for the model'),
    '',
    passages.join('\n\n'),
    '',
    style('bold', 'Report: every chunk, kept or evicted'),
    '',
    formatReport(report, { width: columns }),
  ].join('\n');
}

function beforeAndAfter({ input, kept, tokens }: ShapingReport, style: Style): string {
  const row = (label: string, chunks: number, amount: number, note: string) => {
    const size = tokens.input === 0 ? 0 : Math.round((amount / tokens.input) * BAR);
    const bar = '█'.repeat(size) + '░'.repeat(BAR - size);
    return `${label.padEnd(9)} ${count(chunks).padStart(4)} chunks  ${count(amount).padStart(7)} tokens  ${style('cyan', bar)}  ${note}`.trimEnd();
  };
  const budget = tokens.budget === null ? '' : `of ${count(tokens.budget)} allowed`;
  return [
    row('retrieved', input.length, tokens.input, ''),
    row('kept', kept.length, tokens.output, budget),
  ].join('\n');
}

/** A kept passage: its source, other sources with the same text, and its first lines. */
function passage(
  document: DocumentInterface,
  entry: KeptEntry,
  number: number,
  columns: number,
  style: Style,
): string {
  const [own, ...others] = entry.sources;
  const from = own?.position === undefined ? (own?.source ?? entry.id) : `${own.source}:${own.position}`;
  const head = `${number}. ${style('green', from)}${own?.title === undefined ? '' : ` · ${own.title}`}`;
  const also = others.map(
    (source) => `${source.source ?? source.id}${source.position === undefined ? '' : `:${source.position}`}`,
  );
  const lines = printable(document.pageContent)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const wrapped = lines.flatMap((line) => wrap(line.replaceAll('\t', '  '), columns - 5));
  const rest = wrapped.length - LINES;
  return [
    shorten(head, columns + head.length - plainLength(head)),
    ...also.map((source) => style('dim', shorten(`   same text in ${source}`, columns))),
    ...wrapped.slice(0, LINES).map((line) => `   │ ${line}`),
    ...(rest > 0 ? [style('dim', `   │ … ${rest} more ${rest === 1 ? 'line' : 'lines'}`)] : []),
  ].join('\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of styles have no width
const plainLength = (text: string) => text.replace(/\u001b\[\d+m/g, '').length;

const count = (value: number) => value.toLocaleString('en-US');
