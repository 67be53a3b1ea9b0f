/** The names of the stages that run, in their order. The first call loads the stages themselves. */
import { mergeOptions, type ResolvedOptions, resolveOptions } from './input/options.js';
import type { ShapingOptions } from './input/shaping-options.js';
import { type Arrangement, arrange, camelCased, leftOut, REQUIRED } from './stages/custom/arrangement.js';

/**
 * The default stages, in order of execution. If all chunks left after de-duplication fit `k` and the budget, they are
 * kept whole: `cluster`, `select`, `extract` and `budget` act only under pressure.
 */
const DEFAULT_STAGES = [
  'flag',
  'annotate',
  'exact-dedup',
  'embed',
  'semantic-dedup',
  'relevance',
  'cluster',
  'ecs',
  'select',
  'extract',
  'budget',
  'order',
] as const;
export type DefaultName = (typeof DEFAULT_STAGES)[number];

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
  const on = DEFAULT_STAGES.filter(
    (name) => REQUIRED.includes(name) || all[camelCased(name) as keyof ResolvedOptions] !== false,
  );
  if (all.stages === undefined) return { options: all, arrangement: on };
  const arrangement = arrange(all, on);
  return { options: resolveOptions(mergeOptions({ ...given }, leftOut(arrangement, on))), arrangement };
}
