/**
 * FeTaQA: questions on tables of Wikipedia, with the cells that answer them. All tables are one collection.
 *
 * Source: L. Nan et al., "FeTaQA: Free-form Table Question Answering", 2022.
 */
import type { Chunk } from 'context-shaping';
import * as z from 'zod/mini';
import { type Case, type Dataset, Tally } from './case.js';
import { filesOf, readLines } from './files.js';

const line = z.object({
  feta_id: z.number(),
  table_page_title: z.string(),
  table_section_title: z.string(),
  table_array: z.array(z.array(z.string())).check(z.minLength(2)),
  highlighted_cell_ids: z.array(z.tuple([z.int(), z.int()])),
  question: z.string(),
});

/** A chunk is a Markdown table; its title is that of the page and the section. The facts are rows, but for the header. */
export function loadFetaQa(dataDir: string): Dataset | undefined {
  const files = filesOf(dataDir, 'fetaqa', /^fetaqa.*\.jsonl(\.gz)?$/);
  if (files.length === 0) return undefined;
  const items = files.flatMap((file) => readLines(file, line));
  const tables = new Map<string, Chunk>();
  const tally = new Tally();
  const asked = items.map((item) => {
    const rows = item.table_array.map(
      (row) =>
        `| ${row.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()).join(' | ')} |`,
    );
    const rule = `|${' --- |'.repeat(item.table_array[0]?.length ?? 1)}`;
    const text = [rows[0], rule, ...rows.slice(1)].join('\n');
    const source = item.table_page_title;
    const chunk = tables.get(text) ?? {
      id: `t${tables.size}`,
      text,
      metadata: { title: `${source}: ${item.table_section_title}`, source },
    };
    tables.set(text, chunk);
    return { item, rows, chunk };
  });
  const chunks = [...tables.values()];
  const cases = asked.flatMap(({ item, rows, chunk: { id: chunk } }): Case[] => {
    const answering = new Set(item.highlighted_cell_ids.map(([row]) => row).filter((row) => row > 0));
    const texts = new Set([...answering].flatMap((row) => rows[row] ?? []));
    if (texts.size === 0) {
      tally.add('questions skipped, without a row that answers');
      return [];
    }
    tally.add('questions used');
    const id = `fetaqa-${item.feta_id}`;
    const facts = Array.from(texts, (text) => ({ chunk, text }));
    return [{ id, group: chunk, question: item.question, chunks, relevant: [chunk], answers: [], facts }];
  });
  return { cases, counts: tally.counts };
}
