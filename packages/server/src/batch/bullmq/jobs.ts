/** Names and formats in Redis, the same for the command and its workers. */
import type { JobsOptions } from 'bullmq';
import { LIBRARY } from 'context-shaping/internal';
import * as z from 'zod';
import type { LineSettings } from '../threads-executor.js';
import type { Outcome } from '../types.js';

/** A line in Redis. */
export interface QueuedLine {
  /** Its bytes, each as one character: a line need not be UTF-8, and JSON of ASCII stays as long as it is. */
  bytes: string;
  settings: LineSettings;
}

/** An outcome in Redis: its JSON is a string. */
export type QueuedOutcome = Extract<Outcome, { is: 'rejected' }> | { is: 'shaped'; json: string };

export const encodeBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
export const decodeBytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/**
 * The queue of this release. Another release may shape differently, so its workers have another queue, and never see
 * these lines.
 */
export const queueOf = (name: string): string => `${name}-${LIBRARY.version}`;

/** In seconds. The command removes each job when its result is safe. A command that never comes back leaves some. */
const KEPT = 24 * 60 * 60;

export const JOB_OPTIONS: JobsOptions = {
  // A wrong line is an outcome. Only what prevents any outcome is tried again, such as a Redis that is full.
  attempts: 4,
  backoff: { type: 'exponential', delay: 1000 },
  removeOnComplete: { age: KEPT },
  removeOnFail: { age: KEPT },
};

/** Options of both sides. */
export const queueShape = {
  queue: z.string(),
  password: z.string().min(1).optional(),
  queueName: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must have 1 to 100 letters, digits, and . _ -')
    .default('context-shaping'),
};

/** The options of both sides, for their callers. */
export interface QueueOptions {
  /** Address of Redis: `redis://HOST` or `rediss://HOST`, which uses TLS. */
  queue: string;
  /** Password of Redis, in place of one in the address. */
  password?: string | undefined;
  /** Default `context-shaping`. */
  queueName?: string | undefined;
}
