/** Reads code into units. */
import { rethrowControlFlow } from '../../../src/internal.js';
import { type CodeGrammar, statementsBy } from './grammar.js';
import { codeLines } from './lines.js';
import type { Family } from './mask.js';
import { type Statement, Statements } from './statements.js';
import { type CodeUnit, codeUnits } from './units.js';

const FAMILIES: readonly (readonly [Family, RegExp])[] = [
  ['script', /\.(?:[cm]?[jt]sx?|vue|svelte)$/i],
  ['python', /\.(?:pyi?|pyw)$/i],
  ['words', /\.(?:rb|lua|sh|bash|zsh|ex|exs|jl|nim)$/i],
  ['braces', /\.(?:c|cc|cpp|cxx|h|hh|hpp|cs|dart|go|java|kts?|m|mm|php|rs|scala|swift|groovy|proto)$/i],
];

/** The family of the language that the name of a file has. */
export const familyOfPath = (path: string): Family | undefined =>
  FAMILIES.find(([, ending]) => ending.test(path))?.[0];

const LONGEST = 6000;

/** Lines that only code of a family has. */
const SIGNS: Record<Family, RegExp> = {
  script:
    /^\s*(?:export\b|import\s.*\bfrom\s+['"]|const\s|let\s|(?:async\s+)?function\b|module\.exports|.*(?:=>|===|!==)|['"]use strict['"])/,
  braces:
    /^\s*(?:#\s*include\b|package\s|using\s|namespace\s|(?:pub\s+)?(?:fn|impl|mod|use|trait|struct)\b|func\b|(?:public|private|protected|static|final|virtual|unsigned|void|int|char|bool|auto|val|var)\s|.*(?:->|::|:=))/,
  python:
    /^\s*(?:def\s+\w+\(|class\s+\w+.*:$|from\s+[\w.]+\s+import\b|import\s+[\w.]+(?:\s+as\s+\w+)?$|(?:if|elif|for|while|with|try|except|else)\b.*:$|self\.|@\w)/,
  words:
    /^\s*(?:end\b|fi$|done$|esac$|then$|do$|def\s+[\w.?!]+(?:\(.*\))?$|local\s|function\s+[\w.:]+\(.*\)$|require\s|module\s+\w+$|class\s+\w+(?:\s*<\s*\w+)?$)/,
};

/** The family with the most signs; of equals the first. */
export function familyOf(lines: readonly string[]): Family {
  const families = Object.keys(SIGNS) as Family[];
  const counts = families.map((family) => lines.filter((line) => SIGNS[family].test(line)).length);
  return families[counts.indexOf(Math.max(...counts))] as Family;
}

export interface CodeReading {
  /** A longer function is taken apart, in characters. */
  readonly longest?: number | undefined;
  readonly grammar?: CodeGrammar | undefined;
  readonly path?: string | undefined;
}

/** Code by the grammar; without one, or if it does not know the language, by brackets and indentation. */
export function readCode(
  lines: readonly string[],
  family: Family,
  { longest = LONGEST, grammar, path }: CodeReading = {},
): CodeUnit[] {
  const code = lines.join('\n');
  const statements =
    parsed(code, lines, grammar, path) ??
    new Statements(codeLines(code, family), family).of(0, lines.length - 1);
  return codeUnits(statements, lines, longest);
}

/** A grammar that fails does not fail the call. */
function parsed(
  code: string,
  lines: readonly string[],
  grammar: CodeGrammar | undefined,
  path: string | undefined,
): Statement[] | undefined {
  try {
    const root = grammar?.parse(code, { path });
    return root === undefined ? undefined : statementsBy(root, lines);
  } catch (error) {
    rethrowControlFlow(error);
    return undefined;
  }
}
