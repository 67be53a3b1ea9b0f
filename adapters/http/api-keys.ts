/** Who asks. Keys are known by their digests only, so that a configuration that leaks is no key. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HttpProblem, problem } from './problems.js';

export interface ApiKey {
  name: string;
  /** Hexadecimal. */
  sha256: string;
}

/** @returns a function from a request to the name of its key; it throws HttpProblem 401 if it has none that is known. */
export function createKeyCheck(keys: readonly ApiKey[]): (request: FastifyRequest) => string {
  const known = keys.map(({ name, sha256 }) => ({ name, digest: Buffer.from(sha256, 'hex') }));
  return (request) => {
    const presented = presentedKey(request);
    if (presented === undefined) throw unauthorized('This service wants an API key.');
    // Node reads headers as Latin-1: these are the bytes that were sent.
    const digest = createHash('sha256').update(presented, 'latin1').digest();
    // Every key is compared, so that time does not tell which one came close.
    const matching = known.filter((key) => timingSafeEqual(key.digest, digest));
    const [key] = matching;
    if (key === undefined) throw unauthorized('The API key is not known.');
    return key.name;
  };
}

function presentedKey({ headers }: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const key = bearer ?? headers['x-api-key'];
  return typeof key === 'string' ? key : undefined;
}

const unauthorized = (detail: string) =>
  new HttpProblem(
    problem(401, detail, { remedy: 'Send it as "Authorization: Bearer KEY" or as "X-API-Key: KEY".' }),
    { 'www-authenticate': 'Bearer' },
  );
