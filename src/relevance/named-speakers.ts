import { lazyRegExp } from '../runtime/lazily.js';
import type { Vocabulary } from '../text/vocabulary.js';
import type { Passage, Question } from './passage.js';

/** Roles that chat models go by. "What did I say …" asks for the user's turns, "what did you …" for the other's. */
const USER = /^(?:user|human|customer)$/;
const ASSISTANT = /^(?:assistant|ai|bot|model)$/;
const OTHER_ROLE = /^(?:system|developer|tool|function|agent)$/;
const NO_WORD = lazyRegExp(String.raw`[^\p{L}\p{N}]+`, 'u');
const FIRST_PERSON = ['i', 'me', 'my', 'mine', "i'm", "i've", "i'd"];
const SECOND_PERSON = ['you', 'your', 'yours', "you've"];

/** Is a speaker, in lower case, named by a role in a chat with a model? */
export const isRole = (speaker: string): boolean =>
  USER.test(speaker) || ASSISTANT.test(speaker) || OTHER_ROLE.test(speaker);

/** The speakers that a question names, or means by a pronoun. */
export class NamedSpeakers {
  /**
   * Stems of the words that name them. In the text they are no match: in a talk people are called by name by
   * those who are not asked for.
   */
  readonly names = new Set<number>();
  readonly #meant = new Map<string, boolean>();

  constructor({ words }: Question, passages: readonly Passage[], vocabulary: Vocabulary) {
    const asked = new Set(words.map((word) => word.replace(/'s$/, '')));
    const says = (pronouns: readonly string[]) => pronouns.some((pronoun) => asked.has(pronoun));
    const role = says(FIRST_PERSON) ? USER : says(SECOND_PERSON) ? ASSISTANT : undefined;
    for (const { speaker } of passages) {
      if (speaker === undefined || this.#meant.has(speaker)) continue;
      const named = speaker.split(NO_WORD()).filter((part) => part !== '' && asked.has(part));
      this.#meant.set(speaker, named.length > 0 || role?.test(speaker) === true);
      for (const name of named) this.names.add(vocabulary.stemOf(vocabulary.idOf(name)));
    }
  }

  /** Is the passage said by one of them? */
  haveSaid({ speaker }: Passage): boolean {
    return speaker !== undefined && this.#meant.get(speaker) === true;
  }
}
