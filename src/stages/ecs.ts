import type { Utility } from '../ecs/belief.js';
import type { EcsOptions } from '../ecs/measure.js';
import { logistic } from '../math/logprobs.js';
import type { PipelineOutput, PipelineStage } from '../pipeline.js';
import { evict, isBlank, withSignals } from '../pool/candidate.js';
import { by } from '../pool/ranking.js';
import type { TokenCounter } from '../ports.js';
import type { Candidate, Degradation } from '../types.js';

const NAME = 'ecs';

/**
 * Entropic Context Shaping: measures how far each of the most relevant candidates moves the model's belief in
 * the answer, and lets that decide together with relevance: `share` of it is the utility, through the logistic
 * function, so that 0 nats are .5. What ranks is the utility given what was found better. What was not measured
 * counts as the middle of what was, or 0 nats if that is less. Where the model is not trusted, or fails, relevance
 * stays as it is.
 *
 * With `minUtility`, evicts what by itself was measured to be below, unless pinned.
 */
export function ecs(options: EcsOptions & { countTokens: TokenCounter; allowEmpty: boolean }): PipelineStage {
  return {
    name: NAME,
    async run(input) {
      // Not imported: most pages and programs never ask a model.
      const { measure } = await import('../ecs/measure.js');
      const measurement = await measure(input, options, options.countTokens);
      const { utilities, use } = measurement;
      const degradations = measurement.degradations.map((each): Degradation => ({ stage: NAME, ...each }));
      if (utilities.size === 0) return { kept: input.candidates, evicted: [], degradations, ecs: use };
      const unmeasured = Math.min(0, median([...utilities.values()].map(rankingUtility)));
      const weighed = input.candidates.map((candidate) =>
        weigh(candidate, utilities.get(candidate.index), unmeasured, options.share),
      );
      const gated = gate(weighed, options.minUtility ?? undefined, options.allowEmpty);
      return { ...gated, degradations: [...degradations, ...gated.degradations], ecs: use };
    },
  };
}

/** The lower middle one, of at least one. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] as number;
}

const rankingUtility = ({ utility, jointUtility = utility }: Utility) => jointUtility;

function weigh(
  candidate: Candidate,
  measured: Utility | undefined,
  unmeasured: number,
  wanted: number,
): Candidate {
  if (isBlank(candidate)) return candidate;
  const { relevance, features } = candidate.signals;
  // Where there is nothing to rank by but utility, it is all of it.
  const share = relevance === undefined ? 1 : wanted;
  const part = share * logistic(measured === undefined ? unmeasured : rankingUtility(measured));
  const rest = Object.entries(features ?? {}).map(([name, value]) => [name, (1 - share) * value]);
  return withSignals(candidate, {
    relevance: (1 - share) * (relevance ?? 0) + part,
    features: Object.freeze({ ...Object.fromEntries(rest), utility: part }),
    ...(measured === undefined ? {} : { utility: measured.utility }),
    ...(measured?.jointUtility === undefined ? {} : { jointUtility: measured.jointUtility }),
  });
}

function gate(
  candidates: readonly Candidate[],
  minUtility: number | undefined,
  allowEmpty: boolean,
): PipelineOutput & { degradations: Degradation[] } {
  const isLow = ({ pinned, signals }: Candidate) =>
    !pinned && minUtility !== undefined && signals.utility !== undefined && signals.utility < minUtility;
  const withText = candidates.filter((candidate) => !isBlank(candidate));
  const isLifted = !allowEmpty && withText.every(isLow);
  const spared = isLifted ? withText.sort(by(({ signals }) => signals.utility))[0] : undefined;
  const goes = (candidate: Candidate) => isLow(candidate) && candidate !== spared;
  return {
    kept: candidates.filter((candidate) => !goes(candidate)),
    evicted: candidates
      .filter(goes)
      .map((candidate) =>
        evict(candidate, NAME, { reason: 'low-utility', minUtility: minUtility as number }),
      ),
    degradations:
      spared === undefined
        ? []
        : [
            {
              stage: NAME,
              code: 'utility-gate-lifted',
              message: `Every chunk was below ecs.minUtility ${minUtility}; kept ${JSON.stringify(spared.id)}, which has the most utility.`,
            },
          ],
  };
}
