/** The schema of the service's options, which come from code, a file or flags. */
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import type { Setup } from '../workers/jobs.js';

/** The longest duration that timers of Node support. */
const MOST_MILLISECONDS = 2 ** 31 - 1;
const milliseconds = () => z.int().min(1).max(MOST_MILLISECONDS);

const apiKey = z.strictObject({
  name: z.string().min(1).max(64).describe('Names the key in the log and in rate limits.'),
  sha256: z.string().describe('SHA-256 of the key, as hexadecimal digits.'),
});

const setup = z.custom<string | Setup>(
  (value) => (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null),
  { error: 'must be the path of a module, or an object if workers is 0' },
);

export const serviceOptionsSchema = z
  .strictObject({
    host: z.string().min(1).default('127.0.0.1').describe('Address to listen on; `0.0.0.0`: all addresses.'),
    port: z.int().min(0).max(65_535).default(8000).describe('Port to listen on; `0`: any free port.'),
    workers: z
      .int()
      .min(0)
      .max(1024)
      .default(() => availableParallelism())
      .describe(
        'Worker threads; each shapes one request at a time. `0`: the main thread shapes, and no request waits.',
      ),
    maxQueue: z
      .int()
      .min(1)
      .default(128)
      .describe('Maximum requests that may wait for a worker; further requests get 503.'),
    timeLimitMs: milliseconds()
      .default(30_000)
      .describe(
        'Longest wait for a worker, and also the longest work on a request; after that its thread is terminated and replaced.',
      ),
    shutdownMs: milliseconds()
      .default(25_000)
      .describe('Longest time that `close` (SIGTERM) waits for requests that have arrived completely.'),
    bodyLimit: z
      .int()
      .min(1)
      .max(2 ** 29)
      .default(32 * 2 ** 20)
      .describe('Maximum bytes of a body, after decompression.'),
    maxChunks: z.int().min(1).default(2000).describe('Maximum chunks of a request to `/v1/shape`.'),
    setup: setup
      .optional()
      .describe(
        'Module whose default export is a setup, or a function that returns one. Every worker loads it.',
      ),
    apiKeys: z
      .array(apiKey)
      // Checks the whole list: an error about one entry would show its value, which may be the key itself.
      .refine((keys) => keys.every(({ sha256 }) => /^[0-9a-f]{64}$/i.test(sha256)), {
        error: 'must have a sha256 of 64 hexadecimal digits in each entry',
      })
      .default([])
      .describe('Accepted API keys. Empty: no key is required.'),
    logger: z
      .union([z.boolean(), z.enum(['fatal', 'error', 'warn', 'info', 'debug'])])
      .default(true)
      .describe('Lowest level of the log, which is JSON lines on standard output; `true`: `info`.'),
  })
  .refine(({ setup, workers }) => typeof setup !== 'object' || workers === 0, {
    path: ['setup'],
    error: 'must be the path of a module, so that each worker can load it',
  });

/** Options of {@link createService}. All are optional. */
export type ServiceOptions = z.input<typeof serviceOptionsSchema>;
export type ResolvedServiceOptions = z.output<typeof serviceOptionsSchema>;
