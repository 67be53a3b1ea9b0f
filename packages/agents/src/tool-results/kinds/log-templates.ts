/** Forms of lines: lines of one form repeat each other. */

/** The line with its numbers, hexadecimals and durations replaced. */
export const templateOf = (line: string): string =>
  line
    .replace(/\b(?:0x)?(?=[\da-f-]{0,128}\d)[\da-f]{7,}(?:-[\da-f]{4,})*\b/gi, '#')
    .replace(/\d+(?:[.,:]\d+)*/g, '0')
    .replace(/\s+/g, ' ')
    .trim();

/** The name of an error is no name of a thing, and `error[E0382]:` no list. */
const ERROR_NAME = /([A-Z][A-Za-z]{0,80}(?:Error|Exception|Warning|Failure))\b:?$|^((?:error|warning)\[)/;

/**
 * The template with its paths, addresses and quoted texts replaced as well, so that `error` in the name of a file is no
 * error.
 */
export const formOf = (template: string): string =>
  template
    .replace(/"[^"]*"|`[^`]*`|(?<![\w'])'[^']*'(?!\w)/g, '"·"')
    .split(' ')
    .map((word) => (/\w[/\\:._=@[(<-]+\w/.test(word) ? (ERROR_NAME.exec(word)?.[0] ?? '·') : word))
    .join(' ');

/** A line with its template and its form. */
export interface LogLine {
  readonly line: string;
  readonly template: string;
  readonly form: string;
}

export function logLine(line: string): LogLine {
  const template = templateOf(line);
  return { line, template, form: formOf(template) };
}
