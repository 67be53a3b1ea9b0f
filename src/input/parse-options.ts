/** Converts the first issue of a schema into an error that a reader can act on. */
import type * as z from 'zod/mini';
import { ContextShapingError, type ErrorText } from '../errors.js';
import { groupOf, last, namesLike } from './names.js';

/** An object of JSON: keys and values. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object and neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Schemas by name; `undefined` for a name whose value has no names of its own. */
type Shape = Readonly<Record<string, unknown>>;

/**
 * Checks options against a schema and fills in its defaults.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong.
 */
export function parseOptions<S extends z.ZodMiniType>(schema: S, options: unknown): z.output<S> {
  // Compiling the check takes longer than to check once.
  const parsed = schema.safeParse(options, { jitless: true });
  if (parsed.success) return parsed.data;
  throw toError(parsed.error.issues, options, schema);
}

/**
 * Checks the names of options; their values are checked elsewhere. An option that is `undefined` counts as not given.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that `shape` does not have.
 */
export function checkNames(options: unknown, shape: Shape): void {
  if (!isObject(options)) {
    throw new ContextShapingError('invalid-options', {
      field: WHOLE,
      value: options,
      is: 'must be an object',
      remedy: 'Give an object with options, or leave it out.',
    });
  }
  const wrong = Object.keys(options).find((key) => options[key] !== undefined && !Object.hasOwn(shape, key));
  if (wrong === undefined) return;
  const remedy = correctName({ shape }, [], wrong);
  throw new ContextShapingError('invalid-options', {
    field: wrong,
    value: options[wrong],
    is: 'is not an option',
    remedy,
  });
}

/** Runs `make`. An error about an option names it with the group that it is in: `compressor.k`. */
export function inGroup<T>(group: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!ContextShapingError.isInstance(error)) throw error;
    throw error.renamed((field) => (field === WHOLE ? group : `${group}.${field}`));
  }
}

/** Options whose values no error shows. */
const SECRETS: ReadonlySet<PropertyKey | undefined> = new Set(['apiKey', 'handleKey']);

/** The field of an error about the options themselves. */
const WHOLE = 'options';

function toError(
  issues: readonly z.core.$ZodIssue[],
  options: unknown,
  schema: z.ZodMiniType,
): ContextShapingError {
  const [first] = issues as [z.core.$ZodIssue];
  // An option may be missing because its name is misspelt.
  const misspelt = issues.find(({ code }) => code === 'unrecognized_keys');
  const isMissing = valueAt(options, first.path) === undefined;
  const { issue, path } = innermost((isMissing ? misspelt : undefined) ?? first, []);
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const full = unknownKey === undefined ? path : [...path, unknownKey];
  const given = valueAt(options, full);
  const value = given !== undefined && SECRETS.has(full.at(-1)) ? '…' : given;
  const field = full.length === 0 ? WHOLE : full.map(String).join('.');
  const names = issue.code === 'invalid_type' && issue.expected === 'object' ? namesIn(schema, full) : [];
  const correct = (name: (field: string) => string) =>
    names.length > 0 ? `Give an object with ${names.join(', ')}` : `Correct ${name(field)}`;
  const remedy: ErrorText =
    unknownKey === undefined
      ? (name) => `${correct(name)}${value === undefined ? '.' : ', or leave it out.'}`
      : correctName(schema, path, unknownKey);
  return new ContextShapingError('invalid-options', { field, value, is: problem(issue), remedy });
}

/** Issues of values that have the requested type. */
const OF_THE_RIGHT_TYPE: ReadonlySet<string | undefined> = new Set([
  'too_small',
  'too_big',
  'invalid_format',
]);

/** Follows the branch of a failed union that matched furthest: its issue is the one that a reader can act on. */
function innermost(
  issue: z.core.$ZodIssue,
  prefix: PropertyKey[],
): { issue: z.core.$ZodIssue; path: PropertyKey[] } {
  const path = [...prefix, ...issue.path];
  if (issue.code !== 'invalid_union') return { issue, path };
  const branches = issue.errors.map((issues) => issues[0]).filter((first) => first !== undefined);
  const deep =
    branches.find((first) => first.path.length > 0 || first.code === 'unrecognized_keys') ??
    branches.find((first) => OF_THE_RIGHT_TYPE.has(first.code));
  return deep === undefined ? { issue, path } : innermost(deep, path);
}

/** The problem, as the end of a sentence that begins with the name of the option. */
function problem(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'is not an option';
  const expected = expectation(issue);
  return expected === undefined ? issue.message : `must be ${expected}`;
}

const LENGTHS: Readonly<Record<string, string>> = { string: ' characters long', array: ' entries long' };

/** The values that are right. Undefined for a check with a message of its own. */
function expectation(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${LENGTHS[issue.origin] ?? ''}`;
    case 'too_big':
      return `at most ${issue.maximum}${LENGTHS[issue.origin] ?? ''}`;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(', ');
    case 'invalid_type':
      if (issue.expected === 'int') return 'a whole number';
      if (issue.expected === 'number') return 'a finite number';
      return `${/^[ao]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'invalid_union':
      return issue.errors
        .flatMap(([first]) => (first === undefined ? [] : (expectation(first) ?? first.message)))
        .map((each) => each.replace(/^must be /, ''))
        .join(', or ');
    default:
      return undefined;
  }
}

/** Names the options that are most like the wrong name; if there are none, the options of this place. */
function correctName(schema: unknown, path: readonly PropertyKey[], wrong: string): ErrorText {
  const like = namesLike(wrong, groupAt(path), pathsOf(schema, isInList(path)));
  if (like.length > 0) return (name) => `Did you mean ${like.map(name).join(' or ')}?`;
  return `Remove it or correct its name; known here: ${namesIn(schema, path).join(', ')}.`;
}

/** The names of the options in the group at a path. */
function namesIn(schema: unknown, path: readonly PropertyKey[]): string[] {
  const known = pathsOf(schema, isInList(path));
  return known.filter((each) => groupOf(each) === groupAt(path)).map(last);
}

const groupAt = (path: readonly PropertyKey[]) => path.filter((step) => typeof step === 'string').join('.');
const isInList = (path: readonly PropertyKey[]) => path.some((step) => typeof step === 'number');

/** Every option of a schema, with those it is nested in; those of the entries of lists only if asked for. */
function pathsOf(schema: unknown, withLists: boolean): string[] {
  return Object.entries(shapeOf(schema, withLists) ?? {}).flatMap(([key, inner]) => [
    key,
    ...pathsOf(inner, withLists).map((path) => `${key}.${path}`),
  ]);
}

/** The shape of an object schema, through defaults, lists and `false | object` unions. */
function shapeOf(schema: unknown, withLists: boolean): Shape | undefined {
  const { shape, def } = (schema ?? {}) as {
    shape?: Shape;
    def?: { innerType?: unknown; element?: unknown; options?: unknown[] };
  };
  if (shape !== undefined || def === undefined) return shape;
  const within = [def.innerType, withLists && def.element, ...(def.options ?? [])];
  return within.flatMap((each): Shape[] => {
    const found = each ? shapeOf(each, withLists) : undefined;
    return found === undefined ? [] : [found];
  })[0];
}

function valueAt(root: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    root,
  );
}

/** The value of a text that is JSON; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
