/** What the library claims of its speed. */
import type { Circumstances, Claim } from './claim.js';
import { againstMlHclust, besideItsParts, latency, nearCopies } from './claims-beside-peers.js';
import { coldStart, growth, withoutSimd } from './claims-of-processes.js';

/** Claims that are measured together, by name. */
export const CLAIMS: Readonly<Record<string, (circumstances: Circumstances) => Promise<Claim[]>>> = {
  'beside its parts': besideItsParts,
  latency,
  'near-copies': nearCopies,
  'growth of texts': (circumstances) => growth(circumstances, 0),
  'growth of vectors': (circumstances) => growth(circumstances, 384),
  'beside ml-hclust': againstMlHclust,
  'cold start': coldStart,
  'without SIMD': withoutSimd,
};
