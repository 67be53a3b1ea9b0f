/**
 * Chats of a user with an assistant over many sessions, and questions with the sessions that answer them.
 * The turns that answer are marked in another file of the set, which is joined by question and session.
 *
 * Source: D. Wu et al., "LongMemEval: Benchmarking chat assistants on long-term interactive memory", 2024.
 */
import type { Chunk } from 'context-shaping';
import * as z from 'zod/mini';
import { type Case, type Dataset, Tally } from './case.js';
import { filesOf, readJson, readLines } from './files.js';

const turn = z.object({ role: z.string(), content: z.string(), has_answer: z.optional(z.boolean()) });
const common = {
  question_id: z.string(),
  question_type: z.string(),
  question: z.string(),
  answer: z.union([z.string(), z.number()]),
  answer_session_ids: z.array(z.string()),
  haystack_dates: z.array(z.string()),
  haystack_session_ids: z.array(z.string()),
};
const questionLine = z.object({ ...common, haystack_session_keys: z.array(z.string()) });
const sessionLine = z.object({ key: z.string(), turns: z.array(turn) });
const oracle = z.array(
  z.object({
    ...common,
    question_date: z.string(),
    haystack_sessions: z.array(z.array(turn)),
  }),
);

export type Turn = z.output<typeof turn>;

interface Session {
  id: string;
  date: string;
  turns: readonly Turn[];
}

interface Haystack {
  question: z.output<typeof questionLine>;
  sessions: Session[];
}

/** Chunks are sessions. */
export function loadLongMemEvalSessions(dataDir: string): Dataset | undefined {
  const tally = new Tally();
  const cases = readHaystacks(dataDir, tally)?.map(({ question, sessions }): Case => {
    const chunks = sessions.map(({ id, date, turns }, position) => ({
      id,
      text: sessionText(turns),
      metadata: { source: id, position, date },
    }));
    const gold = new Set(question.answer_session_ids);
    return {
      ...basicsOf(question),
      chunks,
      relevant: sessions.flatMap(({ id }) => (gold.has(id) ? [id] : [])),
    };
  });
  return cases && { cases: withEvidence(cases, tally), counts: tally.counts };
}

/** Chunks are turns of all sessions. */
export function loadLongMemEvalTurns(dataDir: string): Dataset | undefined {
  const tally = new Tally();
  const marks = readMarks(dataDir);
  const cases = readHaystacks(dataDir, tally)?.flatMap(({ question, sessions }): Case[] => {
    const marked = marks.get(question.question_id);
    if (marked === undefined) {
      tally.add('questions skipped, not in the file with marked turns');
      return [];
    }
    const relevant: string[] = [];
    const chunks = sessions.flatMap(({ id: source, date, turns }): Chunk[] =>
      turns.flatMap(({ role, content }, position) => {
        if (content.trim() === '') return [];
        const id = `${source}#${position}`;
        if (marked.has(markOf(source, content))) relevant.push(id);
        return [{ id, text: content, metadata: { speaker: role, source, position, date } }];
      }),
    );
    return [{ ...basicsOf(question), chunks, relevant }];
  });
  return cases && { cases: withEvidence(cases, tally), counts: tally.counts };
}

function readHaystacks(dataDir: string, tally: Tally): Haystack[] | undefined {
  const files = filesOf(dataDir, 'longmemeval', /longmemeval.*_questions\.jsonl(\.gz)?$/i);
  if (files.length === 0) return undefined;
  const turnsOf = readSessions(dataDir);
  return files
    .flatMap((file) => readLines(file, questionLine))
    .map((question) => {
      const sessions = new Map<string, Session>();
      for (const [at, id] of question.haystack_session_ids.entries()) {
        const turns = turnsOf.get(question.haystack_session_keys[at] ?? '');
        if (turns === undefined) tally.add('sessions skipped, without text');
        else if (sessions.has(id)) tally.add('sessions skipped, twice in a haystack');
        else sessions.set(id, { id, date: question.haystack_dates[at] ?? '', turns });
      }
      return { question, sessions: [...sessions.values()] };
    });
}

/** By key: the turns of a session. */
export function readSessions(dataDir: string): Map<string, readonly Turn[]> {
  return new Map(
    filesOf(dataDir, 'longmemeval', /longmemeval.*_sessions\.jsonl(\.gz)?$/i)
      .flatMap((file) => readLines(file, sessionLine))
      .map(({ key, turns }) => [key, turns]),
  );
}

/** Questions with the sessions that answer them, and no others. */
export function readOracle(dataDir: string): z.output<typeof oracle> {
  return filesOf(dataDir, 'longmemeval', /longmemeval.*oracle.*\.json(\.gz)?$/i).flatMap((file) =>
    readJson(file, oracle),
  );
}

/** By question: the turns that answer it. */
function readMarks(dataDir: string): Map<string, Set<string>> {
  return new Map(
    readOracle(dataDir).map(({ question_id, haystack_session_ids, haystack_sessions }) => [
      question_id,
      new Set(
        haystack_sessions.flatMap((turns, at) =>
          turns
            .filter(({ has_answer }) => has_answer === true)
            .map(({ content }) => markOf(haystack_session_ids[at] ?? '', content)),
        ),
      ),
    ]),
  );
}

export function sessionText(turns: readonly Turn[]): string {
  return turns.map(({ role, content }) => `${role}: ${content}`).join('\n');
}

const markOf = (session: string, content: string) => JSON.stringify([session, content.trim()]);

function basicsOf(question: Haystack['question']) {
  const { question_id: id, question_type: category, question: text, answer } = question;
  return { id, group: id, category, question: text, answers: [], reply: String(answer), facts: [] };
}

function withEvidence(cases: readonly Case[], tally: Tally): Case[] {
  const usable = cases.filter(({ relevant }) => relevant.length > 0);
  tally.add('questions used', usable.length);
  if (usable.length < cases.length)
    tally.add('questions skipped, without evidence in the haystack', cases.length - usable.length);
  return usable;
}
