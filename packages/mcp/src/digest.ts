import { createHash } from 'node:crypto';

/** SHA-256 of a JSON value, in hexadecimal digits. */
export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');
