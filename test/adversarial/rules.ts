/** How rules make a pair of texts out of a statement, alone and as a small part of a passage. */
import { STATEMENTS } from './sentences.js';

/** Changes one text in all the ways it knows; where nothing fits, in none. */
export interface Rule {
  kind: string;
  name: string;
  variants(text: string): string[];
}

export interface MadePair {
  kind: string;
  name: string;
  context: 'alone' | 'passage';
  texts: [string, string];
}

/** Replaces every match by itself, one at a time; `undefined` leaves it out. */
export function each(
  kind: string,
  name: string,
  pattern: RegExp,
  replace: (match: string, text: string) => string | undefined,
): Rule {
  return {
    kind,
    name,
    variants: (text) =>
      Array.from(text.matchAll(pattern)).flatMap(({ 0: match, index }) => {
        const replacement = replace(match, text);
        if (replacement === undefined || replacement === match) return [];
        return text.slice(0, index) + replacement + text.slice(index + match.length);
      }),
  };
}

/** Replaces words by a table, in both directions if asked: `a b, c d` turns a into b and c into d. */
export function words(kind: string, name: string, table: string, both = false): Rule {
  const pairs = table
    .trim()
    .split(/\s*[,\n]\s*/)
    .map((entry) => entry.split(' / ') as [string, string]);
  const all = new Map(
    both
      ? pairs.flatMap(
          ([a, b]) =>
            [
              [a, b],
              [b, a],
            ] as [string, string][],
        )
      : pairs,
  );
  const escaped = [...all.keys()].map((word) => word.replace(/[$^.*+?()[\]{}|\\/]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return each(kind, name, pattern, (match) => all.get(match));
}

/** Changes the text as a whole. */
export function whole(kind: string, name: string, change: (text: string) => string): Rule {
  return { kind, name, variants: (text) => [change(text)].filter((changed) => changed !== text) };
}

/** Every rule on every statement, alone and with its three to five neighbours. */
export function makePairs(rules: readonly Rule[]): MadePair[] {
  return STATEMENTS.flatMap((field) =>
    field.flatMap((statement, at) => {
      const around = Array.from(
        { length: 2 + (at % 3) },
        (_, i) => field[(at + 1 + i) % field.length] as string,
      );
      const place = at % (around.length + 1);
      const passage = (text: string) => [...around.slice(0, place), text, ...around.slice(place)].join(' ');
      return rules.flatMap(({ kind, name, variants }) =>
        variants(statement).flatMap((variant): MadePair[] => [
          { kind, name, context: 'alone', texts: [statement, variant] },
          { kind, name, context: 'passage', texts: [passage(statement), passage(variant)] },
        ]),
      );
    }),
  );
}
