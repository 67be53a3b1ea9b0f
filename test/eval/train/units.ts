import { LEXICAL } from '../../../src/relevance/features.js';
import { questionOf } from '../../../src/relevance/passage.js';
import { unitFeatures } from '../../../src/relevance/units.js';
import type { Case } from '../data/case.js';
import { holdsAnswer } from '../metrics.js';
import { type Example, toRows, UNIT_COLUMNS, type Weights } from './example.js';
import { stageInput, weighted } from './passages.js';

/**
 * The rows are the units of all chunks of a question, and those that hold its evidence answer it.
 *
 * @param weights of chunks: a unit's feature `chunk` is the relevance of its chunk under these.
 * @returns nothing if no unit is marked: a fact can span several, or be in a title.
 */
export async function unitExample(question: Case, weights: Weights): Promise<Example | undefined> {
  const input = stageInput({ ...question, seed: 0 });
  const { query, lexicon, pacer } = input;
  const candidates = await weighted(input, weights);
  const { units, byChunk, features } = await unitFeatures(
    questionOf(query.text, lexicon),
    candidates,
    lexicon,
    { names: LEXICAL, pacer },
  );
  const gold = units.flatMap(({ chunk, place }, row) => {
    const { id, text } = question.chunks[chunk] as Case['chunks'][number];
    const { start = 0, end = 0 } = byChunk[chunk]?.[place] ?? {};
    return isEvidence(question, id, text.slice(start, end)) ? [row] : [];
  });
  if (gold.length === 0) return undefined;
  return { group: question.group, features: toRows(UNIT_COLUMNS, features, units.length), gold };
}

/**
 * Is a unit of a chunk part of a fact, or the other way round? Where facts are whole paragraphs with an answer
 * each, the unit has to hold that; where the set has no facts, an answer to the question.
 */
function isEvidence({ relevant, answers, facts }: Case, chunk: string, unit: string): boolean {
  if (facts.length === 0) return relevant.includes(chunk) && holdsAnswer(unit, answers);
  const own = spaced(unit);
  return facts.some((fact) => {
    if (fact.chunk !== chunk) return false;
    if (fact.answer !== undefined) return holdsAnswer(unit, [fact.answer]);
    const text = spaced(fact.text);
    return text.includes(own) || own.includes(text);
  });
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();
