/** Explanations in plain English: as sentences, and as text for a terminal. */
import { invalidInput } from '../../src/internal.js';
import { count, oneLine, why, wrapLine } from '../report/index.js';
import { AXES } from './runs.js';
import type { Explanation, Rival } from './types.js';
import { type Flags, listed, optionsWritten, quoted } from './wording.js';

/**
 * The first sentence has the outcome, and the smallest change that was found to bring the chunk back.
 *
 * @param flags the flag of a command for each option that has one.
 */
export function sentencesOf(it: Omit<Explanation, 'sentences'>, flags?: Flags): string[] {
  const { because, counterfactuals, eviction, notes, rank, rivals } = it;
  const axes = AXES.flatMap((name) => counterfactuals?.[name] ?? []);
  const changes = [
    ...axes.flatMap(({ option, nearest }) => (nearest === null ? [] : [written(option, nearest, flags)])),
    ...(counterfactuals?.pin === true ? ['if it is pinned'] : []),
  ];
  const remedy = it.remedy && `with ${optionsWritten(it.remedy.options, flags)}`;
  const change = eviction && (remedy ?? changes[0]);
  const others = changes.filter((each) => each !== change);
  const sentences: (string | false | undefined)[] = [
    outcomeSentence(it, change),
    because,
    rank && `It is in place ${count(rank.place)} of ${count(rank.of)} by relevance.`,
    ...rivals.map(rivalSentence),
    others.length > 0 && `It is ${eviction ? 'also kept' : 'evicted'} ${listed(others, 'or')}.`,
    ...notes.map(({ code, message }) => `Note ${code}: ${message}`),
  ];
  return sentences.filter((each) => typeof each === 'string');
}

const NEEDS_INPUT =
  'To find what would change that, the input is needed: give the result of shape() of a shaper in the same process, a session, or the report inside of onReport.';

const written = (path: string, value: number, flags: Flags | undefined) =>
  `with ${optionsWritten({ [path]: value }, flags)}`;

function outcomeSentence(
  { id, index, outcome, eviction, counterfactuals }: Omit<Explanation, 'sentences'>,
  change: string | undefined,
): string {
  const name = `${quoted(id)} (chunk ${count(index)})`;
  if (eviction === undefined) return `${name} is kept${outcome === 'cut' ? ', but cut' : ''}.`;
  const evidence = oneLine(why(eviction));
  const happened = `${name} was evicted: ${eviction.reason}${evidence === '–' ? '' : `, ${evidence}`}.`;
  if (counterfactuals === undefined) return happened;
  return `${happened} ${change === undefined ? 'Nothing that was tried brings it back' : `It comes back ${change}`}.`;
}

function rivalSentence({ id, isStandIn, isKept, by }: Rival): string {
  if (isStandIn)
    return `${quoted(id)} stands in for it${isKept ? ', and is kept' : ', and was evicted later'}.`;
  if (by === undefined || by === 0) return `${quoted(id)} is kept, and is as relevant.`;
  return `${quoted(id)} is kept, and is more relevant.`;
}

/**
 * The explanation as text for a terminal. Its first line says what happened, and the smallest change found to bring the chunk
 * back; a line for each further sentence follows.
 *
 * @param options `width`: number of columns, at least 40; longer lines break. `brief`: the first line alone.
 *   `flags`: the flag of a command for each option that has one, such as `{ k: '--k' }`.
 * @throws ContextShapingError `invalid-input`, if it gets anything but an explanation.
 */
export function formatExplanation(
  explanation: Explanation,
  { width = 100, brief = false, flags }: { width?: number; brief?: boolean; flags?: Flags } = {},
): string {
  if (!Array.isArray((explanation as Partial<Explanation> | undefined)?.sentences))
    throw invalidInput('explanation', explanation, 'is no explanation', 'Give what explain() returned.');
  const columns = Math.max(40, Math.floor(width));
  const [first = '', ...others] = sentencesOf(explanation, flags);
  if (explanation.counterfactuals === undefined) others.push(NEEDS_INPUT);
  return [first, ...(brief ? [] : others)]
    .flatMap((each, at) => wrapLine(each, columns, at === 0 ? '' : '  '))
    .join('\n');
}
