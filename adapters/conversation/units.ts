/**
 * A conversation as the planner of relief sees it. Hosts divide the results of one answer into messages differently, so
 * results that follow each other are one unit.
 */
import type { Message } from './messages.js';
import { isStanding, type Turn, turnsOf } from './turns.js';

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
