/**
 * Pairs of statements of ten domains and sixteen languages, in the words of manuals, contracts, runbooks and reports. They
 * were written from the fields, before the rules that read them.
 *
 * A line of `statement-pairs.txt` is `domain, kind: one SIGN other`; the sign says how they are related. A line break
 * within a statement is written as `⏎`.
 */
import { readFileSync } from 'node:fs';

/** By their signs. `contradicts`: they cannot both be true. The others can: they say the same, or different things. */
const RELATIONS = { ' ≠ ': 'contradicts', ' ≡ ': 'same', ' ≈ ': 'different' } as const;

export interface StatementPair {
  domain: string;
  /** Code of two letters. */
  language: string;
  /** The difference between the two, such as `unit case`, or `another subject`. */
  kind: string;
  one: string;
  other: string;
  relation: (typeof RELATIONS)[keyof typeof RELATIONS];
  contradicts: boolean;
}

const LINE = /^(?<domain>\w+), (?<kind>[\w ]+): (?<one>.+?)(?<sign> [≠≡≈] )(?<other>.+)$/u;

export const STATEMENT_PAIRS: readonly StatementPair[] = read(
  readFileSync(new URL('statement-pairs.txt', import.meta.url), 'utf8'),
);

function read(text: string): StatementPair[] {
  let language = '';
  return text.split('\n').flatMap((line): StatementPair[] => {
    const heading = /^\[(\w+)\]$/.exec(line)?.[1];
    if (heading !== undefined) language = heading;
    if (heading !== undefined || line === '') return [];
    const found = LINE.exec(line)?.groups as Record<'domain' | 'kind' | 'one' | 'sign' | 'other', string>;
    if (found === undefined) throw new Error(`This line is no pair of statements: ${line}`);
    const { domain, kind, one, sign, other } = found;
    const relation = RELATIONS[sign as keyof typeof RELATIONS];
    const [first, second] = [one, other].map((each) => each.replaceAll(' ⏎ ', '\n')) as [string, string];
    return [
      {
        domain,
        language,
        kind,
        one: first,
        other: second,
        relation,
        contradicts: relation === 'contradicts',
      },
    ];
  });
}
