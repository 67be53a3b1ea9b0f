/** What of one connection is looked at, and when. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests that a caller may send ahead, without waiting for answers. */
const MOST_AHEAD = 100;

interface Connection {
  requests: number;
  /** Resolves when the last of them is answered. */
  answered: Promise<void>;
}

/**
 * One request of a connection at a time. Answers go out in the order of the requests anyway, and whoever sends many
 * ahead must not fill the queue that others wait in. Before all other hooks: for requests behind one that is cut off,
 * Node tells no response that it is closed.
 *
 * @returns a function that closes the connections on which no request has begun: idle ones, and those whose headers
 *   have not arrived whole.
 */
export function addConnections(app: FastifyInstance): () => void {
  const open = new Set<Socket>();
  const busy = new WeakMap<Socket, Connection>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    const connection = busy.get(socket) ?? { requests: 0, answered: Promise.resolve() };
    busy.set(socket, connection);
    connection.requests += 1;
    if (connection.requests > MOST_AHEAD) socket.destroy();
    const before = connection.answered;
    connection.answered = new Promise((resolve) => {
      reply.raw.once('close', () => {
        connection.requests -= 1;
        resolve();
      });
    });
    await before;
    if (socket.destroyed) reply.hijack();
  });
  return () => {
    for (const socket of open) if (!busy.get(socket)?.requests) socket.destroy();
  };
}
