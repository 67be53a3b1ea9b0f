import { seededRandom, shuffled } from '../../../devtools/src/measurement/index.js';
import type { Rival } from '../rival.js';

export default {
  name: 'random',
  ignoresBudget: true,
  select: ({ chunks, seed }) => shuffled(chunks, seededRandom(-1 - seed)),
} satisfies Rival;
