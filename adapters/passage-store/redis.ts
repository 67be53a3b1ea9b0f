import * as z from 'zod';
import { ContextShapingError } from '../../src/index.js';
import { importOptional, messageOf, orAborted, parseOptions } from '../../src/internal.js';
import type { ClosablePassageStore } from './store.js';

/** A week, in seconds. */
const WEEK = 7 * 24 * 60 * 60;

const optionsSchema = z.strictObject({
  url: z.string().min(1).optional(),
  ttl: z.int().min(1).default(WEEK),
  prefix: z.string().default('context-shaping:'),
});

export interface RedisPassageStoreOptions {
  /** The address, as ioredis takes it: `redis://…` or `rediss://…`. Give it or a client. */
  url?: string | undefined;
  /** A connected client of ioredis. `close` leaves it open. */
  client?: RedisLike | undefined;
  /** Seconds until an entry is forgotten. Default a week. */
  ttl?: number | undefined;
  /** The beginning of the names of entries in Redis. Default `context-shaping:`. */
  prefix?: string | undefined;
}

/** The part of a client of ioredis that is used. */
export interface RedisLike {
  get(key: string): Promise<string | null>;
  multi(commands: unknown[][]): { exec(): Promise<[error: Error | null, result: unknown][] | null> };
}

/**
 * A store in Redis. Entries are forgotten after their time, or earlier as the server's `maxmemory-policy` says.
 *
 * @throws ContextShapingError `invalid-options`; `missing-dependency` without ioredis; `service` if Redis cannot be reached.
 */
export async function redisPassageStore({
  client: given,
  ...options
}: RedisPassageStoreOptions): Promise<ClosablePassageStore> {
  const { url, ttl, prefix } = parseOptions(optionsSchema, options);
  if ((given === undefined) === (url === undefined))
    throw new ContextShapingError('invalid-options', {
      field: 'url',
      value: url === undefined ? undefined : 'redis://…',
      is: given === undefined ? 'is required' : 'excludes client',
      remedy: 'Give either url or client.',
    });
  const owned = url === undefined ? undefined : await connect(url);
  const client = given ?? (owned as RedisLike);
  const close = async () => owned?.disconnect();
  return {
    async get(key, { signal } = {}) {
      return (await orAborted(client.get(prefix + key), signal)) ?? undefined;
    },
    async set(entries, { signal } = {}) {
      signal?.throwIfAborted();
      if (entries.length === 0) return;
      const commands = entries.map(([key, value]) => ['set', prefix + key, value, 'EX', ttl]);
      const answers = await orAborted(client.multi(commands).exec(), signal);
      const failed = answers?.find(([error]) => error !== null)?.[0];
      if (failed) throw failed;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A client that fails soon, because a request of a model waits for it. */
async function connect(url: string) {
  const { Redis } = await importOptional(() => import('ioredis'), 'redisPassageStore', 'npm install ioredis');
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5000,
    commandTimeout: 5000,
    maxRetriesPerRequest: 1,
  });
  // Each command reports its own failure.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (cause) {
    client.disconnect();
    throw new ContextShapingError('service', {
      // An address may have a password.
      field: 'url',
      value: 'redis://…',
      is: `cannot be reached: ${messageOf(cause)}`,
      remedy: 'Check the address, and that Redis is running.',
      cause,
    });
  }
  return client;
}
