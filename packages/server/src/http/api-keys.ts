/** Checks API keys. The configuration has only digests of keys, so a leaked configuration contains no usable key. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HttpProblem, problem } from '../workers/problems.js';

export interface ApiKey {
  name: string;
  /** SHA-256 of the key, in hexadecimal. */
  sha256: string;
}

/** @returns a function that gives the name of a request's key, and throws HttpProblem 401 if the key is missing or unknown. */
export function createKeyCheck(keys: readonly ApiKey[]): (request: FastifyRequest) => string {
  const known = keys.map(({ name, sha256 }) => ({ name, digest: Buffer.from(sha256, 'hex') }));
  return (request) => {
    const presented = presentedKey(request);
    if (presented === undefined) throw unauthorized('The request has no API key.');
    // Node decodes headers as Latin-1, so this restores the bytes that the client sent.
    const digest = createHash('sha256').update(presented, 'latin1').digest();
    // Compares every key, so that the duration reveals nothing about the keys.
    const matching = known.filter((key) => timingSafeEqual(key.digest, digest));
    const [key] = matching;
    if (key === undefined) throw unauthorized('The API key is unknown.');
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
    problem(401, detail, {
      remedy: 'Send a valid key as "Authorization: Bearer KEY" or as "X-API-Key: KEY".',
    }),
    { 'www-authenticate': 'Bearer' },
  );
