/** Ways in which a called function can fail, and the one place where a working function is broken in one of them. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The time that a service may take in a case of lateness, in milliseconds: if others are late as well, because the
 * machine is busy, there is a second try.
 */
const DEADLINES = [60, 1000];
/** If it fails otherwise, a busy machine has all the time it needs. */
const NO_HURRY = 20_000;
const OUT_OF_TIME: readonly string[] = ['hangs', 'late answer', 'late rejection'];
export const deadlinesOf = (fault: Fault): readonly number[] =>
  OUT_OF_TIME.includes(fault) ? DEADLINES : [NO_HURRY];
/** A service is late although there is no deadline, so that late is as good as in time. */
const LATE_FOR_THE_PATIENT = 5;

const underWay = new Set<Promise<void>>();
/** Waits until nothing of a fault is under way any more. */
export const allOver = (): Promise<unknown> => Promise.all(underWay);
function late(milliseconds: number): Promise<void> {
  const over = pause(milliseconds);
  underWay.add(over);
  return over.finally(() => underWay.delete(over));
}

/** The error that is thrown on purpose; its message is the place. */
export class Broken extends Error {}

export const FAULTS = [
  /** None: what everything else is compared with. */
  'works',
  'throws',
  'rejects',
  'hangs',
  'late answer',
  'late rejection',
  'wrong count',
  'NaN',
  'Infinity',
  'wrong type',
  'null',
  'half an answer',
  'abort during the call',
] as const;
export type Fault = (typeof FAULTS)[number];

// biome-ignore lint/suspicious/noExplicitAny: of any function
type Callable = (...args: any[]) => any;
export type Break = <F extends Callable>(working: F) => F;

interface Place {
  fault: Fault;
  name: string;
  isPatient: boolean;
  /** The time that the service may take. */
  deadline: number;
  /** Aborts the caller's signal. */
  abort(): void;
}

export const breaking =
  ({ fault, name, isPatient, deadline, abort }: Place): Break =>
  <F extends Callable>(working: F) =>
    ((...args: Parameters<F>): unknown => {
      const tooLong = isPatient ? LATE_FOR_THE_PATIENT : 2 * deadline;
      switch (fault) {
        case 'works':
          return working(...args);
        case 'throws':
          throw new Broken(name);
        case 'rejects':
          return Promise.reject(new Broken(name));
        case 'hangs':
          return new Promise(() => {});
        case 'late answer':
          return late(tooLong).then(() => working(...args));
        case 'late rejection':
          return late(tooLong).then(() => Promise.reject(new Broken(name)));
        case 'abort during the call':
          // The called function does not heed the abort.
          abort();
          return new Promise(() => {});
        default: {
          const answer: unknown = working(...args);
          return answer instanceof Promise
            ? answer.then((each) => spoilt(each, fault))
            : spoilt(answer, fault);
        }
      }
    }) as F;

function spoilt(answer: unknown, fault: Fault): unknown {
  switch (fault) {
    case 'wrong count':
      return one(answer, (list) => list.slice(0, -1));
    case 'NaN':
      return withNumbers(answer, Number.NaN);
    case 'Infinity':
      return withNumbers(answer, Number.POSITIVE_INFINITY);
    case 'wrong type':
      return { nonsense: 'nonsense' };
    case 'null':
      return null;
    case 'half an answer':
      return one(answer, (list) => list.map((each, at) => (at === list.length - 1 ? half(each) : each)));
    default:
      throw new Error(`${fault} is no fault of an answer.`);
  }
}

/** The list that an answer is or has, changed. */
function one(answer: unknown, change: (list: readonly unknown[]) => unknown): unknown {
  if (Array.isArray(answer)) return change(answer);
  const { results } = (answer ?? {}) as { results?: unknown };
  return Array.isArray(results) ? { ...(answer as object), results: change(results) } : half(answer);
}

/** The first half of a list or of a text; an object without the first of its fields. */
function half(value: unknown): unknown {
  if (Array.isArray(value) || typeof value === 'string') return value.slice(0, Math.floor(value.length / 2));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).slice(1));
}

/** All numbers, and the texts of documents, become this. */
function withNumbers(value: unknown, number: number): unknown {
  if (typeof value === 'number') return number;
  if (Array.isArray(value)) return value.map((each) => withNumbers(each, number));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'pageContent' ? number : withNumbers(each, number),
    ]),
  );
}
