/**
 * The names of the stages that run, in their order: the default stages, with users' stages among them. The first call
 * loads the stages themselves.
 */

import { ContextShapingError } from '../errors.js';
import { FEATURES, mergeOptions, type ResolvedOptions, resolveOptions } from '../input/options.js';
import type { ShapingOptions } from '../input/shaping-options.js';
import { BASE } from '../relevance/model.js';
import type { DefaultStage, Stage } from '../stage.js';
import { defaultStage, STAGES, type StageFacts } from './default-stages.js';

const SPECIFICATION = 'v1';
const NAME = /^(?=.{1,40}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** The stages of a shaper, in order: default stages by name, and those of the user. */
export type Arrangement = readonly (string | Stage)[];

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

/**
 * Calls the user's function, and checks the stages that it returns.
 *
 * @param on names of the default stages that the options leave on, in their order.
 * @throws ContextShapingError `invalid-options`, naming the entry that is wrong.
 */
function arrange(options: ResolvedOptions, on: readonly string[]): Arrangement {
  if (options.stages === undefined) return on;
  const defaults = on.map(
    (name): DefaultStage => Object.freeze({ specificationVersion: SPECIFICATION, name }),
  );
  const chosen: unknown = options.stages(Object.freeze(defaults));
  if (!Array.isArray(chosen)) {
    throw wrong(
      'stages',
      chosen,
      'must return an array',
      'Return the default stages with your own among them.',
    );
  }
  const reserved = new Set<string>([
    ...on,
    ...Object.keys(options).map(hyphenated),
    ...FEATURES,
    BASE,
    'utility',
  ]);
  const arrangement = Array.from(chosen as unknown[], (each, place) => {
    const field = `stages[${place}]`;
    const { name, run, specificationVersion } = (each ?? {}) as Partial<Stage>;
    if (run === undefined && on.includes(name as string)) return name as string;
    if (typeof run !== 'function') {
      const remedy = 'Return default stages as they were given, and stages of your own with a method run.';
      throw wrong(field, each, 'is not a stage', remedy);
    }
    if (specificationVersion !== SPECIFICATION) {
      const remedy = `Set it to '${SPECIFICATION}', or install a release of context-shaping that has this version.`;
      throw wrong(
        `${field}.specificationVersion`,
        specificationVersion,
        `must be '${SPECIFICATION}'`,
        remedy,
      );
    }
    if (typeof name !== 'string' || !NAME.test(name)) {
      const remedy = 'Name it in lower-case words with hyphens, such as "cap-authors".';
      throw wrong(`${field}.name`, name, 'must be a name of at most 40 characters', remedy);
    }
    if (reserved.has(name)) {
      throw wrong(
        `${field}.name`,
        name,
        'is the name of a default stage or feature',
        'Give it another name.',
      );
    }
    return each as Stage;
  });
  checkOrder(arrangement, on);
  return arrangement;
}

function checkOrder(arrangement: Arrangement, on: readonly string[]): void {
  const names = arrangement.map(nameOf);
  for (const [place, name] of names.entries()) {
    if (names.indexOf(name) !== place) {
      throw wrong(
        `stages[${place}]`,
        name,
        'is there twice',
        'Let each stage run once, under a name of its own.',
      );
    }
  }
  const missing = (STAGES as readonly StageFacts[]).find(
    ({ name, isRequired }) => isRequired && !names.includes(name),
  );
  if (missing !== undefined) {
    const { name } = missing;
    throw wrong('stages', names.join(', '), `must have ${name}`, `Leave ${name} where it was.`);
  }
  const kept = on.filter((name) => names.includes(name));
  const moved = names.filter((name) => on.includes(name)).findIndex((name, place) => name !== kept[place]);
  if (moved !== -1) {
    const remedy = `Keep the order ${kept.join(', ')}, and place your own stages among them.`;
    throw wrong('stages', names.join(', '), 'must have the default stages in their order', remedy);
  }
  const early = arrangement.findIndex((each) => typeof each !== 'string');
  if (early !== -1 && early < names.indexOf('annotate')) {
    const remedy =
      'Place it after annotate, which counts the tokens that the report needs. If you searched for a default stage, check its name.';
    throw wrong(`stages[${early}]`, names[early], 'must not come before annotate', remedy);
  }
}

export const nameOf = (each: string | Stage): string => (typeof each === 'string' ? each : each.name);

/** The options that turn off the stages of `on` that were left out. */
const leftOut = (arrangement: Arrangement, on: readonly string[]): Record<string, false> =>
  Object.fromEntries(
    on.filter((name) => !arrangement.includes(name)).map((name) => [camelCased(name), false]),
  );

const camelCased = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
const hyphenated = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The place of the first stage that acts on limits. No limit changes the output of those before it. */
export const firstUnderLimits = (arrangement: Arrangement): number =>
  arrangement.findIndex((each) => (defaultStage(nameOf(each))?.acts ?? 'always') !== 'always');

function wrong(field: string, value: unknown, is: string, remedy: string): ContextShapingError {
  return new ContextShapingError('invalid-options', { field, value, is, remedy });
}
