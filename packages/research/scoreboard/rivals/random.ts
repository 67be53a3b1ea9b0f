import { seededRandom, shuffled } from 'context-shaping/internal';
import type { Rival } from '../rival.js';

export default {
  name: 'random',
  ignoresBudget: true,
  select: ({ chunks, seed }) => shuffled(chunks, seededRandom(-1 - seed)),
} satisfies Rival;
