import type { JsonObject } from 'context-shaping/kit';

/** Whether a value conforms to a JSON schema, by the validator of the SDK, which the client uses too. */
export async function isValid(value: unknown, schema: JsonObject): Promise<boolean> {
  // Few tools have a schema of their output.
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv');
  return new AjvJsonSchemaValidator().getValidator(schema)(value).valid;
}
