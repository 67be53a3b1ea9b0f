/** Reads labelled questions, one per line. */
import { ContextShapingError } from '../../src/index.js';
import type { LabelledQuestion } from '../logprobs/index.js';
import { readText } from './files.js';
import { findFault } from './parse-json.js';

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
  const { checkQuestion } = await import('../logprobs/index.js');
  const text = await readText(file, 'Name a file with one question per line.', signal);
  const lines = text
    .split(/\r?\n/)
    .map((line, place) => ({ line, number: place + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      const name = `${file}, line ${number}`;
      return { number, question: checkQuestion(parseLine(line, name), `${name}, $`) };
    });
  return {
    questions: lines.map(({ question }) => question),
    unanswered: lines.find(({ question }) => question.answer === undefined)?.number,
  };
}

function parseLine(line: string, name: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    const fault = findFault(line);
    if (fault === undefined) throw cause;
    throw new ContextShapingError('invalid-input', {
      field: `${name}, column ${fault.at + 1},`,
      value: line.slice(fault.at) || 'the end of the line',
      is: `is not JSON: expected ${fault.expected}`,
      remedy: 'Write one question per line, as context-shaping calibrate --help shows.',
      cause,
    });
  }
}
