/** Parses and checks a request. Unknown fields are ignored. The errors have the form of FastAPI: `type`, `loc`, `msg`. */
import { decodeUtf8, isTooDeep } from '../json-body.js';
import { BadRequest, type OptimizeRequest, requestSchema } from './request.js';

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
  const { data, error } = requestSchema.safeParse(parsed.value);
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
