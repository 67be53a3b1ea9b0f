/**
 * Parses and checks a request. As SlimContext does, it also reads numbers and booleans that are written as texts, and
 * ignores unknown fields. The errors have the form of FastAPI: `type`, `loc`, `msg`.
 */
import { isObject, type JsonObject } from 'context-shaping/kit';
import { decodeUtf8, isTooDeep } from '../json-body.js';
import {
  BadRequest,
  type JsonSchema,
  type OptimizeRequest,
  optimizeRequestJsonSchema,
  readSchema,
} from './request.js';

export interface ValidationError {
  type: string;
  loc: (string | number)[];
  msg: string;
}

const UNREADABLE = 'There was an error parsing the body';

/** Otherwise the errors about a vector of strings would be fifty times as long as the vector. */
const MOST_ERRORS = 100;

/** @throws BadRequest if the body is not UTF-8, or metadata are nested too deeply. */
export function readRequest(job: {
  body: Uint8Array;
  isJson: boolean;
}): { request: OptimizeRequest } | { errors: ValidationError[] } {
  const text = decodeUtf8(job.body);
  if (text === undefined) throw new BadRequest(UNREADABLE);
  if (text === '') return { errors: [{ type: 'missing', loc: ['body'], msg: 'Field required' }] };
  const parsed = job.isJson ? parse(text) : { value: text };
  if ('errors' in parsed) return parsed;
  const { data, error } = readSchema.safeParse(lax(optimizeRequestJsonSchema, parsed.value));
  if (error) {
    const errors = error.issues.slice(0, MOST_ERRORS).map(({ code, path, message }) => ({
      type: code,
      loc: ['body', ...(path as (string | number)[])],
      msg: message,
    }));
    return { errors };
  }
  if (data.chunks.some(({ metadata }) => isTooDeep(metadata))) throw new BadRequest(UNREADABLE);
  return { request: data };
}

function parse(text: string): { value: unknown } | { errors: ValidationError[] } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const lenient = parseWithNonFinite(text);
    if (lenient !== undefined) return { value: lenient };
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    const loc = ['body', position === undefined ? text.length : Number(position)];
    return { errors: [{ type: 'json_invalid', loc, msg: 'JSON decode error' }] };
  }
}

/**
 * Python writes and reads NaN and Infinity as numbers. This function reads them, so that the check can reject them as
 * numbers that are not finite. It follows strings quote by quote, because a regular expression for a whole string
 * overflows the stack if the string is long.
 */
function parseWithNonFinite(text: string): unknown {
  let found = false;
  let inString = false;
  const numbers = text.replace(/\\.|"|-?\bInfinity\b|\bNaN\b/gs, (token) => {
    if (token === '"') inString = !inString;
    if (inString || token === '"' || token.startsWith('\\')) return token;
    found = true;
    return '1e999';
  });
  if (!found) return undefined;
  try {
    return JSON.parse(numbers);
  } catch {
    return undefined;
  }
}

/** The value with numbers and booleans in place of texts that mean them, as far as the schema wants these. */
function lax(schema: JsonSchema | undefined, value: unknown): unknown {
  const types = [schema?.type, ...(schema?.anyOf ?? []).map(({ type }) => type)].flat();
  if (types.includes('integer') || types.includes('number')) return numberIn(value);
  if (types.includes('boolean')) return booleanIn(value);
  if (schema?.properties !== undefined && isObject(value)) {
    const { properties } = schema;
    const read = Object.entries(value).map(([name, given]) => [
      name,
      Object.hasOwn(properties, name) ? lax(properties[name], given) : given,
    ]);
    return Object.fromEntries(read) as JsonObject;
  }
  // Vectors are most of a request: they are left as they are.
  if (schema?.items?.properties !== undefined && Array.isArray(value))
    return value.map((item) => lax(schema.items, item));
  return value;
}

function numberIn(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  const isNumber =
    typeof value === 'string' && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value.trim());
  return isNumber ? Number(value) : value;
}

function booleanIn(value: unknown): unknown {
  if (typeof value !== 'string' && !Number.isInteger(value)) return value;
  const word = String(value).toLowerCase();
  if (['1', 'true', 't', 'yes', 'y', 'on'].includes(word)) return true;
  return ['0', 'false', 'f', 'no', 'n', 'off'].includes(word) ? false : value;
}
