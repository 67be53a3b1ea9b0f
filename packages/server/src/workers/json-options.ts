/** The shaping options that a request may set: all except services and functions. */

import { invalidOption, isObject, type JsonObject, optionsSchema } from 'context-shaping/kit';
import * as z from 'zod';

export type JsonSchema = JsonObject;

const derived = z.toJSONSchema(optionsSchema(), { unrepresentable: 'any', io: 'input' }) as JsonSchema;

const { schema, left } = representable(derived, '');

/** The options of a request to `/v1/shape`. */
export const jsonOptionsSchema: JsonSchema = schema;

/** Paths of the options that only the operator can set: `embedder`, `ecs.model`, … */
const operatorsOptions: readonly string[] = left;

/**
 * Rejects options of the operator in a request. Merging them would change the operator's services: a different address,
 * for instance, would redirect their requests.
 *
 * @throws ContextShapingError `invalid-options`.
 */
export function refuseOperatorsOptions(options: JsonObject): void {
  for (const path of operatorsOptions) {
    const value = path.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), options);
    if (value === undefined) continue;
    const remedy = 'Leave it out. Only the operator of the service can set it.';
    throw invalidOption(path, value, 'cannot be set in a request', remedy);
  }
}

/** Removes options that JSON cannot represent. Their generated schemas are empty. */
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
