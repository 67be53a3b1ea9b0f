/** The one schema of the service's options: from code, from a file, and from flags. */
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import type { Setup } from './jobs.js';

/** Timers of Node count no further. */
const MOST_MILLISECONDS = 2 ** 31 - 1;
const milliseconds = () => z.int().min(1).max(MOST_MILLISECONDS);

const apiKey = z.strictObject({
  name: z.string().min(1).max(64).describe('Stands for the key in the log and in rate limits.'),
  sha256: z.string().describe('SHA-256 of the key, as hexadecimal digits.'),
});

const setup = z.custom<string | Setup>(
  (value) => (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null),
  { error: 'must be the path of a module, or with workers: 0 an object' },
);

export const serviceOptionsSchema = z
  .strictObject({
    host: z.string().min(1).default('127.0.0.1').describe('Address to listen on; `0.0.0.0` for all.'),
    port: z.int().min(0).max(65_535).default(8000).describe('`0`: any that is free.'),
    workers: z
      .int()
      .min(0)
      .max(1024)
      .default(() => availableParallelism())
      .describe('Threads that shape, one request each at a time. `0`: in the thread of the server itself.'),
    maxQueue: z
      .int()
      .min(0)
      .default(128)
      .describe('How many requests may wait for a worker; more are answered with 503.'),
    timeLimitMs: milliseconds()
      .default(30_000)
      .describe(
        'Longest time that a request waits for a worker, and then that one works on it; past that its thread is ended and replaced.',
      ),
    requestTimeoutMs: milliseconds().default(30_000).describe('Longest time for a request to arrive whole.'),
    shutdownMs: milliseconds()
      .default(25_000)
      .describe('Longest time that `close` waits for requests that have arrived whole.'),
    bodyLimit: z
      .int()
      .min(1)
      .max(2 ** 29)
      .default(32 * 2 ** 20)
      .describe('Most bytes of a body, after decompression.'),
    maxBodyBytes: z
      .int()
      .min(1)
      .default(2 ** 28)
      .describe(
        'Most bytes of all bodies that arrive, wait or are worked on; what would go beyond is answered with 503. One alone may be as large as `bodyLimit`.',
      ),
    maxChunks: z.int().min(1).default(2000).describe('Most chunks of a request to `/v1/shape`.'),
    setup: setup
      .optional()
      .describe('Module whose default export is a setup, or a function that gives one, for every worker.'),
    embedder: z
      .string()
      .min(1)
      .optional()
      .describe('Folder of a static embedding model, as `context-shaping pull` fills it.'),
    reportLog: z.string().min(1).optional().describe('File for the reports, with questions. Absent: none.'),
    apiKeys: z
      .array(apiKey)
      // Of the list as a whole: an error shows the value, which may be the key itself.
      .refine((keys) => keys.every(({ sha256 }) => /^[0-9a-f]{64}$/i.test(sha256)), {
        error: 'must have a sha256 of 64 hexadecimal digits each',
      })
      .default([])
      .describe('Without any, everybody may ask.'),
    rateLimit: z
      .strictObject({ max: z.int().min(1), windowMs: milliseconds().default(60_000) })
      .optional()
      .describe(
        'Most requests of one key, or else of one address, in a window; those with a wrong key count by address. Absent: no limit.',
      ),
    cors: z
      .array(z.string().min(1))
      .optional()
      .describe('Origins whose pages may ask; `*` for all. Absent: none.'),
    trustProxy: z
      .union([z.boolean(), z.string().min(1)])
      .default(false)
      .describe(
        'Take the address of the caller from `X-Forwarded-For`: `true`, or from these proxies alone.',
      ),
    docs: z.boolean().default(true).describe('Show the interface at `/docs`.'),
    logger: z
      .union([z.boolean(), z.enum(['fatal', 'error', 'warn', 'info', 'debug'])])
      .default(true)
      .describe('JSON lines on standard output, from this level on; `true`: `info`.'),
  })
  .refine(({ setup, embedder }) => setup === undefined || embedder === undefined, {
    path: ['embedder'],
    error: 'is there besides setup, which gives the embedder itself',
  })
  .refine(({ setup, workers }) => typeof setup !== 'object' || workers === 0, {
    path: ['setup'],
    error: 'must be the path of a module, which each worker loads for itself',
  });

/** What a caller may write. Everything is optional. */
export type ServiceOptions = z.input<typeof serviceOptionsSchema>;
export type ResolvedServiceOptions = z.output<typeof serviceOptionsSchema>;
