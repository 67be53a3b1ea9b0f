/**
 * Learned weights and bounds of support. Written by `npm run train -- --support`; do not edit.
 *
 * Learned from Natural Questions, HotpotQA and MuSiQue: of chunks that shaping keeps, which are evidence? A third of
 * the pools holds evidence, from a third it was removed, and a third was retrieved for another question. Log-odds.
 * Under the bounds, at most 5 % of pools with evidence are incorrect, and 15 % of those without it correct.
 */
export const SUPPORT = {
  bias: -7.61,
  weights: {
    phrase: 3,
    rarest: 0.69,
    lead: 4.07,
    grams: 1.74,
    mass: 4.13,
    date: 0.56,
    number: 0.62,
  },
  lower: 0.07,
  upper: 0.28,
} as const;
