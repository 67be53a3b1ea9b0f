/** Where a service is, and what is sent along: checked before the first request, secrets kept out of errors. */
import * as z from 'zod';
import { ContextShapingError } from '../../src/index.js';

/** Longest wait for one answer: no timer takes more. */
export const timeoutMs = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);

/**
 * The address below which all paths are; a `/v1` at its end is one of those paths.
 *
 * @throws ContextShapingError `invalid-options`, if `baseUrl` is no address, or one with a password or a query.
 */
export function addressOf(baseUrl: string): URL {
  const given = baseUrl.trim();
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const wrong = (is: string, remedy: string) =>
    new ContextShapingError('invalid-options', {
      field: 'baseUrl',
      value: given.replace(/^.*@/s, '…@').replace(/[?#].*$/s, ''),
      is,
      remedy,
    });
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const remedy = 'Give the address of the server, such as http://127.0.0.1:8080.';
    throw wrong('must be an address of http or https', remedy);
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong('must not hold a name or a password', 'Give them in `headers`, as authorization.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw wrong('must not hold a query', 'Give what it says in `headers`, and the address without it.');
  }
  url.pathname = url.pathname.replace(/(\/v1)?\/*$/, '/');
  return url;
}

/**
 * All headers that are sent; those that were given go over the key.
 *
 * @throws ContextShapingError `invalid-options`, if one cannot be sent.
 */
export function headersOf(given: Readonly<Record<string, string>>, apiKey: string | undefined): Headers {
  const headers = new Headers();
  const set = (field: string, name: string, value: string) => {
    try {
      headers.set(name, value);
    } catch {
      // The reason that is thrown quotes the value.
      throw new ContextShapingError('invalid-options', {
        field,
        value: '…',
        is: 'cannot be sent as a header',
        remedy: 'Give it without line breaks, and without letters beyond Latin-1.',
      });
    }
  };
  if (apiKey !== undefined) set('apiKey', 'authorization', `Bearer ${apiKey}`);
  for (const [name, value] of Object.entries(given)) set(`headers.${name}`, name, value);
  return headers;
}

/** Shorter ones are stand-ins for a key, such as `none`, and may be parts of words. */
const SHORTEST_SECRET = 8;

const OF_A_SECRET = /auth|cookie|cred|jwt|key|pass|secret|session|signature|token/i;

/**
 * What must not be read in an error, should a service repeat it, as it is or as JSON escapes it: all values that
 * were given. In an answer only those that their names tell to be secrets are left out, since the others may
 * be words of a text.
 */
export function secretsOf(headers: Headers): { inErrors: RegExp[]; inAnswers: RegExp[] } {
  const secrets = Array.from(headers)
    .map(([name, value]) => ({ name, value: value.replace(/^(Bearer|Basic|Token|Api-?Key) /i, '') }))
    .filter(({ value }) => value.length >= SHORTEST_SECRET)
    .map(({ name, value }) => ({ name, pattern: new RegExp(Array.from(value, escapable).join(''), 'g') }));
  return {
    inErrors: secrets.map(({ pattern }) => pattern),
    inAnswers: secrets.filter(({ name }) => OF_A_SECRET.test(name)).map(({ pattern }) => pattern),
  };
}

/** A letter as it is, or as JSON escapes it, also within a text that is JSON itself. */
function escapable(letter: string): string {
  const hexadecimal = letter.charCodeAt(0).toString(16).padStart(4, '0');
  const digits = hexadecimal.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const plain = /[\w-]/.test(letter) ? letter : `\\u${hexadecimal}`;
  // So many backslashes are enough for two levels, and few enough to search long runs of them.
  const escaped = /["/\\]/.test(letter) ? `\\\\{0,3}${plain}` : plain;
  return `(?:${escaped}|\\\\{1,4}u${digits})`;
}
