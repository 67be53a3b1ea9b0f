import { blend } from '../ecs/blend.js';
import { type EcsOptions, measure } from '../ecs/measure.js';
import type { PipelineStage } from '../pipeline.js';
import { isBlank, withSignals } from '../pool/candidate.js';
import { gate } from '../pool/gate.js';
import { changedParts } from '../relevance/model.js';
import type { Candidate, Degradation } from '../types.js';

const NAME = 'ecs';

/**
 * Entropic Context Shaping: measures the utility of each of the most relevant candidates by a language model, and blends
 * it into relevance with the weight `share`, of the options or of the profile (`ecs/blend.ts`). The utility given the
 * better candidates ranks. If the model is not trusted, or fails, relevance does not change.
 *
 * With `minUtility`, it evicts candidates whose own measured utility is lower, unless they are pinned.
 */
export function ecs(options: EcsOptions & { allowEmpty: boolean }): PipelineStage {
  return {
    name: NAME,
    async run(input) {
      const { utilities, use, degradations: complaints } = await measure(input, options);
      const degradations = complaints.map((each): Degradation => ({ stage: NAME, ...each }));
      if (utilities.size === 0) return { kept: input.candidates, evicted: [], degradations, ecs: use };
      const filled = input.candidates.filter((candidate) => !isBlank(candidate));
      // Without a relevance, utility alone ranks.
      const share = filled.some(({ signals }) => signals.relevance !== undefined) ? use.share : 1;
      const blended = blend(
        filled.map(({ index, signals: { relevance = 0.5 } }) => {
          const measured = utilities.get(index);
          return { relevance, utility: measured?.jointUtility ?? measured?.utility };
        }),
        share,
        use.method,
      );
      const relevanceOf = new Map(filled.map(({ index }, at) => [index, blended[at] as number]));
      const weighed = input.candidates.map((candidate): Candidate => {
        const relevance = relevanceOf.get(candidate.index);
        if (relevance === undefined) return candidate;
        const { utility, jointUtility } = utilities.get(candidate.index) ?? {};
        return withSignals(candidate, {
          relevance,
          features: changedParts(candidate.signals, 'utility', relevance),
          ...(utility === undefined ? {} : { utility }),
          ...(jointUtility === undefined ? {} : { jointUtility }),
        });
      });
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
