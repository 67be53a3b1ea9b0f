/** Converts the first issue of a schema into an error that a reader can act on. */
import type * as z from 'zod/mini';
import { ContextShapingError, type ErrorText } from '../errors.js';
import { namesLike, nearest } from './names.js';

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
  const { issue: inner, path } = innermost((isMissing ? misspelt : undefined) ?? first, []);
  const unknownKey = inner.code === 'unrecognized_keys' ? inner.keys[0] : undefined;
  const full = unknownKey === undefined ? path : [...path, unknownKey];
  const given = valueAt(options, full);
  const value = given !== undefined && SECRETS.has(full.at(-1)) ? '…' : given;
  const orLeaveItOut = value === undefined ? '.' : ', or leave it out.';
  const [is, remedy] = explain(inner, path, value, schema, orLeaveItOut);
  return new ContextShapingError('invalid-options', { field: fieldOf(full), value, is, remedy });
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

const fieldOf = (path: PropertyKey[]) => (path.length === 0 ? WHOLE : path.map(String).join('.'));

function explain(
  issue: z.core.$ZodIssue,
  path: PropertyKey[],
  value: unknown,
  schema: z.ZodMiniType,
  orLeaveItOut: string,
): [is: string, remedy: ErrorText] {
  const field = fieldOf(path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return ['is not an option', correctName(schema, path, issue.keys[0] as string)];
    case 'too_small':
      return [
        `must ${sizeOf(issue)} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue)}`,
        (name) =>
          `Give ${name(field)} a ${sizeOf(issue) === 'be' ? 'larger' : 'longer'} value${orLeaveItOut}`,
      ];
    case 'too_big':
      return [
        `must ${sizeOf(issue)} at most ${issue.maximum}${unitOf(issue)}`,
        (name) =>
          `Give ${name(field)} a ${sizeOf(issue) === 'be' ? 'smaller' : 'shorter'} value${orLeaveItOut}`,
      ];
    case 'invalid_value':
      return [
        'is not one of the known values',
        correctValue(value, issue.values) ?? `Give one of ${quoted(issue.values)}.`,
      ];
    case 'invalid_type':
      return [
        `must be ${expected(issue)}`,
        (name) => `Give ${name(field)} ${expected(issue)}${orLeaveItOut}`,
      ];
    case 'invalid_union': {
      const branches = issue.errors.flatMap((branch) => branch.slice(0, 1));
      const values = branches.flatMap((branch) => (branch.code === 'invalid_value' ? branch.values : []));
      return [
        `must be ${branches.map(choice).join(', or ')}`,
        correctValue(value, values) ?? ((name) => `Give ${name(field)} one of these${orLeaveItOut}`),
      ];
    }
    default:
      return [issue.message, (name) => `Correct ${name(field)}${orLeaveItOut}`];
  }
}

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };
const unitOf = ({ origin }: { origin: string }) => UNITS[origin] ?? '';
const sizeOf = ({ origin }: { origin: string }) => (origin in UNITS ? 'have' : 'be');

function choice(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return quoted(issue.values);
  return issue.code === 'invalid_type' ? expected(issue) : issue.message.replace(/^must be /, '');
}

function expected(issue: { expected: string; format?: unknown }): string {
  if (issue.expected === 'int' || issue.format === 'safeint') return 'a whole number';
  if (issue.expected === 'number') return 'a finite number';
  return issue.expected === 'object' || issue.expected === 'array'
    ? `an ${issue.expected}`
    : `a ${issue.expected}`;
}

const quoted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');

/** Names the options that are most like the wrong name; if there are none, the options of this place. */
function correctName(root: unknown, path: PropertyKey[], key: string): ErrorText {
  const like = namesLike(key, path.map(String).join('.'), pathsOf(root));
  if (like.length > 0) return (name) => `Did you mean ${like.map(name).join(' or ')}?`;
  return `Remove it or correct its name; known here: ${keysAt(root, path).join(', ')}.`;
}

/** Names the allowed value that is most like a wrong one; `undefined`, if there is none. */
function correctValue(value: unknown, allowed: readonly unknown[]): string | undefined {
  if (typeof value !== 'string') return undefined;
  const words = allowed.filter((each) => typeof each === 'string');
  const like = nearest(value, words);
  return like.length === 0 ? undefined : `Did you mean ${quoted(like)}?`;
}

/** The options of the group at this path. */
const keysAt = (root: unknown, path: PropertyKey[]): string[] => Object.keys(shapeAt(root, path));

function shapeAt(root: unknown, path: PropertyKey[]): Record<string, unknown> {
  let schema: unknown = root;
  for (const step of path) schema = shapeOf(schema)?.[String(step)] ?? elementOf(schema);
  return shapeOf(schema) ?? {};
}

/** Every option of a schema, with those it is nested in. */
function pathsOf(schema: unknown): string[] {
  return Object.entries(shapeOf(schema) ?? {}).flatMap(([key, inner]) => [
    key,
    ...pathsOf(inner).map((path) => `${key}.${path}`),
  ]);
}

/** The shape of an object schema, through defaults and `false | object` unions. */
function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  if (schema === undefined) return undefined;
  const { shape, def } = schema as {
    shape?: Record<string, unknown>;
    def?: { innerType?: unknown; options?: unknown[] };
  };
  if (shape !== undefined) return shape;
  if (def?.innerType !== undefined) return shapeOf(def.innerType);
  return def?.options?.map(shapeOf).find((found) => found !== undefined);
}

/** The schema of the elements of an array, through defaults. */
function elementOf(schema: unknown): unknown {
  const { def } = (schema ?? {}) as { def?: { element?: unknown; innerType?: unknown } };
  return def?.element ?? (def?.innerType === undefined ? undefined : elementOf(def.innerType));
}

function valueAt(root: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    root,
  );
}
