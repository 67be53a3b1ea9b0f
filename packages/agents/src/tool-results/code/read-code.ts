/** Reads code into units. */
import { Statements } from './statements.js';
import { type CodeUnit, codeUnits } from './units.js';

const CODE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|pyw|rb|lua|sh|bash|zsh|ex|exs|jl|nim|c|cc|cpp|cxx|h|hh|hpp|cs|dart|go|java|kts?|m|mm|php|rs|scala|swift|groovy|proto)$/i;

/** Whether the name of a file is that of source code. */
export const isCodePath = (path: string): boolean => CODE.test(path);

const LONGEST = 6000;

/** @param longest a longer function is taken apart, in characters. */
export const readCode = (lines: readonly string[], longest = LONGEST): CodeUnit[] =>
  codeUnits(new Statements(lines).of(0, lines.length - 1), lines, longest);

/** The number that a tool writes before a line. */
const NUMBER = /^ *\d+(?:[→\t]|: ?| \| ?)/;
const NUMBERED = 0.95;

/** The lines of a file without the numbers that a tool wrote before them. */
export function withoutNumbers(lines: readonly string[]): readonly string[] {
  const filled = lines.filter((line) => line.trim() !== '');
  const numbered = filled.filter((line) => NUMBER.test(line));
  if (numbered.length < filled.length * NUMBERED || filled.length === 0) return lines;
  return lines.map((line) => line.replace(NUMBER, ''));
}
