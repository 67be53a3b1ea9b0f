/** A connection to Redis that waits while Redis is away, and says so. */

import { ContextShapingError } from 'context-shaping';
import { messageOf } from 'context-shaping/internal';
import { Redis } from 'ioredis';

/** Milliseconds without an answer after which a connection counts as lost. BullMQ lets Redis wait 10 seconds at most. */
const SILENCE = 30_000;

export interface QueueConnection {
  client: Redis;
  /** For errors of BullMQ. Errors of a lost connection are left out: the loss is one sentence. */
  onError(error: unknown): void;
  close(): void;
}

/** @throws ContextShapingError `invalid-options`, without the address, which may have a password. */
export function checkAddress(url: unknown): void {
  const { protocol, hostname } = URL.canParse(String(url)) ? new URL(String(url)) : {};
  if ((protocol === 'redis:' || protocol === 'rediss:') && hostname !== '') return;
  throw new ContextShapingError('invalid-options', {
    field: 'queue',
    value: '…',
    is: 'is not an address of Redis',
    remedy: 'Write redis://HOST:PORT, or rediss://HOST:PORT with TLS.',
  });
}

/**
 * Connects at once, or fails. Later losses are waited for: commands stay in memory until Redis is back.
 *
 * @param tell gets a sentence when the connection is lost, when it is back, and for each other error.
 * @throws ContextShapingError `service` if Redis cannot be reached now.
 */
export async function connectQueue(
  url: string,
  password: string | undefined,
  tell: (sentence: string) => void,
): Promise<QueueConnection> {
  const client = new Redis(url, {
    ...(password === undefined ? {} : { password }),
    lazyConnect: true,
    maxRetriesPerRequest: null,
    socketTimeout: SILENCE,
  });
  let isLost = false;
  let last: unknown;
  client.on('error', (error) => {
    last = error;
  });
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    const cause = last ?? error;
    throw new ContextShapingError('service', {
      field: 'queue',
      value: hostOf(url),
      is: `cannot be reached: ${messageOf(cause)}`,
      remedy: 'Check the address and the password, and that Redis is running.',
      cause,
    });
  }
  let closing = false;
  client.on('close', () => {
    if (closing || isLost) return;
    isLost = true;
    tell(`${hostOf(url)} cannot be reached. Waiting for it.`);
  });
  client.on('ready', () => {
    isLost = false;
    tell(`${hostOf(url)} is back.`);
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

/** The address without what may be secret: user, password and parameters. */
function hostOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
