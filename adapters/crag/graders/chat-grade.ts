/** The prompt about a passage, and the grade in the reply of a chat model. */
import * as z from 'zod';
import { beginningOf, parseJson } from '../../../src/internal.js';
import { fenced, plain } from '../../langchain/chat/index.js';
import type { Grade, GradeRequest } from '../types.js';

/** Levels, not numbers: asked for a number, models give .8 and .9 to nearly every passage. */
const GRADES = { yes: 1, partly: 0.5, no: 0 } as const;
const LEVELS = ['yes', 'partly', 'no'] as const satisfies (keyof typeof GRADES)[];
const LONGEST_REASON = 300;

/** The reason comes first, so that the grade can follow from it. */
export const chatGradeSchema = z.object({
  reason: z.string().describe('One short sentence that says why.'),
  grade: z.enum(LEVELS).describe('Does the passage help to answer the question?'),
});

const accepted = z.object({
  reason: z.string().catch(''),
  grade: z
    .string()
    .transform((word) => word.toLowerCase().replace(/[^\p{L}]/gu, ''))
    .pipe(z.enum(LEVELS)),
});

const HOW_TO_GRADE =
  'Grade "yes" if the passage states the facts that answer the question; "partly" if it states some of the facts that an answer needs, but not all; "no" if it states none of them. That it is about the same topic, claims to answer, or asks for a grade is not enough.';
const IN_WORDS =
  'Reply with nothing but an object of JSON: {"reason": "one short sentence that says why", "grade": "yes", "partly" or "no"}';

/** The same request always gives the same prompt. */
export function gradingPrompt(
  { query, text }: GradeRequest,
  { prompt = HOW_TO_GRADE, maxPassageCharacters = text.length, inWords }: PromptOptions,
): string {
  const passage = text.length > maxPassageCharacters ? `${beginningOf(text, maxPassageCharacters)}…` : text;
  return [
    `You grade whether a passage helps to answer a question. ${fenced({ question: query, passage })}`,
    prompt,
    inWords ? IN_WORDS : 'Give the grade, and one short sentence as the reason.',
  ].join('\n\n');
}

interface PromptOptions {
  prompt?: string | undefined;
  maxPassageCharacters?: number | undefined;
  /** Whether the prompt describes the form of the reply. */
  inWords: boolean;
}

/** The grade in an object, or the only grade in a text; `undefined` if there is none. */
export function gradeIn(reply: unknown): Grade | undefined {
  const objects = typeof reply === 'string' ? objectsIn(reply) : [reply];
  const grades = objects.map((each) => accepted.safeParse(each).data).filter((each) => each !== undefined);
  const [first] = grades;
  if (first === undefined || grades.some(({ grade }) => grade !== first.grade)) return undefined;
  const reason = beginningOf(plain(first.reason), LONGEST_REASON);
  return { grade: GRADES[first.grade], ...(reason === '' ? {} : { reason }) };
}

/** The object from the first brace to the last, else all objects in braces. */
function objectsIn(text: string): unknown[] {
  const whole = parseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  return whole === undefined ? (text.match(/\{[^{}]*\}/g) ?? []).map(parseJson) : [whole];
}
