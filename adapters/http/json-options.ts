/** Which shaping options can come as JSON: all but services and functions. */
import * as z from 'zod';
import { ContextShapingError } from '../../src/index.js';
import { isObject, type JsonObject, optionsSchema } from '../../src/internal.js';

export type JsonSchema = JsonObject;

const derived = z.toJSONSchema(optionsSchema(), { unrepresentable: 'any', io: 'input' }) as JsonSchema;

const { schema, left } = representable(derived, '');

/** The options of a request to `/v1/shape`. */
export const jsonOptionsSchema: JsonSchema = schema;

/** Paths of the options that only the operator can give: `embedder`, `ecs.model`, … */
const operatorsOptions: readonly string[] = left;

/**
 * What the operator gave must not be changed by a caller either: an address laid over a service's own would send
 * its requests elsewhere.
 *
 * @throws ContextShapingError `invalid-options`.
 */
export function refuseOperatorsOptions(options: JsonObject): void {
  for (const path of operatorsOptions) {
    const value = path.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), options);
    if (value !== undefined) {
      throw new ContextShapingError('invalid-options', {
        field: path,
        value,
        is: 'cannot come with a request',
        remedy: 'Leave it out; who runs the service may set it.',
      });
    }
  }
}

/** A schema without what JSON has no form for, which came out as schemas that say nothing. */
function representable(schema: JsonSchema, path: string): { schema: JsonSchema; left: string[] } {
  const left: string[] = [];
  const walk = (inner: JsonSchema, at: string): JsonSchema => {
    const found = representable(inner, at);
    left.push(...found.left);
    return found.schema;
  };
  const result: JsonSchema = { ...schema };
  if (Array.isArray(schema.anyOf)) {
    result.anyOf = schema.anyOf.filter(saysSomething).map((inner) => walk(inner, path));
  }
  if (isObject(schema.properties)) {
    const properties: JsonObject = {};
    for (const [key, inner] of Object.entries(schema.properties)) {
      const at = path === '' ? key : `${path}.${key}`;
      if (saysSomething(inner)) properties[key] = walk(inner as JsonSchema, at);
      else left.push(at);
    }
    result.properties = properties;
  }
  return { schema: result, left };
}

function saysSomething(schema: unknown): boolean {
  return isObject(schema) && ['type', 'anyOf', 'enum', 'const'].some((key) => key in schema);
}
