/** Claims in plain English, one sentence for each, and explanations as text. */
import type { Eviction } from '../../src/index.js';
import { invalidInput } from '../../src/internal.js';
import { why } from '../report/index.js';
import type { KeptValues } from './runs.js';
import type { Change, Claim, Explanation, Rival } from './types.js';
import { count, decimal, type Flags, listed, optionsWritten, quoted } from './wording.js';

interface Wording {
  /** With details: relevance in numbers, features, and the ranges of values. */
  verbose?: boolean;
  /** The flag of a command for each option that has one. */
  flags?: Flags | undefined;
}

export const sentencesOf = (claims: readonly Claim[], wording: Wording = {}): string[] =>
  claims.flatMap((claim) => sentenceOf(claim, wording) ?? []);

/** The sentence of a claim. Undefined for one that is a detail, unless details are wanted. */
function sentenceOf(claim: Claim, { verbose = false, flags }: Wording = {}): string | undefined {
  switch (claim.kind) {
    case 'outcome':
      return outcomeSentence(claim, flags);
    case 'cause':
      return claim.says;
    case 'limits':
      return limitsSentence(claim, verbose);
    case 'place': {
      const place = `It is in place ${count(claim.place)} of ${count(claim.of)} by relevance`;
      return `${place}${verbose ? `, ${decimal(claim.relevance)}` : ''}.`;
    }
    case 'unmeasured':
      return 'It was evicted before its relevance was measured.';
    case 'stand-in':
      return `${quoted(claim.rival.id)} stands in for it${claim.rival.isKept ? ', and is kept' : ', and was evicted later'}.`;
    case 'rival':
      return rivalSentence(claim.rival, verbose);
    case 'changes': {
      const ways = listed(
        claim.changes.map((each) => changeWritten(each, flags)),
        'or',
      );
      return `It is ${claim.keeps ? 'also kept' : 'evicted'} ${ways}.`;
    }
    case 'whole':
      return `It is whole with ${optionsWritten({ budget: { maxTokens: claim.maxTokens } }, flags)}, and not with one token less.`;
    case 'values':
      return verbose ? valuesSentence(claim.values) : undefined;
    case 'unknown':
      return claim.of === 'absence'
        ? `For the absence of ${chunks(claim.count)} it is not known: a service would have to be asked.`
        : `For ${count(claim.count)} values of ${claim.of} it is not known: a service would have to be asked.`;
    case 'needs-input':
      return 'To find what would change that, the input is needed: give the result of shape() in the same process, or a session.';
    case 'note':
      return `Note ${claim.code}: ${claim.message}`;
  }
}

const chunks = (number: number) => (number === 1 ? 'one chunk' : `${count(number)} chunks`);

function outcomeSentence(claim: Extract<Claim, { kind: 'outcome' }>, flags: Flags | undefined): string {
  const { id, index, outcome, eviction, change, isTried } = claim;
  const name = `${quoted(id)} (chunk ${count(index)})`;
  if (eviction === undefined) return `${name} is kept${outcome === 'cut' ? ', but cut' : ''}.`;
  const evidence = why(withQuotedIds(eviction));
  const happened = `${name} was evicted: ${eviction.reason}${evidence === '–' ? '' : `, ${evidence}`}.`;
  if (change === undefined) return isTried ? `${happened} Nothing that was tried brings it back.` : happened;
  const back = `${changeWritten(change, flags)}`;
  return `${happened} ${isTried ? `It comes back ${back}` : `It may come back ${back}, which a report alone cannot show`}.`;
}

/** The ids of other chunks in quotes, as everywhere in explanations. */
function withQuotedIds(eviction: Eviction): Eviction {
  const { keptId, by, lastKept } = eviction as Partial<Record<'keptId' | 'by', string>> & {
    lastKept?: { id: string };
  };
  return {
    ...eviction,
    ...(keptId === undefined ? {} : { keptId: quoted(keptId) }),
    ...(eviction.reason !== 'superseded' || by === undefined ? {} : { by: quoted(by) }),
    ...(lastKept === undefined ? {} : { lastKept: { ...lastKept, id: quoted(lastKept.id) } }),
  } as Eviction;
}

function changeWritten(change: Change, flags: Flags | undefined): string {
  if ('pin' in change) return 'if it is pinned';
  if ('without' in change) return `without ${quoted(change.without.id)} in the input`;
  return `with ${optionsWritten(change.options, flags)}`;
}

function limitsSentence({ limits, isEnough }: Extract<Claim, { kind: 'limits' }>, verbose: boolean) {
  const names = listed(limits);
  if (!isEnough) return `It is not kept even without ${names}.`;
  if (limits.length === 1) return verbose ? `It is kept without ${names}.` : undefined;
  return `${count(limits.length)} limits bind together: ${names}. It is kept without all of them, and not without one alone.`;
}

function rivalSentence({ id, isKept, by, features }: Rival, verbose: boolean): string {
  const state = `${quoted(id)} ${isKept ? 'is kept' : 'was evicted, too'}`;
  if (by === undefined) return `${state}.`;
  const parts = features.map(
    ({ name, own, theirs }) => `${name} (${decimal(theirs)} against ${decimal(own)})`,
  );
  const most = verbose && parts.length > 0 ? `, mostly by ${listed(parts)}` : '';
  if (by === 0) return `${state}, and is as relevant.`;
  const size = verbose ? `${decimal(Math.abs(by))} ` : '';
  return `${state}, and is ${size}${by < 0 ? 'less' : 'more'} relevant${most}.`;
}

function valuesSentence({ option, current, kept, evicted }: KeptValues): string {
  const now = current === null ? 'no limit' : count(current);
  const [keep, evict] = [kept, evicted].map((values) => listed(values.map(count)) || 'none');
  return `${option} (now ${now}), of the values that were run: kept at ${keep}; evicted at ${evict}.`;
}

/**
 * The explanation as text for a terminal. Its first line says what happened, and the smallest change found to bring the chunk
 * back; a line for each further sentence follows.
 *
 * @param options `width`: number of columns, at least 40; longer lines break. `brief`: the first line alone. `verbose`: also
 *   relevance in numbers, the features that made the difference, and the values of each option that were run.
 *   `flags`: the flag of a command for each option that has one, such as `{ k: '--k' }`.
 * @throws ContextShapingError `invalid-input`, if it gets anything but an explanation.
 */
export function formatExplanation(
  explanation: Explanation,
  {
    width = 100,
    brief = false,
    verbose = false,
    flags,
  }: { width?: number; brief?: boolean; verbose?: boolean; flags?: Flags } = {},
): string {
  const { claims } = (explanation ?? {}) as Partial<Explanation>;
  if (!Array.isArray(claims))
    throw invalidInput('explanation', explanation, 'is no explanation', 'Give what explain() returned.');
  const columns = Math.max(40, Math.floor(width));
  const [first = '', ...others] = sentencesOf(brief ? claims.slice(0, 1) : claims, { verbose, flags });
  return [...wrapped(first, columns, ''), ...others.flatMap((each) => wrapped(each, columns, '  '))].join(
    '\n',
  );
}

/** Breaks a line at spaces; later lines are indented further. A word that is longer than a line is cut into pieces. */
function wrapped(line: string, columns: number, indent: string): string[] {
  const lines: string[] = [];
  let rest = indent + line;
  while (rest.length > columns) {
    const space = rest.lastIndexOf(' ', columns);
    const end = rest.slice(0, space + 1).trim() === '' ? columns : space;
    lines.push(rest.slice(0, end));
    rest = `${indent}  ${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}
