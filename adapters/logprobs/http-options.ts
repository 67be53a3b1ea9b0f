/** Where a service is, and what is sent along: checked before the first request, secrets kept out of errors. */
import { ContextShapingError } from '../../src/index.js';

/** @throws ContextShapingError `invalid-options`, if `baseUrl` is no address, or one with a password in it. */
export function addressOf(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const wrong = (is: string, remedy: string) =>
    new ContextShapingError('invalid-options', {
      field: 'baseUrl',
      value: baseUrl.replace(/^.*@/s, '…@').replace(/[?#].*$/s, ''),
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
  url.pathname = url.pathname.replace(/\/*$/, '/');
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

/** What must not be read in an error, should a service repeat it. */
export function secretsOf(headers: Headers): string[] {
  return Array.from(headers)
    .filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
    .map(([, value]) => value.replace(/^(Bearer|Basic) /i, ''))
    .filter((value) => value.length >= SHORTEST_SECRET);
}
