/** How much each line of a log is needed to see what went wrong, and how it ended. */

const FAILURE =
  /\b(?:errors?|err!|fail(?:ed|ure|ures|s|ing)?|fatal|exceptions?|panic(?:ked)?|traceback|assert(?:ion)?\w*|denied|refused|timed? ?out|cannot|can't|could not|unable|not found|missing|unexpected|killed|abort(?:ed)?|segmentation|exit(?:ed)? (?:with )?(?:code|status))\b|[a-z](?:Error|Exception)\b|[✕✗✘×]/i;
const NONE = /\b(?:0|no) (?:errors?|failures?|failed|warnings?)\b/gi;

/** Lines around a failure that explain it. */
const BEFORE = 3;
const AFTER = 6;
const LAST_LINES = 40;

export function prioritiesOf(lines: readonly string[], templates: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const template of templates) counts.set(template, (counts.get(template) ?? 0) + 1);
  const priorities = lines.map(() => 0);
  const raise = (at: number, priority: number) => {
    if (at >= 0 && at < lines.length) priorities[at] = Math.max(priorities[at] as number, priority);
  };
  for (let at = 0; at < lines.length; at++) {
    if (!FAILURE.test((lines[at] as string).replace(NONE, ''))) continue;
    const rare = 1 / Math.log2(1 + (counts.get(templates[at] as string) as number));
    const own = 0.5 + 0.4 * rare;
    raise(at, own);
    for (let back = 1; back <= BEFORE; back++) raise(at - back, own - 0.05 * back);
    for (let on = 1; on <= AFTER; on++) raise(at + on, own - 0.03 * on);
  }
  let end = lines.length;
  while (end > 0 && lines[end - 1] === '') end--;
  for (let back = 1; back <= LAST_LINES; back++) raise(end - back, 1 - back / (2 * LAST_LINES));
  const seen = new Map<string, number>();
  for (const [at, template] of templates.entries()) {
    const before = seen.get(template) ?? 0;
    seen.set(template, before + 1);
    if (before > 0) priorities[at] = (priorities[at] as number) / (1 + before);
    if (template === '') priorities[at] = Math.min(priorities[at] as number, 0.01);
  }
  return priorities;
}
