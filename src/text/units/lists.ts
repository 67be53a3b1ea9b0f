/** Lists: items, with the lines that continue below their markers. Source: CommonMark 0.31, 5.2. */
import { flowsOn, type Line } from './lines.js';
import type { Page, Structure } from './page.js';

const BULLET = /^[-*+•‣◦▪●○–—](?=\s)/;
const NUMBER = /^\(?(\d{1,3}|[a-z]|[ivx]{1,5}|[A-Z])([.)])(?=\s)/;

/** An item of a list, with the lines that continue it. */
export const list: Structure = {
  starts: (page, at) => markerOf(page, at) !== undefined,
  read(page, at) {
    const { indent } = page.lines[at] as Line;
    let behind = at + 1;
    while (
      page.touches(behind - 1) &&
      page.structureAt(behind) === undefined &&
      ((page.lines[behind] as Line).indent > indent || flowsOn(page.lines, behind - 1))
    )
      behind++;
    page.addItem(at, behind, markerOf(page, at) as string);
    return behind;
  },
};

/** Returns the marker that items of one list share: the bullet itself, or the kind of number and its closing mark. */
function markerOf(page: Page, at: number): string | undefined {
  const { text } = page.lines[at] as Line;
  const bullet = BULLET.exec(text)?.[0];
  if (bullet !== undefined) return bullet;
  const [, number, close] = NUMBER.exec(text.slice(0, 10)) ?? [];
  if (number === undefined) return undefined;
  if (/\d/.test(number)) return `1${close}`;
  if (/[a-z]/.test(number)) return `a${close}`;
  return isLettered(page, at, number) ? `A${close}` : undefined;
}

/** A capital with a full stop may be an initial, unless the line before or after continues the alphabet. */
function isLettered({ lines }: Page, at: number, letter: string): boolean {
  const code = letter.charCodeAt(0);
  return [-1, 1].some(
    (step) =>
      lines[at + step]?.text.startsWith(String.fromCharCode(code + step)) &&
      NUMBER.test((lines[at + step] as Line).text.slice(0, 10)),
  );
}
