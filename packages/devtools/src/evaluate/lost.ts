/** Why a case loses evidence under a budget, and which change of options keeps it. Each change is a run. */
import type { SessionOverrides, Shaper, ShapingReport, ShapingSession } from 'context-shaping';
import { explain } from 'context-shaping/explain';
import { type Inside, insideOf } from 'context-shaping/internal';
import { beginningOf } from 'context-shaping/kit';
import { type EvidenceUnit, shareOf } from './evidence.js';
import { type Judged, judged, sessionOn } from './measure.js';
import type { EvaluationCase, LostUnit } from './types.js';

/** Characters of a unit, and units of one case, that are shown. */
const MOST_SHOWN = 160;
const MOST_UNITS = 3;
const MOST_CHUNKS = 3;

/** Changes under the same budget, each alone. */
const TRIED: readonly { written: string; of: SessionOverrides }[] = [
  { written: 'extract: false', of: { extract: false } },
  { written: 'select: false', of: { select: false } },
  { written: 'cluster: false', of: { cluster: false } },
  { written: 'semanticDedup: false', of: { semanticDedup: false } },
];

/** @param budgets ascending: those above `budget` are tried, too. */
export async function explainLost(
  given: EvaluationCase,
  shaper: Shaper,
  budget: number,
  budgets: readonly number[],
  signal: AbortSignal | undefined,
): Promise<LostUnit[]> {
  const { chunks, query, id } = given;
  const it = judged(given);
  const session = sessionOn(shaper, given, signal);
  const { chunks: kept, report } = await session.at({ budget: { maxTokens: budget } });
  const pieces = kept.map(({ index, text }) => it.pieceOf({ place: index, text }));
  const lost = it.found.filter((unit) => shareOf(unit, pieces) < 1);
  const told: LostUnit[] = [];
  for (const unit of lost.slice(0, MOST_UNITS)) {
    const holding = byCause(
      it.pool.filter((piece) => unit.isIn(piece)).map(({ place }) => place),
      report,
    );
    // A report asks for no run: the changes below are tried on the unit, not on the chunk.
    const { sentences, because } = await explain(report, holding[0] as number);
    told.push({
      case: id,
      query: query.text,
      form: unit.form,
      unit: beginningOf(unit.label, MOST_SHOWN),
      chunks: holding.slice(0, MOST_CHUNKS).map((place) => chunks[place]?.id as string),
      why: [sentences[0], ...(because === undefined ? [] : [because])].join(' '),
      remedies: await remediesFor(unit, holding[0] as number, { it, session, budget, budgets, signal }),
    });
  }
  return told;
}

/** Kept chunks first, and last the copies of others: the reason of a copy is not that of the loss. */
function byCause(places: readonly number[], { kept, evicted }: ShapingReport): number[] {
  const isKept = new Set(kept.map(({ index }) => index));
  const isCopy = new Set(evicted.flatMap((each) => ('keptId' in each ? [each.index] : [])));
  const order = (place: number) => (isKept.has(place) ? 0 : isCopy.has(place) ? 2 : 1);
  return places.toSorted((a, b) => order(a) - order(b) || a - b);
}

interface Search {
  it: Judged;
  session: ShapingSession;
  budget: number;
  budgets: readonly number[];
  signal: AbortSignal | undefined;
}

async function remediesFor(
  unit: EvidenceUnit,
  place: number,
  { it, session, budget, budgets, signal }: Search,
): Promise<string[]> {
  const holds = (parts: readonly { index: number; text: string }[]) =>
    shareOf(
      unit,
      parts.map(({ index, text }) => it.pieceOf({ place: index, text })),
    ) === 1;
  const found: string[] = [];
  const { options } = session;
  const id = (insideOf(session) as Inside).input.chunks[place]?.id as string;
  const pinned = Array.isArray(options.pin) ? [{ written: 'a pin', of: { pin: [...options.pin, id] } }] : [];
  const limited = options.k == null ? [] : [{ written: 'no k', of: { k: null } }];
  for (const { written, of } of [...limited, ...TRIED, ...pinned]) {
    const { chunks } = await session.at({ ...of, budget: { maxTokens: budget } });
    if (holds(chunks)) found.push(written);
  }
  for (const maxTokens of budgets.filter((each) => each > budget)) {
    const { kept } = await (insideOf(session) as Inside).limited({ budget: { maxTokens } }, signal);
    if (!holds(kept)) continue;
    found.push(`budget.maxTokens: ${maxTokens}`);
    break;
  }
  return found;
}
