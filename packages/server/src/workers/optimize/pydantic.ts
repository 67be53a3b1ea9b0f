/**
 * Reads a body by its JSON Schema as pydantic 2 does in its lax mode, because clients of SlimContext may rely on
 * that. `"3"` is the number 3, `2.0` is the integer 2, `"false"` is false, and unknown fields are ignored. Errors
 * have the form and the wording of pydantic: `type`, `loc`, `msg`.
 */
import type { JsonSchema } from './request.js';

export interface ValidationError {
  type: string;
  loc: (string | number)[];
  msg: string;
  /** The wrong value, if it is short. */
  input?: unknown;
  ctx?: Readonly<Record<string, unknown>>;
}

type Location = readonly (string | number)[];

/** Otherwise the errors about a vector of strings would be fifty times as long as the vector. */
const MOST_ERRORS = 100;

/** @returns the value, or the errors. */
export function readAsPydantic(
  schema: JsonSchema,
  value: unknown,
): { value: unknown } | { errors: ValidationError[] } {
  const reader = new Reader();
  const read = reader.read(schema, value, ['body']);
  return reader.errors.length === 0 ? { value: read } : { errors: reader.errors };
}

class Reader {
  readonly errors: ValidationError[] = [];

  read(schema: JsonSchema, value: unknown, loc: Location): unknown {
    const given = unlessNull(schema);
    if (given !== undefined) return value === null ? null : this.read(given, value, loc);
    if (schema.enum !== undefined) return this.#literal(schema.enum, value, loc);
    switch (schema.type) {
      case 'object':
        return this.#object(schema, value, loc);
      case 'array':
        return this.#array(schema, value, loc);
      case 'integer':
        return this.#within(schema, this.#integer(value, loc), value, loc);
      case 'number':
        return this.#within(schema, this.#number(value, loc), value, loc);
      case 'boolean':
        return this.#boolean(value, loc);
      default:
        return this.#string(schema, value, loc);
    }
  }

  #string({ pattern }: JsonSchema, value: unknown, loc: Location): string | undefined {
    if (typeof value !== 'string')
      return this.#wrong(loc, 'string_type', 'Input should be a valid string', value);
    if (pattern === undefined || new RegExp(pattern).test(value)) return value;
    // The only pattern in use requires a character that is not white space. SlimContext checks that in its own validator.
    const msg = `Value error, ${loc.at(-1)} must be a non-empty string.`;
    return this.#wrong(loc, 'value_error', msg, value, { error: {} });
  }

  #object({ properties, required }: JsonSchema, value: unknown, loc: Location): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return properties === undefined
        ? this.#wrong(loc, 'dict_type', 'Input should be a valid dictionary', value)
        : this.#wrong(
            loc,
            'model_attributes_type',
            'Input should be a valid dictionary or object to extract fields from',
            value,
          );
    }
    if (properties === undefined) return value;
    const given = value as Readonly<Record<string, unknown>>;
    const read: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(properties)) {
      const at = [...loc, name];
      if (Object.hasOwn(given, name)) read[name] = this.read(schema, given[name], at);
      else if (required?.includes(name)) this.#wrong(at, 'missing', 'Field required', value);
      else read[name] = schema.default;
    }
    return read;
  }

  #array({ items, minItems, maxItems }: JsonSchema, value: unknown, loc: Location): unknown {
    if (!Array.isArray(value)) return this.#wrong(loc, 'list_type', 'Input should be a valid list', value);
    const bound = (least: boolean, limit: number) =>
      this.#wrong(
        loc,
        least ? 'too_short' : 'too_long',
        `List should have at ${least ? 'least' : 'most'} ${limit} item${limit === 1 ? '' : 's'} after validation, not ${value.length}`,
        value,
        { field_type: 'List', [least ? 'min_length' : 'max_length']: limit, actual_length: value.length },
      );
    if (minItems !== undefined && value.length < minItems) return bound(true, minItems);
    if (maxItems !== undefined && value.length > maxItems) return bound(false, maxItems);
    // Vectors are most of a request and nearly always valid: they are checked once and not copied.
    if (items?.type === 'number' && value.every((item) => typeof item === 'number')) return value;
    return value.map((item, index) => this.read(items as JsonSchema, item, [...loc, index]));
  }

  #literal(choices: readonly string[], value: unknown, loc: Location): unknown {
    if (choices.includes(value as string)) return value;
    const quoted = choices.map((choice) => `'${choice}'`);
    const expected = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
    return this.#wrong(loc, 'literal_error', `Input should be ${expected}`, value, { expected });
  }

  #integer(value: unknown, loc: Location): number | undefined {
    if (typeof value === 'boolean') return Number(value);
    if (typeof value === 'string') {
      const digits = /^\s*([+-]?\d+(?:_\d+)*)(?:\.0+)?\s*$/.exec(value)?.[1];
      if (digits !== undefined) return Number(digits.replaceAll('_', ''));
      const msg = 'Input should be a valid integer, unable to parse string as an integer';
      return this.#wrong(loc, 'int_parsing', msg, value);
    }
    if (typeof value !== 'number')
      return this.#wrong(loc, 'int_type', 'Input should be a valid integer', value);
    if (!Number.isFinite(value)) return this.#infinite(value, loc);
    if (Number.isInteger(value)) return value;
    const msg = 'Input should be a valid integer, got a number with a fractional part';
    return this.#wrong(loc, 'int_from_float', msg, value);
  }

  #number(value: unknown, loc: Location): number | undefined {
    if (typeof value === 'boolean') return Number(value);
    const read = typeof value === 'string' ? decimal(value) : value;
    if (read === undefined) {
      const msg = 'Input should be a valid number, unable to parse string as a number';
      return this.#wrong(loc, 'float_parsing', msg, value);
    }
    if (typeof read !== 'number')
      return this.#wrong(loc, 'float_type', 'Input should be a valid number', value);
    // pydantic accepts infinite numbers, which later fail or are written as invalid JSON.
    return Number.isFinite(read) ? read : this.#infinite(read, loc);
  }

  #infinite(value: number, loc: Location): undefined {
    return this.#wrong(loc, 'finite_number', 'Input should be a finite number', value);
  }

  #within(schema: JsonSchema, read: number | undefined, value: unknown, loc: Location): number | undefined {
    if (read === undefined) return undefined;
    const { minimum, maximum, exclusiveMinimum } = schema;
    const out = (type: string, words: string, short: string, limit: number) =>
      this.#wrong(loc, type, `Input should be ${words} ${limit}`, value, { [short]: limit });
    if (minimum !== undefined && !(read >= minimum))
      return out('greater_than_equal', 'greater than or equal to', 'ge', minimum);
    if (exclusiveMinimum !== undefined && !(read > exclusiveMinimum))
      return out('greater_than', 'greater than', 'gt', exclusiveMinimum);
    if (maximum !== undefined && !(read <= maximum))
      return out('less_than_equal', 'less than or equal to', 'le', maximum);
    return read;
  }

  #boolean(value: unknown, loc: Location): boolean | undefined {
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string' && !Number.isInteger(value))
      return this.#wrong(loc, 'bool_type', 'Input should be a valid boolean', value);
    const word = String(value).toLowerCase();
    if (['1', 'true', 't', 'yes', 'y', 'on'].includes(word)) return true;
    if (['0', 'false', 'f', 'no', 'n', 'off'].includes(word)) return false;
    const msg = 'Input should be a valid boolean, unable to interpret input';
    return this.#wrong(loc, 'bool_parsing', msg, value);
  }

  #wrong(
    loc: Location,
    type: string,
    msg: string,
    input: unknown,
    ctx?: Readonly<Record<string, unknown>>,
  ): undefined {
    if (this.errors.length < MOST_ERRORS)
      this.errors.push({ type, loc: [...loc], msg, ...echo(input), ...(ctx === undefined ? {} : { ctx }) });
  }
}

/** The schema of a nullable value other than null; undefined if null is not allowed. zod writes both forms. */
function unlessNull(schema: JsonSchema): JsonSchema | undefined {
  const { anyOf, type } = schema;
  if (Array.isArray(type)) return { ...schema, type: type.find((name) => name !== 'null') };
  return anyOf?.find((one) => one.type !== 'null');
}

/** Python's notation: single underscores may group digits; no other notations of JavaScript are allowed. */
function decimal(text: string): number | undefined {
  const number = text.trim();
  if (/^_|__|_$/.test(number)) return undefined;
  const plain = number.replaceAll('_', '');
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(plain) ? Number(plain) : undefined;
}

/** Returns short values only. SlimContext returns every value, including all passages. */
function echo(input: unknown): { input?: unknown } {
  const isShort =
    typeof input === 'string'
      ? input.length <= 100
      : typeof input !== 'object' || input === null || isEmpty(input);
  return isShort && !(typeof input === 'number' && !Number.isFinite(input)) ? { input } : {};
}

const isEmpty = (value: object) => Object.keys(value).length === 0;
