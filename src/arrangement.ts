/** The names of the stages that run, in their order. The first call loads the stages themselves. */
import { mergeOptions, type ResolvedOptions, resolveOptions } from './input/options.js';
import type { ShapingOptions } from './input/shaping-options.js';
import { type Arrangement, arrange, camelCased, leftOut } from './stages/custom/arrangement.js';
import { STAGES, type StageFacts } from './stages/shared/stages.js';

/** The resolved options of a shaper, with the order of all stages. */
export interface Arranged {
  readonly options: ResolvedOptions;
  readonly arrangement: Arrangement;
}

/**
 * Resolves options, and arranges the stages. A default stage that the user's function leaves out is off.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function arranged(given: ShapingOptions): Arranged {
  const all = resolveOptions(given);
  const isOn = ({ name, isRequired }: StageFacts) =>
    isRequired === true || all[camelCased(name) as keyof ResolvedOptions] !== false;
  const on = STAGES.filter(isOn).map(({ name }) => name);
  if (all.stages === undefined) return { options: all, arrangement: on };
  const arrangement = arrange(all, on);
  return { options: resolveOptions(mergeOptions({ ...given }, leftOut(arrangement, on))), arrangement };
}
