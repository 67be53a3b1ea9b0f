/** Words that programs of all kinds use if something goes wrong, or goes well. */

/** A step ended badly: what a program says last. */
const VERDICT =
  /\b(?:exit(?:ed|ing|s)?|return(?:ed)?|finished|completed|failed)\b.{0,24}\b(?:code|status|value)\b\D{0,4}[1-9]|\bexit(?: code| status)?:? [1-9]\d*$|^\W*(?:##\[error\]|::error|npm ERR!|fatal:|\[FATAL\])|\*\*\* .{0,200}\bError \d|\b(?:BUILD|TESTS?|COMPILATION) FAIL|\bcore dumped\b|\bsegmentation fault\b|\bout of memory\b|\bSIG(?:KILL|SEGV|ABRT|TERM)\b|\bkilled\b/i;

/** The number of failures: `3 failed`, `errors: 2`. */
const COUNT =
  /(?<![\d.])[1-9](?:\S{0,40} ){1,3}(?:failed|failures?|failing|errors?|problems?)\b|\b(?:failed|failures?|errors?)\s?[:=] ?[1-9]/i;

const FAILED_TEST =
  /^[^\w[]*(?:\[[^\]]*\][^\w[]*)*(?:\[[^\w\]]*)?(?:FAIL(?:ED|URE)?|not ok|--- FAIL)(?=[\s:!]|$)|^\s*(?:\d+\) |[✕✗✘×❌●✖])|(?:\.\.\.|\s)FAILED\b/;

const PASSED_TEST =
  /^[^\w[]*(?:\[[^\]]*\][^\w[]*)*(?:\[[^\w\]]*)?(?:PASS(?:ED)?|ok|SKIP(?:PED)?|XFAIL|XPASS|=== (?:RUN|PAUSE|CONT)|--- (?:PASS|SKIP))(?=[\s:]|$)|^\s*[✓✔√]|(?:\.\.\. ?|\s)(?:ok|PASSED|SKIPPED|ignored)(?= \[?\s?\d|\s*$)/;

/** An error that names itself. */
const ERROR =
  /(?:^|[\s:[(>|])(?:error|fatal|panic(?:ked)?|exception|traceback|assert(?:ion)?(?: failed)?|E)(?=[\s:[\]!(]|$)|[a-z](?:Error|Exception|Failure)\b|\b(?:ERROR|FATAL|CRITICAL|SEVERE)\b/i;

const TROUBLE =
  /\b(?:fail(?:ed|ure|ures|s|ing)?|errors?|exceptions?|denied|refused|forbidden|unauthorized|invalid|timed? ?out|cannot|can't|could(?: not|n't)|unable|not (?:found|exist|allowed|permitted|supported|defined)|no such|missing|mismatch(?:ed)?|unexpected|undefined|unresolved|abort(?:ed|ing)?|crash(?:ed)?|expected|received|conflict)\b/i;

const WARNING = /\bwarn(?:ing)?s?\b|\bdeprecated\b/i;

/** It says that there was none. */
const NONE =
  /\b(?:0|no|without) (?:\w+ )?(?:errors?|failures?|failed|failing|warnings?|problems?)\b|\b(?:errors?|failures?|failed)\s?[:=] ?0\b/gi;

/** A command that runs, or a section that begins. */
const SECTION =
  /^(?:##\[group\]|::group::|##\[section\]|\[command\]|\$ |\+ |> |=+ .* =+$|-{3,} .* -{3,}$|Step \d+\/\d+|#\d+ \[|\[\d+\/\d+\]|> Task |=== )|^\S.{0,200} ?\*{4,}$/;

export type Signal = 'verdict' | 'count' | 'failed-test' | 'passed-test' | 'error' | 'trouble' | 'warning';

/** @param form the line without names of things. */
export function signalIn(line: string, form: string): Signal | undefined {
  const said = form.replace(NONE, '');
  if (FAILED_TEST.test(line)) return 'failed-test';
  if (PASSED_TEST.test(line)) return 'passed-test';
  if (VERDICT.test(line.replace(NONE, ''))) return 'verdict';
  if (COUNT.test(line.replace(NONE, ''))) return 'count';
  if (ERROR.test(said)) return 'error';
  if (TROUBLE.test(said)) return 'trouble';
  return WARNING.test(said) ? 'warning' : undefined;
}

export const isSection = (line: string): boolean => SECTION.test(line);
