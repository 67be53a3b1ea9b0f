/**
 * Long conversations of two people in many sessions, and questions with the turns that answer them.
 *
 * Source: A. Maharana et al., "Evaluating very long-term conversational memory of LLM agents" (LoCoMo), 2024.
 */
import type { Chunk } from 'context-shaping';
import * as z from 'zod/mini';
import { type Case, type Dataset, Tally } from './case.js';
import { filesOf, readJson } from './files.js';

const turn = z.object({
  dia_id: z.string(),
  speaker: z.string(),
  text: z.string(),
  blip_caption: z.nullish(z.string()),
});
const conversations = z.array(
  z.object({
    sample_id: z.string(),
    // Besides sessions it holds their dates and the names of the speakers.
    conversation: z.record(z.string(), z.union([z.string(), z.array(turn)])),
    qa: z.array(
      z.object({
        question: z.string(),
        answer: z.optional(z.union([z.string(), z.number()])),
        category: z.int(),
        evidence: z._default(z.array(z.string()), []),
      }),
    ),
  }),
);

/** The kinds of question, as the authors number them. */
const CATEGORIES: Readonly<Record<number, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial',
};

/** Chunks are turns, with the caption of an image where there is one. */
export function loadLocomo(dataDir: string): Dataset | undefined {
  const files = filesOf(dataDir, 'locomo', /locomo.*\.json(\.gz)?$/i);
  if (files.length === 0) return undefined;
  const tally = new Tally();
  const cases: Case[] = [];
  for (const { sample_id, conversation, qa } of files.flatMap((file) => readJson(file, conversations))) {
    tally.add('conversations');
    const chunks = turnsOf(conversation);
    const ids = new Set(chunks.map(({ id }) => id));
    for (const [at, { question, answer, category, evidence }] of qa.entries()) {
      const relevant = repairEvidence(evidence, ids, tally);
      if (relevant.length === 0) {
        tally.add('questions skipped, without evidence');
        continue;
      }
      tally.add('questions used');
      cases.push({
        id: `${sample_id}-${at}`,
        group: sample_id,
        category: CATEGORIES[category] ?? `category ${category}`,
        question,
        chunks,
        relevant,
        answers: [],
        ...(answer === undefined ? {} : { reply: String(answer) }),
        facts: [],
      });
    }
  }
  return { cases, counts: tally.counts };
}

function turnsOf(conversation: z.output<typeof conversations>[number]['conversation']): Chunk[] {
  return Object.entries(conversation).flatMap(([session, turns]) =>
    typeof turns === 'string'
      ? []
      : turns.map(({ dia_id, speaker, text, blip_caption }, position) => ({
          id: dia_id,
          text: blip_caption ? `${text} ${blip_caption}` : text,
          metadata: { speaker, source: session, position, date: conversation[`${session}_date_time`] },
        })),
  );
}

/** The turns that a list of evidence names: several in one string are told apart, slips of writing mended. */
export function repairEvidence(
  evidence: readonly string[],
  ids: ReadonlySet<string>,
  tally: Tally,
): string[] {
  const found = new Set<string>();
  for (const entry of evidence) {
    if (ids.has(entry)) {
      found.add(entry);
      continue;
    }
    const named = Array.from(
      entry.matchAll(/D[:\s]*0*(\d+)\s*:\s*0*(\d+)/gi),
      ([, session, place]) => `D${session}:${place}`,
    ).filter((id) => ids.has(id));
    tally.add(named.length > 0 ? 'evidence entries repaired' : 'evidence entries skipped, naming no turn');
    for (const id of named) found.add(id);
  }
  return [...found];
}
