import type { Utility } from '../ecs/belief.js';
import type { EcsOptions } from '../ecs/measure.js';
import { logistic } from '../math/logprobs.js';
import type { PipelineStage } from '../pipeline.js';
import { isBlank, withSignals } from '../pool/candidate.js';
import { gate } from '../pool/gate.js';
import { changedParts } from '../relevance/model.js';
import { onDemand } from '../runtime/on-demand.js';
import type { Candidate, Degradation } from '../types.js';

const NAME = 'ecs';

/** Most pages and programs never ask a model. */
const loadMeasure = onDemand(() => import('../ecs/measure.js'));

/**
 * Entropic Context Shaping: measures how far each of the most relevant candidates moves the model's belief in the answer,
 * and blends the result into relevance. The utility, mapped by the logistic function so that 0 nats are .5, gets the weight
 * `share`, of the options or of the profile. The utility given the better candidates ranks. A candidate that was not
 * measured gets the median of the measured utilities, or 0 nats if that is less. If the model is not trusted, or fails, relevance does not change.
 *
 * With `minUtility`, it evicts candidates whose own measured utility is lower, unless they are pinned.
 */
export function ecs(options: EcsOptions & { allowEmpty: boolean }): PipelineStage {
  return {
    name: NAME,
    async run(input) {
      const { measure } = await loadMeasure();
      const measurement = await measure(input, options);
      const { utilities, share, use } = measurement;
      const degradations = measurement.degradations.map((each): Degradation => ({ stage: NAME, ...each }));
      if (utilities.size === 0) return { kept: input.candidates, evicted: [], degradations, ecs: use };
      const unmeasured = Math.min(0, median([...utilities.values()].map(rankingUtility)));
      const weighed = input.candidates.map((candidate) =>
        weigh(candidate, utilities.get(candidate.index), unmeasured, share),
      );
      const { minUtility, allowEmpty } = options;
      const gated = gate(NAME, weighed, {
        fails: ({ pinned, signals: { utility } }) =>
          !pinned && minUtility != null && utility !== undefined && utility < minUtility,
        worth: ({ signals }) => signals.utility,
        reasonOf: () => ({ reason: 'low-utility', minUtility: minUtility as number }),
        spares: (candidate) => !isBlank(candidate),
        allowEmpty,
        code: 'utility-gate-lifted',
        option: 'ecs.minUtility',
        bound: minUtility ?? undefined,
        most: 'has the most utility',
      });
      return { ...gated, degradations: [...degradations, ...gated.degradations], ecs: use };
    },
  };
}

/** The lower median of at least one value. */
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
  const { signals } = candidate;
  // Without a relevance, utility alone ranks.
  const share = signals.relevance === undefined ? 1 : wanted;
  const part = share * logistic(measured === undefined ? unmeasured : rankingUtility(measured));
  const relevance = (1 - share) * (signals.relevance ?? 0) + part;
  return withSignals(candidate, {
    relevance,
    features: changedParts(signals, 'utility', relevance),
    ...(measured === undefined ? {} : { utility: measured.utility }),
    ...(measured?.jointUtility === undefined ? {} : { jointUtility: measured.jointUtility }),
  });
}
