/**
 * Learned weights and bounds of support. Written by `npm run train -- --support`; do not edit.
 *
 * The weights predict, as log-odds, which of the chunks that shaping keeps are evidence, in Natural Questions, HotpotQA
 * and MuSiQue. A third of the pools contains evidence, a third had its evidence removed, and a third was retrieved for
 * another question. With these bounds, at most 5 % of the pools with evidence count as incorrect, and at most 15 % of
 * the pools without it as correct.
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
