/** From bytes to a request, with FastAPI's complaints. */
import { isUtf8 } from 'node:buffer';
import { echo, type LaxError, readLax } from './lax.js';
import { Refusal } from './refusal.js';
import { type OptimizeRequest, optimizeRequestJsonSchema } from './request.js';

/** @throws Refusal if the bytes are no UTF-8. */
export function readRequest(job: {
  body: Uint8Array;
  isJson: boolean;
}): { request: OptimizeRequest } | { errors: LaxError[] } {
  const text = decode(job.body);
  if (text === '')
    return { errors: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] };
  const parsed = job.isJson ? parse(text) : { value: text };
  if ('errors' in parsed) return parsed;
  const read = readLax(optimizeRequestJsonSchema, parsed.value);
  const errors = [...('errors' in read ? read.errors : []), ...blankNamespace(parsed.value)];
  return 'value' in read && errors.length === 0 ? { request: read.value as OptimizeRequest } : { errors };
}

function decode(body: Uint8Array): string {
  if (!isUtf8(body)) throw new Refusal('There was an error parsing the body');
  const { buffer, byteOffset, byteLength } = body;
  return Buffer.from(buffer, byteOffset, byteLength)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

function parse(text: string): { value: unknown } | { errors: LaxError[] } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const lenient = parseWithNonFinite(text);
    if (lenient !== undefined) return { value: lenient };
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    const loc = ['body', position === undefined ? text.length : Number(position)];
    const ctx = { error: position === undefined ? 'Expecting value' : 'Invalid JSON' };
    return { errors: [{ type: 'json_invalid', loc, msg: 'JSON decode error', input: {}, ctx }] };
  }
}

/** Python writes and reads NaN and Infinity as numbers. Here they are read to be refused as what they are. */
function parseWithNonFinite(text: string): unknown {
  let found = false;
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/gs, (token) => {
    if (token.startsWith('"')) return token;
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

function blankNamespace(body: unknown): LaxError[] {
  const namespace = (body as { namespace?: unknown } | null)?.namespace;
  if (typeof namespace !== 'string' || namespace.trim() !== '') return [];
  return [
    {
      type: 'value_error',
      loc: ['body', 'namespace'],
      msg: 'Value error, namespace must be a non-empty string.',
      ...echo(namespace),
      ctx: { error: {} },
    },
  ];
}
