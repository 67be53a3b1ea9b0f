/** Leases: the right to do something for a limited time. They are entries of a log, and the last entry counts. */
import type { ReviewAnswer } from '../../crag/index.js';
import type { Log } from './log.js';

export interface LeaseEntry {
  /** Identifies the entry among those that other processes write at the same place. */
  key: string;
  by: string;
  /** Identifies the holder among those of the same name. */
  token: string;
  /** Milliseconds since 1970, by the clock of the writer. */
  at: number;
  until: number;
  /** An entry with an answer is the last one: no lease can follow it. */
  answer?: ReviewAnswer;
}

export type LeaseLog<About> = Log<About, LeaseEntry>;

export interface Holder {
  by: string;
  token: string;
  leaseMs: number;
  /** Whether to take over a lease of a holder with the same name. Default: no. */
  sameName?: boolean;
}

export type Taken =
  | { is: 'held'; lease: LeaseEntry; entries: number }
  /** Another holder has the lease, or has answered. */
  | { is: 'taken'; by: string; answered: boolean }
  | { is: 'gone' };

export const isHeld = (entry: LeaseEntry | undefined, now: number): entry is LeaseEntry =>
  entry !== undefined && entry.answer === undefined && entry.until > now;

/** Takes a lease, or extends the holder’s own. The log must be open. */
export async function take(
  log: LeaseLog<unknown>,
  { by, token, leaseMs, sameName }: Holder,
  now: () => number,
): Promise<Taken> {
  for (;;) {
    const entries = await log.read();
    if (entries === undefined) return { is: 'gone' };
    const last = entries.at(-1);
    const at = now();
    if (last?.answer !== undefined) return { is: 'taken', by: last.by, answered: true };
    const isOwn = last?.token === token || (sameName === true && last?.by === by);
    if (isHeld(last, at) && !isOwn) return { is: 'taken', by: last.by, answered: false };
    const lease = { key: crypto.randomUUID(), by, token, at, until: at + leaseMs };
    const after = await log.append(entries.length, lease);
    // Another process may have written its entry first. Then the loop reads the log again.
    if (after?.[entries.length]?.key === lease.key) return { is: 'held', lease, entries: after.length };
  }
}

/** @returns `undefined` if the lease expired and another holder has it, or the log is gone. */
export async function renew(
  log: LeaseLog<unknown>,
  holder: Holder,
  now: () => number,
): Promise<LeaseEntry | undefined> {
  if (!isLast(await log.read(), holder.token)) return undefined;
  const taken = await take(log, holder, now);
  return taken.is === 'held' ? taken.lease : undefined;
}

/** @returns whether there was a lease to release. */
export async function release(
  log: LeaseLog<unknown>,
  { by, token }: Pick<Holder, 'by' | 'token'>,
  now: () => number,
): Promise<boolean> {
  const entries = await log.read();
  if (entries === undefined || !isLast(entries, token)) return false;
  const at = now();
  await log.append(entries.length, { key: crypto.randomUUID(), by, token: '', at, until: at });
  return true;
}

export function isLast(entries: readonly LeaseEntry[] | undefined, token: string): boolean {
  const last = entries?.at(-1);
  return last?.token === token && last.answer === undefined;
}
