import { lazyRegExp } from '../runtime/lazily.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { type MeantRole, meantRole } from './meant-role.js';
import type { Passage, Question } from './passage.js';

/** Names of the two sides of a chat, in lower case. */
const NAMES: Readonly<Record<MeantRole, RegExp>> = {
  user: /^(?:user|human|customer)$/,
  assistant: /^(?:assistant|ai|bot|model)$/,
};
const OTHER_ROLE = /^(?:system|developer|tool|function|agent)$/;
const NO_WORD = lazyRegExp(String.raw`[^\p{L}\p{N}]+`, 'u');

/** Returns whether a speaker, in lower case, is a role in a chat with a model. */
export const isRole = (speaker: string): boolean =>
  NAMES.user.test(speaker) || NAMES.assistant.test(speaker) || OTHER_ROLE.test(speaker);

/** The speakers that a question names, or the side of a chat that it means. */
export class NamedSpeakers {
  /**
   * Stems of the words that name these speakers. They do not match words in a text, because in a talk the other speakers
   * address people by name.
   */
  readonly names = new Set<number>();
  readonly #meant = new Map<string, boolean>();

  constructor({ words, text }: Question, passages: readonly Passage[], vocabulary: Vocabulary) {
    const asked = new Set(words.map((word) => word.replace(/'s$/, '')));
    const role = meantRole(text);
    for (const { speaker } of passages) {
      if (speaker === undefined || this.#meant.has(speaker)) continue;
      const named = speaker.split(NO_WORD()).filter((part) => part !== '' && asked.has(part));
      this.#meant.set(speaker, named.length > 0 || (role !== undefined && NAMES[role].test(speaker)));
      for (const name of named) this.names.add(vocabulary.stemOf(vocabulary.idOf(name)));
    }
  }

  /** Returns whether one of these speakers said the passage. */
  haveSaid({ speaker }: Passage): boolean {
    return speaker !== undefined && this.#meant.get(speaker) === true;
  }
}
