/**
 * Which side of a chat an English question asks for: the turns of its user or those of the assistant.
 *
 * "What did you recommend to me?" has words of the first person and asks for the assistant's turns. So the subject of
 * the verb of saying decides, and pronouns elsewhere only if there is no such verb.
 */
import { lazily } from '../runtime/lazily.js';

export type MeantRole = 'user' | 'assistant';

const alternatives = (...lines: string[]) => lines.join(' ').split(' ').join('|');

/** Past forms of verbs of saying, and of making a text. A request has another form: "Can you recommend …". */
const SAID = alternatives(
  'said told recommended suggested mentioned gave given provided listed advised proposed offered named shared',
  'described explained outlined answered replied asked claimed cited quoted referred brought pointed talked spoke',
  'wrote written made created generated drafted composed compiled prepared designed planned summarised summarized',
  'translated calculated estimated chose chosen picked found used showed shown sent',
);
/** Names of things that somebody said. */
const SAYING = alternatives(
  'recommendation recommendations suggestion suggestions answer answers reply replies response responses advice',
  'list explanation description summary proposal statement words message messages question questions',
);
/** Verbs of questions on knowledge and state: "Did you know …". They report no words. */
const KNOWING = alternatives('know hear see notice get have mean');
const ADVERBS =
  '(?: (?:have|had|just|also|once|ever|already|previously|originally|first|last|earlier|then))*';

/** The subject of a verb of saying, or the owner of the words said, for each side. */
const SAYS = lazily(() => {
  const says = (pronoun: string, owner: string) =>
    String.raw`\bdid(?:n't)? ${pronoun} (?!(?:${KNOWING})\b)|\b(?:have|had) ${pronoun}${ADVERBS} (?:${SAID})\b|` +
    String.raw`\b${pronoun}(?:'ve|'d)?${ADVERBS} (?:${SAID})\b|\b${owner} (?:\w+ )?(?:${SAYING})\b`;
  return new RegExp(`(?<you>${says('you', 'your')})|(?<i>${says('i', 'my')})`);
});

/** Words that introduce the question itself. Their pronouns only say that somebody asks. */
const FRAME = lazily(() => {
  const ask = '(?:know|ask|check|confirm|clarify|verify|follow up|remember|recall)';
  return new RegExp(
    String.raw`^.*(?:\bi(?:'m| am| was|'ve been| have been)?(?: just)? (?:wondering|wonder|curious)\b|` +
      String.raw`\bi(?:'d| would)?(?: just)? (?:want|wanted|like|need|needed) to ${ask}\b|` +
      String.raw`\b(?:can|could|do|would) you(?: please| still)? ${ask}\b|` +
      String.raw`(?:^|,|\band|\bplease|\bcan|\bcould|\bwould|\byou) (?:remind|tell|show|give|let) me(?: know)?\b)`,
    's',
  );
});
const REMINDS = /\bremind me\b/;
const CONVERSATION =
  /\bour (?:\w+ )?(?:conversations?|chats?|discussions?|sessions?|talks?|exchanges?|games?)\b|\bwe (?:\w+ )?(?:discussed|talked|spoke|chatted)\b/;
const FIRST_PERSON = /\b(?:i|me|my|mine)\b/;
const OWNER = /\byours?\b/;
const SENTENCE_END = /(?<![.?!;\n])[.?!;\n]+(?=\s|$)/;

/**
 * Returns the role of the speaker whose words the question asks for, or undefined if it does not tell.
 *
 * The subject of the first verb of saying decides ("you mentioned", "did I say"), or the owner of the words said ("your
 * suggestions"). The last sentence that has one counts, after the words that only introduce the question ("I was
 * wondering …"). Otherwise "remind me" asks for the assistant's turns, unless it is followed by a word of the first person; other
 * words of the first person ask for the user's turns; and "your" asks for those of the assistant.
 */
export function meantRole(question: string): MeantRole | undefined {
  const sentences = question
    .toLowerCase()
    .replaceAll('’', "'")
    .split(SENTENCE_END)
    .map((sentence) => ` ${sentence.replace(/\s+/g, ' ').trim()}`)
    .filter((sentence) => sentence !== ' ')
    .toReversed();
  for (const sentence of sentences) {
    const { groups } = SAYS().exec(askedIn(sentence)) ?? SAYS().exec(sentence) ?? {};
    if (groups !== undefined) return groups.you === undefined ? 'user' : 'assistant';
  }
  const [last = ''] = sentences;
  const asked = askedIn(last);
  if (FIRST_PERSON.test(asked)) return 'user';
  if (sentences.some((sentence) => REMINDS.test(sentence))) return 'assistant';
  // Only the words that introduce the question have the first person.
  if (asked !== last || sentences.some((sentence) => CONVERSATION.test(sentence))) return undefined;
  if (sentences.some((sentence) => FIRST_PERSON.test(sentence))) return 'user';
  return OWNER.test(last) ? 'assistant' : undefined;
}

/** Returns what a sentence asks, without the words before it. */
const askedIn = (sentence: string): string => sentence.replace(FRAME(), ' ');
