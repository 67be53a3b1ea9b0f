/** Reads a list of messages: its turns, its questions, and the query of a call. */
import { isRead } from '../tool-calls.js';
import type { CallPart, Message, ResultPart } from './messages.js';

/** The messages from one question to the next. */
interface Turn {
  /** Index of its first message. */
  start: number;
  /** Index after its last message. */
  end: number;
}

/**
 * The turns of a conversation, oldest first. Each begins with a message of the user; the first begins with the first
 * message. A call and its result are always in the same turn: all turns between them are joined.
 */
export function turnsOf(messages: readonly Message[]): Turn[] {
  const starts = messages.flatMap(({ role }, at) => (at === 0 || role === 'user' ? [at] : []));
  const callers = new Map<string, number>();
  const joined = new Set<number>();
  for (const [at, { parts }] of messages.entries()) {
    for (const part of parts) {
      if (part.type === 'call') callers.set(part.id, at);
      const caller = part.type === 'result' ? callers.get(part.id) : undefined;
      if (caller === undefined) continue;
      for (const start of starts) if (start > caller && start <= at) joined.add(start);
    }
  }
  const parted = starts.filter((start) => !joined.has(start));
  return parted.map((start, turn) => ({ start, end: parted[turn + 1] ?? messages.length }));
}

/** Messages that stay when their turn is dropped. */
const isStanding = ({ role, standing }: Message): boolean => role === 'system' || standing === true;

/**
 * Messages as the planner of relief sees them. Hosts divide the results of one answer into messages differently, so results
 * that follow each other are one unit.
 */
export interface Unit {
  /** Indices of its messages. */
  start: number;
  end: number;
  /** Number of its turn. */
  turn: number;
  canDrop: boolean;
  isAnswer: boolean;
}

export function unitsOf(messages: readonly Message[]): Unit[] {
  const turns = turnsOf(messages);
  const isPinned = turns.map(({ start, end }) => messages.slice(start, end).some(({ pinned }) => pinned));
  const units: Unit[] = [];
  let turn = 0;
  for (const [at, message] of messages.entries()) {
    while (at >= (turns[turn] as Turn).end) turn++;
    const canDrop = !isStanding(message) && isPinned[turn] !== true;
    const last = units.at(-1);
    const isRun = message.role === 'tool' && messages[at - 1]?.role === 'tool';
    if (isRun && last?.turn === turn && last.canDrop === canDrop) last.end = at + 1;
    else units.push({ start: at, end: at + 1, turn, canDrop, isAnswer: message.role === 'assistant' });
  }
  return units;
}

/** The texts of a message, in one. */
export const textOfMessage = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

/** The newest message of the user; empty if there is none. */
export function newestQuestion(messages: readonly Message[]): string {
  const message = messages.findLast(({ role }) => role === 'user');
  return message === undefined ? '' : textOfMessage(message);
}

/** The query of a call: its `query`, else its first text argument unless it reads a file, else the newest question. */
export function queryOf(input: unknown, messages: readonly Message[]): string {
  const values = typeof input === 'object' && input !== null && !isRead(input) ? input : {};
  const asked = [(values as { query?: unknown }).query, ...Object.values(values)].find(
    (value): value is string => typeof value === 'string' && value.trim() !== '',
  );
  return asked ?? newestQuestion(messages);
}

/** The newest call that a result answers, among the messages before it. */
export function callOf({ id }: Pick<ResultPart, 'id'>, messages: readonly Message[]): CallPart | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const call = messages[at]?.parts.findLast(
      (part): part is CallPart => part.type === 'call' && part.id === id,
    );
    if (call !== undefined) return call;
  }
  return undefined;
}
