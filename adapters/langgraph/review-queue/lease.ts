/** Who may do something, and until when: leases are entries of a log, of which the last one counts. */
import type { ReviewAnswer } from '../../crag/index.js';
import type { Log } from './log.js';

export interface LeaseEntry {
  /** Tells the entry from those that others write at the same place. */
  key: string;
  by: string;
  /** Tells its holder from others of the same name. */
  token: string;
  /** Milliseconds since 1970, by the clock of whoever wrote it. */
  at: number;
  until: number;
  /** The last entry of a log: nobody can hold it from then on. */
  answer?: ReviewAnswer;
}

export type LeaseLog<About> = Log<About, LeaseEntry>;

export interface Holder {
  by: string;
  token: string;
  leaseMs: number;
  /** May it go on where another of the same name holds the lease? Default: no. */
  sameName?: boolean;
}

export type Taken =
  | { is: 'held'; lease: LeaseEntry; entries: number }
  /** By another, who holds it or has answered. */
  | { is: 'taken'; by: string; answered: boolean }
  | { is: 'gone' };

export const isHeld = (entry: LeaseEntry | undefined, now: number): entry is LeaseEntry =>
  entry !== undefined && entry.answer === undefined && entry.until > now;

/** Takes a lease, or prolongs one’s own. The log must be open. */
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
    // Somebody else may have been faster: what then?
    if (after?.[entries.length]?.key === lease.key) return { is: 'held', lease, entries: after.length };
  }
}

/** @returns nothing, if the lease ran out and another has taken it, or its log is gone. */
export async function renew(
  log: LeaseLog<unknown>,
  holder: Holder,
  now: () => number,
): Promise<LeaseEntry | undefined> {
  if (!isLast(await log.read(), holder.token)) return undefined;
  const taken = await take(log, holder, now);
  return taken.is === 'held' ? taken.lease : undefined;
}

/** @returns whether there was anything to release. */
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
