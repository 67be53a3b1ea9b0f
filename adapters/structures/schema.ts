/** The parts of a value that a JSON Schema (draft 4 to 2020-12) lets go. If in doubt, a value stays whole. */
import type { JsonNode } from './json-nodes.js';

type Schema = Record<string, unknown>;

/** The parts that may go from one value. */
export interface Freedom {
  /** Elements of an array may go, but not the first `fixed` ones, and `least` of them stay. */
  readonly elements: { readonly fixed: number; readonly least: number } | undefined;
  /** Fields of an object may go except the named ones, and `least` of them stay. */
  readonly fields: { readonly named: ReadonlySet<string>; readonly least: number } | undefined;
  /** A text may be cut. */
  readonly text: boolean;
  /** The same for the value of a field, or for an element. */
  of(child: JsonNode, index: number): Freedom;
}

/** Everything may go. */
export const FREE: Freedom = {
  elements: { fixed: 0, least: 0 },
  fields: { named: new Set(), least: 0 },
  text: true,
  of: () => FREE,
};

/** Nothing may go. */
const LOCKED: Freedom = { elements: undefined, fields: undefined, text: false, of: () => LOCKED };

/** Keywords that depend on the whole value in a way that this file does not follow. */
const OPAQUE = [
  'const',
  'enum',
  'not',
  'if',
  'contains',
  'dependencies',
  'dependentSchemas',
  'dependentRequired',
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
  '$recursiveRef',
];
const OF_TEXTS = ['pattern', 'minLength', 'maxLength', 'format', 'contentEncoding', 'contentMediaType'];
/** References within one value: more are a circle. */
const MOST_REFERENCES = 100;

/** @param node the value that the schema describes. */
export function freedomBy(schema: unknown, node: JsonNode): Freedom {
  return freedom([schema], node, schema);
}

function freedom(schemas: readonly unknown[], node: JsonNode, root: unknown): Freedom {
  const all = applicable(schemas, node, root);
  if (all === undefined) return LOCKED;
  const has = (names: readonly string[]) =>
    all.some((schema) => names.some((name) => Object.hasOwn(schema, name)));
  const most = (name: string) => Math.max(0, ...all.map((schema) => numberOf(own(schema, name))));
  const tuples = all.map((schema) => tupleOf(schema)?.length ?? 0);
  const named = new Set(
    all.flatMap((schema) => [
      ...Object.keys(objectOf(own(schema, 'properties')) ?? {}),
      ...(Array.isArray(own(schema, 'required')) ? (own(schema, 'required') as string[]) : []),
    ]),
  );
  return {
    elements: { fixed: Math.max(...tuples, 0), least: most('minItems') },
    fields: { named, least: most('minProperties') },
    text: !has(OF_TEXTS),
    of: (child, index) =>
      freedom(
        all.flatMap((schema) =>
          node.kind === 'array' ? elementSchemas(schema, index) : fieldSchemas(schema, child),
        ),
        child,
        root,
      ),
  };
}

/**
 * All schemas that the value must keep to, with those they refer to. All alternatives that the value may fulfil count
 * together, so a value that keeps to all of them keeps to the right one.
 */
function applicable(schemas: readonly unknown[], node: JsonNode, root: unknown): Schema[] | undefined {
  const found: Schema[] = [];
  const queue = [...schemas];
  for (let steps = 0; queue.length > 0; steps++) {
    const schema = queue.pop();
    if (schema === true || schema === undefined) continue;
    const given = objectOf(schema);
    if (given === undefined || steps > MOST_REFERENCES) return undefined;
    if (OPAQUE.some((name) => Object.hasOwn(given, name))) return undefined;
    const reference = own(given, '$ref');
    if (reference !== undefined) {
      const target = typeof reference === 'string' ? lookUp(root, reference) : undefined;
      if (target === undefined) return undefined;
      queue.push(target);
    }
    const everyOf = own(given, 'allOf');
    if (Array.isArray(everyOf)) queue.push(...everyOf);
    for (const name of ['anyOf', 'oneOf']) {
      const branches = own(given, name);
      if (!Array.isArray(branches)) continue;
      const possible = branches.filter((branch) => mayDescribe(branch, node, root));
      // The loss of an element could make a second branch of `oneOf` true.
      if (name === 'oneOf' && possible.length > 1) return undefined;
      queue.push(...possible);
    }
    found.push(given);
  }
  return found;
}

const KINDS: Record<JsonNode['kind'], readonly string[]> = {
  object: ['object'],
  array: ['array'],
  string: ['string'],
  other: ['number', 'integer', 'boolean', 'null'],
};

/** Whether the kind of the value excludes the schema. */
function mayDescribe(schema: unknown, node: JsonNode, root: unknown): boolean {
  let given = objectOf(schema);
  for (let steps = 0; given !== undefined && typeof own(given, '$ref') === 'string'; steps++) {
    if (steps > MOST_REFERENCES) return true;
    given = objectOf(lookUp(root, own(given, '$ref') as string));
  }
  const type = given === undefined ? undefined : own(given, 'type');
  return type === undefined || KINDS[node.kind].some((kind) => [type].flat().includes(kind));
}

/** The target of a reference within the document. */
function lookUp(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  const path = reference.slice(1);
  if (path === '') return root;
  if (!path.startsWith('/')) return undefined;
  let target = root;
  for (const step of path.slice(1).split('/')) {
    const name = decode(step).replaceAll('~1', '/').replaceAll('~0', '~');
    target =
      typeof target === 'object' && target !== null && Object.hasOwn(target, name)
        ? (target as Schema)[name]
        : undefined;
  }
  return target;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

const tupleOf = (schema: Schema): unknown[] | undefined =>
  [own(schema, 'prefixItems'), own(schema, 'items')].find((each): each is unknown[] => Array.isArray(each));

function elementSchemas(schema: Schema, index: number): unknown[] {
  const tuple = tupleOf(schema);
  if (tuple !== undefined && index < tuple.length) return [tuple[index]];
  const rest = Array.isArray(own(schema, 'items')) ? own(schema, 'additionalItems') : own(schema, 'items');
  return rest === undefined ? [] : [rest];
}

function fieldSchemas(schema: Schema, { key = '' }: JsonNode): unknown[] {
  const property = own(objectOf(own(schema, 'properties')) ?? {}, key);
  const patterns = Object.entries(objectOf(own(schema, 'patternProperties')) ?? {});
  const found = [...(property === undefined ? [] : [property]), ...patterns.map(([, each]) => each)];
  const rest = own(schema, 'additionalProperties');
  // Which pattern the key has is not tested: each of them counts.
  return rest === undefined || property !== undefined ? found : [...found, rest];
}

const own = (schema: Schema, name: string): unknown =>
  Object.hasOwn(schema, name) ? schema[name] : undefined;
const objectOf = (value: unknown): Schema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
