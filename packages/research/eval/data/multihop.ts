/**
 * Questions that need several passages at once.
 *
 * Sources: Z. Yang et al., "HotpotQA", 2018 (supporting sentences); H. Trivedi et al., "MuSiQue", 2022
 * (supporting paragraphs, and the answer of every step).
 */
import * as z from 'zod/mini';
import { type Case, type Dataset, Tally } from './case.js';
import { filesOf, readJson } from './files.js';

const hotpot = z.array(
  z.object({
    _id: z.string(),
    type: z.optional(z.string()),
    question: z.string(),
    answer: z.string(),
    context: z.array(z.tuple([z.string(), z.array(z.string())])),
    supporting_facts: z.array(z.tuple([z.string(), z.int()])),
  }),
);

/** Chunks are documents; facts are the supporting sentences. */
export function loadHotpot(dataDir: string): Dataset | undefined {
  return load(dataDir, /hotpot.*\.json(\.gz)?$/i, hotpot, (item) => ({
    id: item._id,
    ...(item.type === undefined ? {} : { category: item.type }),
    question: item.question,
    answers: [item.answer],
    chunks: item.context.map(([title, sentences], at) => ({
      id: `d${at}`,
      text: `${title}\n${sentences.join('')}`,
      metadata: { title, source: title },
    })),
    facts: item.supporting_facts.map(([title, sentence]) => {
      const at = item.context.findIndex((document) => document[0] === title);
      return { chunk: `d${at}`, text: item.context[at]?.[1][sentence] ?? '' };
    }),
  }));
}

/** Chunks are sentences, each in its document and at its place there. */
export function loadHotpotSentences(dataDir: string): Dataset | undefined {
  return load(dataDir, /hotpot.*\.json(\.gz)?$/i, hotpot, (item) => {
    const chunks = item.context.flatMap(([source, sentences]) =>
      sentences.map((text, position) => ({
        id: `${source}#${position}`,
        text: text.trim(),
        metadata: { source, position },
      })),
    );
    return {
      id: item._id,
      question: item.question,
      answers: [item.answer],
      chunks: chunks.filter(({ text }) => text !== ''),
      facts: item.supporting_facts.map(([title, sentence]) => {
        const id = `${title}#${sentence}`;
        return { chunk: id, text: chunks.find((chunk) => chunk.id === id)?.text ?? '' };
      }),
    };
  });
}

const musique = z.array(
  z.object({
    id: z.string(),
    question: z.string(),
    answer: z.string(),
    answer_aliases: z._default(z.array(z.string()), []),
    paragraphs: z.array(
      z.object({
        idx: z.int(),
        title: z.string(),
        paragraph_text: z.string(),
        is_supporting: z.boolean(),
      }),
    ),
    question_decomposition: z._default(
      z.array(z.object({ answer: z.string(), paragraph_support_idx: z.nullish(z.int()) })),
      [],
    ),
  }),
);

/** Chunks are paragraphs; facts are the supporting ones, whole, each with the answer of its step. */
export function loadMusique(dataDir: string): Dataset | undefined {
  return load(dataDir, /musique.*\.json(\.gz)?$/i, musique, (item) => ({
    id: item.id,
    category: item.id.split('hop')[0] === item.id ? 'unknown' : `${item.id.split('hop')[0]} hops`,
    question: item.question,
    answers: [item.answer, ...item.answer_aliases],
    chunks: item.paragraphs.map(({ idx, title, paragraph_text }) => ({
      id: `d${idx}`,
      text: `${title}\n${paragraph_text}`,
      metadata: { title, source: title },
    })),
    facts: item.paragraphs
      .filter(({ is_supporting }) => is_supporting)
      .map(({ idx, paragraph_text }) => {
        const step = item.question_decomposition.find((each) => each.paragraph_support_idx === idx);
        return { chunk: `d${idx}`, text: paragraph_text, ...(step && { answer: step.answer }) };
      }),
  }));
}

function load<S extends z.ZodMiniType<unknown[]>>(
  dataDir: string,
  name: RegExp,
  schema: S,
  caseOf: (item: z.output<S>[number]) => Omit<Case, 'group' | 'relevant'>,
): Dataset | undefined {
  const files = filesOf(dataDir, 'multihop', name);
  if (files.length === 0) return undefined;
  const tally = new Tally();
  const cases: Case[] = [];
  for (const item of files.flatMap((file) => readJson(file, schema) as z.output<S>[number][])) {
    const question = caseOf(item);
    // A fact that names no sentence of the pool, or an empty one, asks for nothing that could be kept.
    const facts = question.facts.filter(({ text }) => text.trim() !== '');
    tally.add('facts', facts.length);
    if (facts.length < question.facts.length)
      tally.add('facts skipped, not in the pool', question.facts.length - facts.length);
    if (facts.length === 0) tally.add('questions skipped, without facts');
    else {
      tally.add('questions used');
      const relevant = [...new Set(facts.map(({ chunk }) => chunk))];
      cases.push({ ...question, facts, relevant, group: question.id });
    }
  }
  return { cases, counts: tally.counts };
}
