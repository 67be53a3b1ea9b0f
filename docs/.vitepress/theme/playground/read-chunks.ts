/** Reads what a visitor pastes: text, a JSON array, JSON Lines, the body of a request, or a saved result. */
import type { Chunk } from 'context-shaping';
import { parseJson } from '../../../../adapters/cli/parse-json.js';
import { isObject } from '../../../../src/input/parse-options.js';

export interface Pasted {
  /** Unchecked: the core checks chunks. */
  chunks: Chunk[];
  format: 'text' | 'JSON array' | 'JSON Lines' | 'JSON request' | 'nothing';
  /** The question, if the text has one. */
  query?: string;
}

/** @throws ContextShapingError `invalid-input`, with line and column of the first fault. */
export function readChunks(text: string): Pasted {
  const trimmed = text.trim();
  if (trimmed === '') return { chunks: [], format: 'nothing' };
  if (!/^[[{]/.test(trimmed)) return { chunks: paragraphs(trimmed), format: 'text' };
  if (isJsonLines(trimmed)) return { chunks: jsonLines(text), format: 'JSON Lines' };
  const value = parseJson(text, 'The text');
  if (Array.isArray(value)) return { chunks: value.map(named), format: 'JSON array' };
  const body = value as Record<string, unknown>;
  if (!Array.isArray(body.chunks)) return { chunks: [value as Chunk], format: 'JSON Lines' };
  const query = isObject(body.query) ? body.query.text : (body.query ?? reportQuery(body.report));
  return {
    chunks: body.chunks,
    format: 'JSON request',
    ...(typeof query === 'string' ? { query } : {}),
  };
}

const reportQuery = (report: unknown) => (isObject(report) ? report.query : undefined);

/** Parts between blank lines. */
const paragraphs = (text: string): Chunk[] =>
  text.split(/\n[ \t]*\n\s*/).map((part, at) => ({ id: String(at + 1), text: part }));

/** An array may have plain strings; they get their number as id. */
const named = (value: unknown, at: number): Chunk =>
  typeof value === 'string' ? { id: String(at + 1), text: value } : (value as Chunk);

/** Whether the first line is a whole object, and more lines follow. */
function isJsonLines(text: string): boolean {
  const [first = '', second] = text.split(/\n\s*/, 2);
  if (!first.startsWith('{') || second === undefined) return false;
  try {
    return isObject(JSON.parse(first));
  } catch {
    return false;
  }
}

const jsonLines = (text: string): Chunk[] =>
  text
    .split('\n')
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => parseJson(line, `Line ${number} of the text`) as Chunk);
