import type { PipelineStage } from '../../pipeline.js';
import { evict, withSignals } from '../../pool/candidate.js';
import { echoIn } from '../../relevance/echo.js';
import { isRole } from '../../relevance/named-speakers.js';
import { type Question, questionOf } from '../../relevance/passage.js';
import { hiddenFlag } from '../../text/hidden/flag.js';
import type { Lexicon } from '../../text/lexicon.js';
import { roleTagsIn } from '../../text/role-tags.js';
import {
  type Candidate,
  type Eviction,
  type Flag,
  type FlaggedChunk,
  type FlagKind,
  OWN_FLAG_KINDS,
} from '../../types.js';
import { instructionIn } from './instructions.js';
import { stuffedDensity } from './keyword-stuffing.js';
import { mixedWords } from './mixed-script.js';

const NAME = 'flag';
const MOST_TOLD = 3;
const LONGEST_TOLD = 40;

/**
 * Flags text that addresses the model or the search engine, not readers: an echo of the question, repetition of its words,
 * invisible characters, words of two scripts, forged role tags, instructions. Each of these has honest causes, so it evicts
 * only the kinds that the caller names, and never a pinned candidate.
 *
 * It reads texts as the caller gave them, even if `sanitise` changes them.
 */
export function flag({ evict: unwanted }: { evict: readonly FlagKind[] }): PipelineStage {
  return {
    name: NAME,
    async run({ candidates, query, lexicon, pacer, countTokens }) {
      const question = questionOf(query.text, lexicon);
      const kept: Candidate[] = [];
      const evicted: Eviction[] = [];
      const flagged: FlaggedChunk[] = [];
      for (const candidate of candidates) {
        const flags = [...ofQuestion(candidate, question, lexicon), ...ofText(candidate, lexicon)];
        if (flags.length > 0) flagged.push({ id: candidate.id, index: candidate.index, flags });
        const kinds = OWN_FLAG_KINDS.filter(
          (kind) => unwanted.includes(kind) && flags.some((each) => each.kind === kind),
        );
        if (kinds.length > 0 && !candidate.pinned) {
          const counted = withSignals(candidate, { tokens: countTokens(candidate.rendered) });
          evicted.push(evict(counted, NAME, { reason: 'flagged', kinds }));
        } else kept.push(candidate);
        if (pacer.due()) await pacer.pause();
      }
      return { kept, evicted, flagged };
    },
  };
}

function ofQuestion({ text }: Candidate, question: Question, lexicon: Lexicon): Flag[] {
  const terms = lexicon.searchTerms(text);
  const flags: Flag[] = [];
  const echo = echoIn(question, terms, text);
  if (echo !== undefined) {
    const words = echo.reduce((sum, each) => sum + each, 0);
    flags.push({ kind: 'query-echo', share: Math.min(1, words / question.sequence.length) });
  }
  const density = stuffedDensity(question, terms, lexicon.vocabulary);
  if (density !== undefined) flags.push({ kind: 'keyword-stuffing', density });
  return flags;
}

function ofText(candidate: Candidate, lexicon: Lexicon): readonly Flag[] {
  const {
    text,
    original = text,
    sources: [{ speaker }],
  } = candidate;
  const isTurn = speaker !== undefined && isRole(speaker.toLowerCase());
  return lexicon.found(original, isTurn ? flagsOfTurn : flagsOfText);
}

const flagsOfTurn = (text: string) => flagsOf(text, true);
const flagsOfText = (text: string) => flagsOf(text, false);

function flagsOf(text: string, isTurn: boolean): readonly Flag[] {
  const flags: Flag[] = [];
  const hidden = hiddenFlag(text);
  if (hidden !== undefined)
    flags.push({ kind: 'hidden-characters', ...hidden, classes: [...hidden.classes] });
  const words = mixedWords(text);
  if (words !== undefined) flags.push({ kind: 'mixed-script', words: words.map(shortened) });
  const tags = roleTagsIn(text).map(({ start, end }) => text.slice(start, end));
  if (tags.length > 0) {
    flags.push({ kind: 'role-tag', tags: [...new Set(tags.map(shortened))].slice(0, MOST_TOLD) });
  }
  const instruction = instructionIn(text, isTurn);
  if (instruction !== undefined) flags.push({ kind: 'instruction', text: instruction });
  return flags;
}

const shortened = (text: string) => text.trim().slice(0, LONGEST_TOLD);
