/** The shaping options that a request may set: all except services and functions. */
import { createRequire } from 'node:module';
import { invalidOption, isObject, type JsonObject } from 'context-shaping/kit';

const {
  $id: _id,
  $schema: _schema,
  title: _title,
  description: _description,
  $defs: { leftOut },
  ...schema
} = createRequire(import.meta.url)('context-shaping/options.schema.json');

/** The options of a request to `/v1/shape`. */
export const jsonOptionsSchema: JsonObject = schema;

/** Paths of the options that only the operator can set: `embedder`, `ecs.model`, … */
const operatorsOptions: readonly string[] = leftOut.enum;

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
