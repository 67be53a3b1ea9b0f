/** Finds which differences have which effects, by shaping again with one difference at a time. */
import { ContextShapingError, type ShapingReport } from '../../../src/index.js';
import { type Reopened, reopen } from '../open.js';
import type { ContextLockfile, OpenOptions } from '../types.js';
import { compose } from './compose.js';
import type { Unit } from './differences.js';
import { compareOutcomes, type KeyedChange } from './outcomes.js';
import type { Cause } from './types.js';

export interface Attribution {
  effects: Cause['effect'][];
  /** The places of the causes of each change. */
  causes: number[][];
}

/**
 * A difference is a cause of a change if it has this effect alone, or if the change is gone without it.
 *
 * @param open functions that the lockfiles name.
 */
export async function attribute(
  a: ContextLockfile,
  b: ContextLockfile,
  units: readonly Unit[],
  changes: readonly KeyedChange[],
  open: Pick<OpenOptions, 'options'>,
  signal: AbortSignal | undefined,
): Promise<Attribution> {
  const unproven: Attribution = {
    effects: units.map(() => 'possible'),
    causes: changes.map(() => []),
  };
  if (a.texts !== 'full' || b.texts !== 'full') return unproven;
  const run = (some: readonly Unit[]) => reportOf(compose(a, b, some), open, signal);
  const [base, whole] = [await run([]), await run(units)];
  if (base === undefined || whole?.digest !== b.digest) return unproven;
  const isReproduced = base.digest === a.digest;
  if (!isReproduced && !units.some(({ kind }) => kind === 'library')) return unproven;
  const effects: Cause['effect'][] = [];
  const causes: number[][] = changes.map(() => []);
  const note = (place: number, has: (change: KeyedChange) => boolean) => {
    for (const [at, change] of changes.entries()) if (has(change)) causes[at]?.push(place);
  };
  for (const [place, unit] of units.entries()) {
    if (unit.kind === 'library' || unit.kind === 'function') {
      // With this release and these functions, both or only the second were made.
      effects.push(isReproduced ? 'none' : unit.kind === 'library' ? 'proven' : 'possible');
      if (!isReproduced && unit.kind === 'library') note(place, among(a.report, base));
      continue;
    }
    const alone = await run([unit]);
    const without = await run(units.filter((each) => each !== unit));
    const isEffective = alone?.digest !== base.digest || without?.digest !== whole.digest;
    effects.push(alone === undefined && without === undefined ? 'possible' : isEffective ? 'proven' : 'none');
    const [has, stays] = [alone && among(base, alone), without && among(base, without)];
    note(place, (change) => has?.(change) === true || stays?.(change) === false);
  }
  return { effects, causes };
}

/** Whether a change is among those between two reports. */
function among(from: ShapingReport, to: ShapingReport): (change: KeyedChange) => boolean {
  const found = new Set(compareOutcomes(from, to).changes.map(({ key, change }) => `${change} ${key}`));
  return ({ key, change }) => found.has(`${change} ${key}`);
}

/** The report of a lockfile's input. Undefined if the options exclude each other, or if a service would have to be asked. */
async function reportOf(
  lockfile: ContextLockfile,
  open: Pick<OpenOptions, 'options'>,
  signal: AbortSignal | undefined,
): Promise<ShapingReport | undefined> {
  try {
    const { session, missed }: Reopened = reopen(lockfile, open);
    const { report } = await session.at({}, { signal });
    return missed() > 0 ? undefined : report;
  } catch (error) {
    if (ContextShapingError.isInstance(error) && error.kind.startsWith('invalid')) return undefined;
    throw error;
  }
}
