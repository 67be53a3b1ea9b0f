import type { Rival } from '../rival.js';
import { attributed, longest } from '../truncation.js';

/** As much of the end as fits, cut anywhere. */
export default {
  name: 'tail',
  select(given, maxTokens) {
    const { text } = given;
    return attributed(
      given,
      longest(given, text.length, maxTokens, (characters) => text.slice(text.length - characters)),
    );
  },
} satisfies Rival;
