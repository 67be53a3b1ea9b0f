/** Measures one case: the evidence that each method keeps under each budget. */
import { createShaper, type Shaper, type ShapingOptions, type ShapingSession } from 'context-shaping';
import { frameTokens, type Inside, insideOf } from 'context-shaping/internal';
import { loadTokenCounter } from 'context-shaping/kit';
import { CONTROLS, type Part } from './controls.js';
import { type EvidenceUnit, type Piece, shareHeld, unitsOf } from './evidence.js';
import { fold } from './texts.js';
import type { EvaluationCase } from './types.js';

/** The methods and the budgets of all cases. */
export interface Plan {
  methods: readonly { name: string; options: ShapingOptions }[];
  /** Ascending. */
  budgets: readonly number[];
}

/** The evidence and tokens that one method keeps of one case, by budget. */
export interface MethodRecord {
  /** Share of the units of the pool. */
  kept: number[];
  tokens: number[];
  milliseconds: number;
}

/** The measurement of one case. */
export interface CaseRecord {
  id: string;
  group: string;
  units: number;
  inPool: number;
  /** Ids name some of it. */
  named?: true;
  chunks: number;
  tokens: number;
  /** The options, then the controls. Empty if the pool holds no evidence. */
  methods: MethodRecord[];
}

/** A case with its units, as all methods are judged. */
export interface Judged {
  units: EvidenceUnit[];
  /** The units that the pool holds. */
  found: EvidenceUnit[];
  pieceOf(part: Part): Piece;
  /** The pool itself. */
  pool: Piece[];
}

export function judged({ evidence, chunks }: EvaluationCase): Judged {
  const folded = chunks.map(({ text }) => fold(text));
  const units = unitsOf(evidence, chunks, folded);
  const pool = folded.map((text, place) => ({ place, folded: text }));
  const found = units.filter((unit) => pool.some((piece) => unit.isIn(piece)));
  const pieceOf = ({ place, text }: Part) => ({
    place,
    folded: text === chunks[place]?.text ? (folded[place] as string) : fold(text),
  });
  return { units, found, pieceOf, pool };
}

/** The tokens that are counted for all methods alike, each text once. */
export async function counterOf(options: ShapingOptions): Promise<(text: string) => number> {
  const count = await loadTokenCounter(createShaper({ tokenizer: options.tokenizer }).options.tokenizer);
  const known = new Map<string, number>();
  return (text) => {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  };
}

/** Makes the shapers of a plan once, for all cases. The budgets take the place of `budget.maxTokens`. */
export function shapersOf({ methods }: Plan): Shaper[] {
  return methods.map(({ options }) => {
    const { maxTokens: _, ...budget } = options.budget ?? {};
    return createShaper(options.budget === undefined ? options : { ...options, budget });
  });
}

export const sessionOn = (
  shaper: Shaper,
  { query, chunks, ranked }: EvaluationCase,
  signal: AbortSignal | undefined,
): ShapingSession => shaper.session({ query, chunks, ranked, signal });

/**
 * @param number of the case, from 1: it decides what the random control draws.
 * @throws the errors of `shape`; the reason of the signal.
 */
export async function measureCase(
  given: EvaluationCase,
  number: number,
  plan: Plan,
  shapers: readonly Shaper[],
  signal?: AbortSignal,
): Promise<CaseRecord> {
  const { id, group = id, chunks, query } = given;
  const countTokens = await counterOf(plan.methods[0]?.options ?? {});
  const tokens = chunks.map(({ text }) => countTokens(text));
  const { units, found, pieceOf } = judged(given);
  const record = {
    ...{ id, group, units: units.length, inPool: found.length, chunks: chunks.length },
    ...(found.some(({ form }) => form === 'ids') ? { named: true as const } : {}),
    tokens: tokens.reduce((sum, own) => sum + own, 0),
  };
  if (found.length === 0) return { ...record, methods: [] };
  const recordOf = (all: readonly Part[][], milliseconds: number): MethodRecord => {
    return {
      kept: all.map((parts) => shareHeld(found, parts.map(pieceOf))),
      tokens: all.map((parts) => parts.reduce((sum, part) => sum + countTokens(part.text), 0)),
      milliseconds,
    };
  };
  const methods: MethodRecord[] = [];
  for (const shaper of shapers) {
    const { parts, milliseconds } = await shapedParts(shaper, given, plan.budgets, signal);
    methods.push(recordOf(parts, milliseconds));
  }
  const [first] = methods as [MethodRecord];
  for (const { read } of CONTROLS) {
    signal?.throwIfAborted();
    const started = performance.now();
    const fill = read({
      question: query.text,
      chunks,
      tokens,
      seed: FIRST_SEED + number,
      countTokens,
    });
    const all = plan.budgets.map((budget, at) => fill(budget, first.tokens[at] as number));
    methods.push(recordOf(all, (performance.now() - started) / plan.budgets.length));
  }
  return { ...record, methods };
}

/** The random control draws by the number of the case, from this seed on: measured figures stay the same. */
const FIRST_SEED = 1_000_003;

type Shaped = Awaited<ReturnType<Inside['limited']>>;

/** The parts that a shaper keeps under each budget. */
async function shapedParts(
  shaper: Shaper,
  given: EvaluationCase,
  budgets: readonly number[],
  signal: AbortSignal | undefined,
) {
  const { limited } = insideOf(sessionOn(shaper, given, signal)) as Inside;
  const started = performance.now();
  const whole = await limited({}, signal);
  const milliseconds = performance.now() - started;
  const enough = await enoughFor(shaper, whole);
  const known = new Map<number, Part[]>();
  for (const budget of budgets) {
    const maxTokens = Math.min(budget, enough);
    if (known.has(maxTokens)) continue;
    const { kept } = await limited({ budget: { maxTokens } }, signal);
    known.set(
      maxTokens,
      kept.map(({ index, text }) => ({ place: index, text })),
    );
  }
  return {
    parts: budgets.map((budget) => known.get(Math.min(budget, enough)) as Part[]),
    milliseconds,
  };
}

/** A budget with which everything fits, so that a greater one changes nothing. */
async function enoughFor({ options }: Shaper, { kept, evicted }: Shaped): Promise<number> {
  const { budget, extract, trust, frame, tokenizer } = options;
  const isLimited = budget.perSource != null || trust.some(({ maxTokens }) => maxTokens != null);
  const isCut = kept.some(({ excerpts }) => excerpts !== undefined);
  if (isCut || (extract !== false && isLimited)) return Number.POSITIVE_INFINITY;
  const around = frame === false ? 0 : frameTokens(options, await loadTokenCounter(tokenizer));
  const sum = (all: readonly number[]) => all.reduce((total, tokens) => total + tokens, 0);
  const tokens = sum(kept.map(({ signals }) => signals.tokens)) + sum(evicted.map((each) => each.tokens));
  return Math.max(1, tokens) + budget.reserve + around;
}
