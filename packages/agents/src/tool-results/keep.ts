/** Blocks that stay because of something exact in them. */
import type { KeptBlock, Structure } from '../structures/index.js';

const DATE =
  /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?:\d{1,2}(?:st|nd|rd|th)?,? )?\d{4}\b/i;
const NAMED = {
  /** UUIDs, hashes, keys such as `ABC-123`, and names with a prefix such as `req_8fj2k3`. */
  identifiers:
    /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b|\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,64}\b|\b[A-Z]{2,}-\d+\b|\b[a-z]{2,8}_(?=\w*\d)[\dA-Za-z]{6,}\b/,
  urls: /\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s"'<>]+/i,
  paths: /(?:^|[\s"'(=:])(?:(?:\.{1,2}|~)?\/|[A-Za-z]:\\)[\w.@-]+|\w[@.-]*\/(?:[@.-]+\/)*[\w@.-]+\.\w{1,8}\b/,
  dates: DATE,
} as const;

export const KEPT_NAMES = Object.keys(NAMED) as [keyof typeof NAMED, ...(keyof typeof NAMED)[]];

/** A kind of exact values by its name, or an expression. */
export type Kept = keyof typeof NAMED | RegExp;

/** The blocks of each structure with a match, the most wanted first; of equals the first. */
export function pinnedBlocks(
  structures: readonly Structure[],
  keep: readonly Kept[],
  scoreOf: (block: number, structure: number) => number,
): KeptBlock[][] {
  // A global expression would remember where it stopped.
  const tests = keep.map((each) =>
    typeof each === 'string' ? NAMED[each] : new RegExp(each.source, each.flags.replace(/[gy]/g, '')),
  );
  return structures.map(({ blocks }, at) =>
    blocks
      .flatMap(({ shown }, index) => (tests.some((test) => test.test(shown)) ? [{ index }] : []))
      .sort((a, b) => scoreOf(b.index, at) - scoreOf(a.index, at)),
  );
}
