import { importOptional, type JsonObject } from '../../src/internal.js';
import { INSTALL } from './install.js';

/** Whether a value conforms to a JSON schema, by the validator of the SDK, which the client uses too. */
export async function isValid(value: unknown, schema: JsonObject): Promise<boolean> {
  const { AjvJsonSchemaValidator } = await importOptional(
    () => import('@modelcontextprotocol/client/validators/ajv'),
    'the output schema of a tool',
    INSTALL,
  );
  return new AjvJsonSchemaValidator().getValidator(schema)(value).valid;
}
