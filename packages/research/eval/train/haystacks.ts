/**
 * LongMemEval for training: the sessions that answer a question, among sessions that answer no question of
 * the set. Without those, a weight could not tell the right conversation from the wrong one.
 */
import type { Chunk } from 'context-shaping';
import { seededRandom, shuffled } from '../../../../test/random.js';
import { type Case, type Dataset, Tally } from '../data/case.js';
import { readOracle, readSessions, sessionText, type Turn } from '../data/longmemeval.js';

interface Part {
  chunk: Chunk;
  isRelevant: boolean;
}

/** The chunks of one session; without a date for now: which one is drawn per question. */
type Division = (id: string, turns: readonly Turn[]) => Part[];

const DAY = 86_400_000;
/** How long before the first session that answers there are others. */
const DAYS_BEFORE = 30;

/** @param distractors how many sessions, drawn at random, each question gets besides its own. */
export const loadMixedSessions = (dataDir: string, distractors: number) =>
  load(dataDir, distractors, (id, turns) => [
    {
      chunk: { id, text: sessionText(turns), metadata: { source: id } },
      isRelevant: turns.some(({ has_answer }) => has_answer === true),
    },
  ]);

/** Chunks are turns. */
export const loadMixedTurns = (dataDir: string, distractors: number) =>
  load(dataDir, distractors, (source, turns) =>
    turns.flatMap(({ role, content, has_answer }, position): Part[] =>
      content.trim() === ''
        ? []
        : [
            {
              chunk: {
                id: `${source}#${position}`,
                text: content,
                metadata: { speaker: role, source, position },
              },
              isRelevant: has_answer === true,
            },
          ],
    ),
  );

function load(dataDir: string, distractors: number, divide: Division): Dataset | undefined {
  const questions = readOracle(dataDir);
  if (questions.length === 0) return undefined;
  const evidence = new Set(
    questions.flatMap(({ haystack_sessions }) => haystack_sessions.map(([first]) => first?.content)),
  );
  const others = [...readSessions(dataDir)]
    .filter(([, [first]]) => !evidence.has(first?.content))
    .map(([id, turns]) => divide(id, turns));
  const tally = new Tally();
  const cases = questions.flatMap((item, at): Case[] => {
    const { question_id: id, question_type: category, question, haystack_session_ids: ids } = item;
    // There is nothing to find for a question that cannot be answered.
    if (id.endsWith('_abs')) {
      tally.add('questions skipped, without an answer');
      return [];
    }
    const dates = item.haystack_dates.map(dayOf);
    const own = item.haystack_sessions.map((turns, place) =>
      dated(divide(ids[place] ?? `${place}`, turns), dates[place] as number),
    );
    const random = seededRandom(at);
    const asked = dayOf(item.question_date);
    const first = Math.min(asked, ...dates) - DAYS_BEFORE;
    // The first of them is of the day of the question: times such as "last week" count from the newest date.
    const drawn = shuffled(others, random)
      .slice(0, distractors)
      .map((parts, place) =>
        dated(parts, place === 0 ? asked : first + Math.floor(random() * (asked - first + 1))),
      );
    const parts = shuffled([...own, ...drawn], random).flat();
    const relevant = parts.filter(({ isRelevant }) => isRelevant).map(({ chunk }) => chunk.id);
    if (relevant.length === 0) {
      tally.add('questions skipped, no turn is marked');
      return [];
    }
    tally.add('questions used');
    const chunks = parts.map(({ chunk }) => chunk);
    return [{ id, group: id, category, question, chunks, relevant, answers: [], facts: [] }];
  });
  return { cases, counts: tally.counts };
}

/** Of `2023/05/20 (Sat) 02:21`, from 1 January 1970. */
const dayOf = (date: string) => Date.parse(`${date.slice(0, 10).replaceAll('/', '-')}T00:00Z`) / DAY;

const dated = (parts: readonly Part[], day: number): Part[] =>
  parts.map(({ chunk, isRelevant }) => ({
    isRelevant,
    chunk: {
      ...chunk,
      metadata: { ...chunk.metadata, date: new Date(day * DAY).toISOString().slice(0, 10) },
    },
  }));
