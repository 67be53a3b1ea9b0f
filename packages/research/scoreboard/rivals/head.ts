import type { Rival } from '../rival.js';
import { attributed, longest } from '../truncation.js';

/** As much of the beginning as fits, cut anywhere. */
export default {
  name: 'head',
  select(given, maxTokens) {
    const { text } = given;
    return attributed(
      given,
      longest(given, text.length, maxTokens, (characters) => text.slice(0, characters)),
    );
  },
} satisfies Rival;
