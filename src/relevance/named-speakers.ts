import { lazyRegExp } from '../runtime/lazily.js';
import type { Vocabulary } from '../text/vocabulary.js';
import type { Passage, Question } from './passage.js';

/** Names of roles in chats. "What did I say …" asks for the user's turns, "what did you …" for the assistant's. */
const USER = /^(?:user|human|customer)$/;
const ASSISTANT = /^(?:assistant|ai|bot|model)$/;
const OTHER_ROLE = /^(?:system|developer|tool|function|agent)$/;
const NO_WORD = lazyRegExp(String.raw`[^\p{L}\p{N}]+`, 'u');
const FIRST_PERSON = ['i', 'me', 'my', 'mine', "i'm", "i've", "i'd"];
const SECOND_PERSON = ['you', 'your', 'yours', "you've"];

/** Returns whether a speaker, in lower case, is a role in a chat with a model. */
export const isRole = (speaker: string): boolean =>
  USER.test(speaker) || ASSISTANT.test(speaker) || OTHER_ROLE.test(speaker);

/** The speakers that a question names, or refers to by a pronoun. */
export class NamedSpeakers {
  /**
   * Stems of the words that name these speakers. They do not match words in a text, because in a talk the other speakers
   * address people by name.
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

  /** Returns whether one of these speakers said the passage. */
  haveSaid({ speaker }: Passage): boolean {
    return speaker !== undefined && this.#meant.get(speaker) === true;
  }
}
