/** The address and headers of a service, checked before the first request; secrets stay out of errors. */
import { invalidOption } from '../model-calls/index.js';

/**
 * The base address of all paths. A `/v1` at its end is removed, because it is part of the paths.
 *
 * @throws ContextShapingError `invalid-options`, if `baseUrl` is not an address, or has a password or a query.
 */
export function addressOf(baseUrl: string): URL {
  const given = baseUrl.trim();
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const wrong = (is: string, remedy: string) =>
    invalidOption('baseUrl', given.replace(/^.*@/s, '…@').replace(/[?#].*$/s, ''), is, remedy);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const remedy = 'Give the address of the server, such as http://127.0.0.1:8080.';
    throw wrong('must be an http or https address', remedy);
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong('must not contain a user name or a password', 'Give them in `headers`, as authorization.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw wrong('must not contain a query', 'Give its values in `headers`, and the address without it.');
  }
  url.pathname = url.pathname.replace(/(?:\/v1)?(?:(?<!\/)\/+)?$/, '/');
  return url;
}

/**
 * All headers of a request. A given `authorization` header replaces `apiKey`.
 *
 * @throws ContextShapingError `invalid-options`, if one cannot be sent.
 */
export function headersOf(given: Readonly<Record<string, string>>, apiKey: string | undefined): Headers {
  const headers = new Headers();
  const set = (field: string, name: string, value: string) => {
    try {
      headers.set(name, value);
    } catch {
      // The error of the platform quotes the value, which may be secret.
      throw invalidOption(
        field,
        '…',
        'cannot be sent as a header',
        'Give a value without line breaks and without characters outside Latin-1.',
      );
    }
  };
  if (apiKey !== undefined) set('apiKey', 'authorization', `Bearer ${apiKey}`);
  for (const [name, value] of Object.entries(given)) set(`headers.${name}`, name, value);
  return headers;
}

/** Shorter values are placeholders such as `none`, and may be parts of words. */
const SHORTEST_SECRET = 8;

const SECRET_NAME = /auth|cookie|cred|jwt|key|pass|secret|session|signature|token/i;

/**
 * Patterns of the values that are removed if a service repeats them, as they are or escaped by JSON. From errors all
 * header values are removed; from answers only those of headers with a name of {@link SECRET_NAME}, since other values
 * may be words of a text.
 */
export function secretsOf(headers: Headers): { inErrors: RegExp[]; inAnswers: RegExp[] } {
  const secrets = Array.from(headers)
    .map(([name, value]) => ({ name, value: value.replace(/^(Bearer|Basic|Token|Api-?Key) /i, '') }))
    .filter(({ value }) => value.length >= SHORTEST_SECRET)
    .map(({ name, value }) => ({ name, pattern: new RegExp(Array.from(value, escapable).join(''), 'g') }));
  return {
    inErrors: secrets.map(({ pattern }) => pattern),
    inAnswers: secrets.filter(({ name }) => SECRET_NAME.test(name)).map(({ pattern }) => pattern),
  };
}

/** The pattern of a letter, plain or escaped by JSON, also in JSON inside a JSON text. */
function escapable(letter: string): string {
  const hexadecimal = letter.charCodeAt(0).toString(16).padStart(4, '0');
  const digits = hexadecimal.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const plain = /[\w-]/.test(letter) ? letter : `\\u${hexadecimal}`;
  // Three backslashes cover two levels of escaping; a small bound keeps the search of long runs fast.
  const escaped = /["/\\]/.test(letter) ? `\\\\{0,3}${plain}` : plain;
  return `(?:${escaped}|\\\\{1,4}u${digits})`;
}
