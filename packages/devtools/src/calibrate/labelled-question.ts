/** Questions whose relevant passages are known. */

import { invalidInput } from 'context-shaping/kit';
import * as z from 'zod';

export interface LabelledQuestion {
  question: string;
  /** The right answer: needed to calibrate the method `answer`. */
  answer?: string | undefined;
  /**
   * At least one relevant passage and one that is not relevant. Best about ten, as your retriever returns them, with
   * its scores.
   */
  passages: LabelledPassage[];
  /** Passages that are in the context in any case. */
  context?: string[] | undefined;
}

export interface LabelledPassage {
  text: string;
  relevant: boolean;
  score?: number | undefined;
  /** The parts of a relevant passage that answer, word for word: for `calibrateSentences`. */
  evidence?: string[] | undefined;
}

const text = z.string().regex(/\S/, 'must not be blank');
const schema = z.strictObject({
  question: text,
  answer: text.optional(),
  passages: z
    .array(
      z
        .strictObject({
          text,
          relevant: z.boolean(),
          score: z.number().optional(),
          evidence: z.array(text).optional(),
        })
        .refine(({ text, evidence = [] }) => evidence.every((quote) => text.includes(quote)), {
          path: ['evidence'],
          error: 'must be parts of the text, word for word',
        }),
    )
    .refine((passages) => passages.some(({ relevant }) => relevant), 'must have one that is relevant')
    .refine((passages) => passages.some(({ relevant }) => !relevant), 'must have one that is not relevant'),
  context: z.array(text).optional(),
});

/**
 * @param name of the question in messages: `data[3]`, or a file and its line.
 * @throws ContextShapingError `invalid-input`, naming the field.
 */
export function checkQuestion(value: unknown, name: string): LabelledQuestion {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as [z.core.$ZodIssue];
  const path = issue.path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('');
  throw invalidInput(
    `${name}${path}`,
    issue.path.reduce<unknown>((inner, step) => (inner as Record<PropertyKey, unknown>)?.[step], value),
    `is malformed: ${issue.message}`,
    'Write { "question", "answer", "passages": [{ "text", "relevant": true or false }] }.',
  );
}

/**
 * The questions, checked.
 *
 * @throws ContextShapingError `invalid-input`, naming the field of a malformed one, or if two are the same.
 */
export function checkQuestions(data: readonly unknown[]): LabelledQuestion[] {
  const questions = Array.from(data, (question, index) => checkQuestion(question, `data[${index}]`));
  const different = new Set(questions.map(({ question }) => question.trim().toLowerCase())).size;
  if (different === questions.length) return questions;
  const remedy = `Give each question once: ${different} of them are different.`;
  throw invalidInput('data', questions.length, 'has the same question twice', remedy);
}

/** Whether each passage has the score of a retriever. */
export const haveScores = (data: readonly LabelledQuestion[]): boolean =>
  data.every(({ passages }) => passages.every(({ score }) => score !== undefined));

/** The schemas of the options that both calibrations have. */
export const commonOptions = {
  data: z.array(z.unknown()),
  shaping: z.looseObject({}).optional(),
  onProgress: z.optional(z.custom((value) => typeof value === 'function', { error: 'must be a function' })),
  signal: z.optional(z.custom((value) => value instanceof AbortSignal, { error: 'must be an AbortSignal' })),
};
