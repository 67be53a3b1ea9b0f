/** Reads labelled questions, one per line. */

import { parseJsonFile as parseJson, readText } from 'context-shaping/cli';
import type { LabelledQuestion } from '../calibrate/index.js';

const REMEDY = 'Write one question per line, as context-shaping-devtools calibrate --help shows.';

export interface LabelledFile {
  questions: LabelledQuestion[];
  /** The first line whose question has no answer, from 1; `undefined` if all have one. */
  unanswered: number | undefined;
}

/**
 * Skips blank lines; line numbers count them.
 *
 * @throws UsageError, if the file cannot be read; ContextShapingError `invalid-input`, with line and field.
 */
export async function readLabelled(file: string, signal: AbortSignal): Promise<LabelledFile> {
  const { checkQuestion } = await import('../calibrate/index.js');
  const text = await readText(file, 'Name a file with one question per line.', signal);
  const lines = text
    .split(/\r?\n/)
    .map((line, place) => ({ line, number: place + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      const value = parseJson(line, file, { line: number, remedy: REMEDY });
      return { number, question: checkQuestion(value, `${file}, line ${number}, $`) };
    });
  return {
    questions: lines.map(({ question }) => question),
    unanswered: lines.find(({ question }) => question.answer === undefined)?.number,
  };
}
