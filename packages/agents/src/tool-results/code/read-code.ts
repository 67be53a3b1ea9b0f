/** Reads code into units. */
import { codeLines } from './lines.js';
import type { Family } from './mask.js';
import { Statements } from './statements.js';
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
    /^\s*(?:export\b|import\s.*\bfrom\s+['"]|const\s|let\s|(?:async\s+)?function\b|module\.exports|['"]use strict['"])|=>|===|!==/,
  braces:
    /^\s*(?:#\s*include\b|package\s|using\s|namespace\s|(?:pub\s+)?(?:fn|impl|mod|use|trait|struct)\b|func\b|(?:public|private|protected|static|final|virtual|unsigned|void|int|char|bool|auto|val|var)\s)|->|::|:=/,
  python:
    /^\s*(?:def\s+\w+\(|class\s+\w.*:$|from\s+[\w.]+\s+import\b|import\s+[\w.]+(?:\s+as\s+\w+)?$|(?:if|elif|for|while|with|try|except|else)\b.*:$|self\.|@\w)/,
  words:
    /^\s*(?:end\b|fi$|done$|esac$|then$|do$|def\s+[\w.?!]+(?:\(.*\))?$|local\s|function\s+[\w.:]+\(.*\)$|require\s|module\s+\w+$|class\s+\w+(?:\s*<\s*\w+)?$)/,
};

/** The family with the most signs; of equals the first. */
export function familyOf(lines: readonly string[]): Family {
  const families = Object.keys(SIGNS) as Family[];
  const counts = families.map((family) => lines.filter((line) => SIGNS[family].test(line)).length);
  return families[counts.indexOf(Math.max(...counts))] as Family;
}

/**
 * Code by its brackets and its indentation.
 *
 * @param longest a longer function is taken apart, in characters.
 */
export function readCode(lines: readonly string[], family: Family, longest = LONGEST): CodeUnit[] {
  const statements = new Statements(codeLines(lines.join('\n'), family), family).of(0, lines.length - 1);
  return codeUnits(statements, lines, longest);
}
