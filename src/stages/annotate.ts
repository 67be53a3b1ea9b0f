import type { ResolvedOptions } from '../input/options.js';
import type { PipelineStage } from '../pipeline.js';
import { withSignals } from '../pool/candidate.js';
import { gate } from '../pool/gate.js';
import { entropyOf } from '../text/entropy.js';
import type { Candidate } from '../types.js';

const NAME = 'annotate';

/**
 * Counts tokens and measures entropy. With `minEntropy`, it evicts boilerplate: candidates with a lower blended entropy,
 * unless they are pinned. Tokens are counted even with `entropy: false`, because every limit needs them.
 */
export function annotate(options: {
  entropy: ResolvedOptions['annotate'];
  allowEmpty: boolean;
}): PipelineStage {
  const { entropy, allowEmpty } = options;
  return {
    name: NAME,
    async run({ candidates, countTokens, lexicon, pacer }) {
      const annotated: Candidate[] = [];
      for (const candidate of candidates) {
        if (pacer.due()) await pacer.pause();
        const tokens = countTokens(candidate.rendered);
        if (entropy === false) {
          annotated.push(withSignals(candidate, { tokens }));
          continue;
        }
        annotated.push(
          withSignals(candidate, { tokens, entropy: { ...lexicon.found(candidate.text, entropyOf) } }),
        );
      }
      const minEntropy = entropy === false ? 0 : entropy.minEntropy;
      const blend = (candidate: Candidate) => candidate.signals.entropy?.blend ?? 1;
      return gate(NAME, annotated, {
        fails: (candidate) => !candidate.pinned && blend(candidate) < minEntropy,
        worth: blend,
        reasonOf: (candidate) => ({ reason: 'low-entropy', entropy: blend(candidate), minEntropy }),
        allowEmpty,
        code: 'entropy-gate-lifted',
        option: 'annotate.minEntropy',
        bound: minEntropy,
        most: 'has the most entropy',
      });
    },
  };
}
