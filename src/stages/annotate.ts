import type { ResolvedOptions } from '../input/options.js';
import type { PipelineStage } from '../pipeline.js';
import { evict, withSignals } from '../pool/candidate.js';
import { by } from '../pool/ranking.js';
import type { TokenCounter } from '../ports.js';
import { entropyOf } from '../text/entropy.js';
import type { Candidate, Degradation } from '../types.js';

const NAME = 'annotate';

/**
 * Counts tokens and measures entropy. With `minEntropy`, evicts boilerplate: candidates whose blended
 * entropy is lower, unless pinned. Tokens are counted even when the rest is off (`entropy: false`), for
 * every limit rests on them.
 */
export function annotate(options: {
  countTokens: TokenCounter;
  entropy: ResolvedOptions['annotate'];
  allowEmpty: boolean;
}): PipelineStage {
  const { countTokens, entropy, allowEmpty } = options;
  return {
    name: NAME,
    async run({ candidates, lexicon, pacer }) {
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
      return gate(annotated, entropy === false ? 0 : entropy.minEntropy, allowEmpty);
    },
  };
}

function gate(candidates: readonly Candidate[], minEntropy: number, allowEmpty: boolean) {
  const blend = (candidate: Candidate) => candidate.signals.entropy?.blend ?? 1;
  const passes = (candidate: Candidate) => candidate.pinned || blend(candidate) >= minEntropy;
  const spared = allowEmpty || candidates.some(passes) ? undefined : candidates.toSorted(by(blend))[0];
  const stays = (candidate: Candidate) => passes(candidate) || candidate === spared;
  const degradations: Degradation[] =
    spared === undefined
      ? []
      : [
          {
            stage: NAME,
            code: 'entropy-gate-lifted',
            message: `Every chunk was below annotate.minEntropy ${minEntropy}; kept ${JSON.stringify(spared.id)}, which has the most entropy.`,
          },
        ];
  return {
    kept: candidates.filter(stays),
    evicted: candidates
      .filter((candidate) => !stays(candidate))
      .map((candidate) =>
        evict(candidate, NAME, { reason: 'low-entropy', entropy: blend(candidate), minEntropy }),
      ),
    degradations,
  };
}
