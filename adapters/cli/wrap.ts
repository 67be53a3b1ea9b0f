/** Breaks a line at spaces; a word that is longer than a line, an address say, loses its end. */
export function wrap(line: string, columns: number): string[] {
  const lines: string[] = [];
  let rest = line.trimEnd();
  while (rest.length > columns) {
    const space = rest.lastIndexOf(' ', columns);
    const end = rest.slice(0, space + 1).trim() === '' ? rest.indexOf(' ', columns) : space;
    lines.push(shorten(end < 0 ? rest : rest.slice(0, end), columns));
    rest = end < 0 ? '' : rest.slice(end + 1);
  }
  return rest === '' ? lines : [...lines, rest];
}

export function shorten(text: string, columns: number): string {
  const characters = Array.from(text);
  return characters.length <= columns ? text : `${characters.slice(0, columns - 1).join('')}…`;
}
