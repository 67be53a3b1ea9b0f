/** A connection to Redis that waits while Redis is away, and says so. BullMQ needs a client where modules are ECMAScript's. */
import { ContextShapingError } from 'context-shaping';
import { messageOf } from 'context-shaping/kit';
import { Redis } from 'ioredis';

/** Milliseconds without an answer after which a connection counts as lost. BullMQ lets Redis wait 10 seconds at most. */
const SILENCE = 30_000;

export interface QueueConnection {
  client: Redis;
  /** For errors of BullMQ. Errors of a lost connection are left out: the loss is one sentence. */
  onError(error: unknown): void;
  close(): void;
}

/**
 * Connects at once, or fails. Later losses are waited for: commands stay in memory until Redis is back.
 *
 * @param tell gets a sentence when the connection is lost, when it is back, and for each other error.
 * @throws ContextShapingError `invalid-options`, without the address, which may have a password; `service` if Redis
 *   cannot be reached now.
 */
export async function connectRedis(
  url: string,
  password: string | undefined,
  tell: (sentence: string) => void,
): Promise<QueueConnection> {
  const { protocol, host } = URL.canParse(url) ? new URL(url) : {};
  if ((protocol !== 'redis:' && protocol !== 'rediss:') || !host) {
    throw new ContextShapingError('invalid-options', {
      field: 'queue',
      value: '…',
      is: 'is not an address of Redis',
      remedy: 'Write redis://HOST:PORT, or rediss://HOST:PORT with TLS.',
    });
  }
  const name = `${protocol}//${host}`;
  const client = new Redis(url, {
    ...(password === undefined ? {} : { password }),
    lazyConnect: true,
    maxRetriesPerRequest: null,
    socketTimeout: SILENCE,
  });
  let last: unknown;
  client.on('error', (error) => {
    last = error;
  });
  await client.connect().catch((error) => {
    client.disconnect();
    const cause = last ?? error;
    throw new ContextShapingError('service', {
      field: 'queue',
      value: name,
      is: `cannot be reached: ${messageOf(cause)}`,
      remedy: 'Check the address and the password, and that Redis is running.',
      cause,
    });
  });
  let isLost = false;
  let closing = false;
  client.on('close', () => {
    if (closing || isLost) return;
    isLost = true;
    tell(`${name} cannot be reached. Waiting for it.`);
  });
  client.on('ready', () => {
    isLost = false;
    tell(`${name} is back.`);
  });
  return {
    client,
    onError: (error) => {
      if (!closing && client.status === 'ready') tell(`The queue reports: ${messageOf(error)}`);
    },
    close: () => {
      closing = true;
      client.disconnect();
    },
  };
}
