/**
 * Paragraphs of Wikipedia and questions with their answers, translated by people into several languages. All
 * paragraphs of a language are one collection.
 *
 * Source: M. Artetxe et al., "On the Cross-lingual Transferability of Monolingual Representations" (XQuAD), 2020.
 */
import * as z from 'zod/mini';
import { type Case, type Dataset, Tally } from './case.js';
import { filesOf, readLines } from './files.js';

const FILE = /xquad-([a-z]+)\.jsonl(\.gz)?$/;

const line = z.object({
  title: z.string(),
  context: z.string(),
  qas: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      answers: z.array(z.object({ answer_start: z.int(), text: z.string() })),
    }),
  ),
});

/** The languages that are there, in order of their codes. */
export function xquadLanguages(dataDir: string): string[] {
  const codes = filesOf(dataDir, 'xquad', FILE).map((file) => FILE.exec(file)?.[1] as string);
  return [...new Set(codes)].toSorted();
}

/**
 * A fact is an answer in its paragraph. Questions are grouped by their paragraph, under one name in all languages.
 *
 * @param language code of a language, as in the name of its file.
 */
export function loadXquad(dataDir: string, language: string): Dataset | undefined {
  const files = filesOf(dataDir, 'xquad', FILE).filter((file) => FILE.exec(file)?.[1] === language);
  if (files.length === 0) return undefined;
  const paragraphs = files.flatMap((file) => readLines(file, line));
  const chunks = paragraphs.map(({ title, context: text }, at) => ({
    id: `p${at}`,
    text,
    metadata: { title, source: title },
  }));
  const tally = new Tally();
  const cases = paragraphs.flatMap(({ context, qas }, at) =>
    qas.flatMap(({ id, question, answers }): Case[] => {
      // An answer that is not where it is said to be cannot be looked for.
      const found = answers.filter(({ answer_start, text }) => context.startsWith(text, answer_start));
      if (found.length === 0) {
        tally.add('questions skipped, answer not in its paragraph');
        return [];
      }
      tally.add('questions used');
      const texts = [...new Set(found.map(({ text }) => text))];
      return [
        {
          id,
          group: qas[0]?.id ?? id,
          question,
          chunks,
          relevant: [`p${at}`],
          answers: texts,
          facts: texts.map((text) => ({ chunk: `p${at}`, text })),
        },
      ];
    }),
  );
  return { cases, counts: tally.counts };
}
