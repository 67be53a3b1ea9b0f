/** Features of the chunks and units of a list, and which of them hold evidence. */
import { resolveOptions } from '../../../../src/input/options.js';
import { toCandidates } from '../../../../src/input/to-candidates.js';
import { withSignals } from '../../../../src/pool/candidate.js';
import { chunkPassage, profileOf } from '../../../../src/relevance/chunks.js';
import { withoutEchoes } from '../../../../src/relevance/echo.js';
import { type LexicalFeature, lexicalFeatures } from '../../../../src/relevance/features.js';
import { questionOf } from '../../../../src/relevance/passage.js';
import { unitFeatures } from '../../../../src/relevance/units.js';
import { Pacer } from '../../../../src/runtime/pacer.js';
import * as background from '../../../../src/text/background.js';
import { Lexicon } from '../../../../src/text/lexicon.js';
import type { Case } from '../data/case.js';
import { holdsAnswer } from '../metrics.js';

/** Values by feature, one per row. A feature that does not apply is absent. */
export interface Features {
  readonly size: number;
  readonly of: Partial<Record<LexicalFeature, Float64Array>>;
}

export interface ChunkRows extends Features {
  readonly gold: readonly boolean[];
}

export interface UnitRows extends Features {
  readonly gold: readonly boolean[];
  /** The chunk of each unit, as an index. */
  readonly chunk: readonly number[];
  readonly lengths: Float64Array;
}

/** The chunks of a question as rows. */
export function chunkRows(question: Case, names: readonly LexicalFeature[]): ChunkRows {
  const { candidates, asked, lexicon, profile } = read(question);
  const passages = candidates.map((candidate) => chunkPassage(candidate, lexicon, profile));
  const own = withoutEchoes(passages, asked, lexicon.vocabulary);
  const language = profile === 'passages' ? background : undefined;
  const relevant = new Set(question.relevant);
  return {
    size: candidates.length,
    of: lexicalFeatures(asked, own, lexicon, { names, language }),
    gold: question.chunks.map(({ id }) => relevant.has(id)),
  };
}

/** The units of a question's chunks as rows. */
export async function unitRows(question: Case, names: readonly LexicalFeature[]): Promise<UnitRows> {
  const { candidates, asked, lexicon } = read(question);
  const whole = candidates.map((candidate) => withSignals(candidate, { relevance: 0 }));
  const { units, byChunk, features, lengths } = await unitFeatures(asked, whole, lexicon, {
    names,
    pacer: new Pacer(undefined),
  });
  const gold = units.map(({ chunk, place }) => {
    const { id, text } = question.chunks[chunk] as Case['chunks'][number];
    const { start = 0, end = 0 } = byChunk[chunk]?.[place] ?? {};
    return isEvidence(question, id, text.slice(start, end));
  });
  return { size: units.length, of: features, gold, chunk: units.map(({ chunk }) => chunk), lengths };
}

function read({ question: text, chunks }: Case) {
  const { candidates } = toCandidates({ query: { text }, chunks }, resolveOptions());
  const lexicon = new Lexicon();
  return { candidates, asked: questionOf(text, lexicon), lexicon, profile: profileOf(candidates) };
}

/**
 * Whether a unit of a chunk is part of a fact, or the other way round. Where facts are whole paragraphs with an answer
 * each, the unit has to hold that answer; where the set has no facts, an answer to the question.
 */
function isEvidence({ relevant, answers, facts }: Case, chunk: string, unit: string): boolean {
  if (facts.length === 0) return relevant.includes(chunk) && holdsSome(unit, answers);
  const own = spaced(unit);
  return facts.some((fact) => {
    if (fact.chunk !== chunk) return false;
    if (fact.answer !== undefined) return holdsAnswer(unit, [fact.answer]);
    const text = spaced(fact.text);
    return text.includes(own) || own.includes(text);
  });
}

/** Figures of tables have signs that the normal form of answers leaves out. */
const holdsSome = (unit: string, answers: readonly string[]) =>
  holdsAnswer(unit, answers) || answers.some((answer) => /\d/.test(answer) && unit.includes(answer));

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();
