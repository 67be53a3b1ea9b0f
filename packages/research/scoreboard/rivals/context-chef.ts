import { Offloader } from 'context-chef';
import { versionOf } from '../installed.js';
import type { Rival } from '../rival.js';
import { attributed, longest } from '../truncation.js';

/** Nothing is written: what it keeps for later is not asked for. */
const adapter = { write() {}, read: () => null };

/** Its options are characters, so as many as fit are shown. The setting is the share of them from the beginning. */
export default {
  name: 'context-chef',
  package: 'context-chef',
  version: versionOf('context-chef'),
  settings: { 'the end': 0, 'half from each end': 0.5, 'the beginning': 1 },
  select(given, maxTokens, head: number) {
    const { text } = given;
    const offloader = new Offloader({ adapter });
    const shown = longest(given, text.length, maxTokens, (characters) => {
      const headChars = Math.round(characters * head);
      return offloader.offload(text, { threshold: 0, headChars, tailChars: characters - headChars }).content;
    });
    return attributed(given, shown);
  },
} satisfies Rival<number>;
