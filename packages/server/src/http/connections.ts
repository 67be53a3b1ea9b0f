/** Handles the requests of one connection one at a time. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Maximum requests that a client may send on one connection before it has read the answers. */
const MOST_AHEAD = 100;

interface Connection {
  requests: number;
  /** Resolves when the last request is answered. */
  answered: Promise<void>;
}

/**
 * Starts a request when the previous one of its connection is answered. HTTP sends answers in the order of the requests
 * anyway, and a client that pipelines many requests must not fill the shared queue. Add this before all other hooks:
 * Node emits no close event for the responses to requests that follow an aborted one.
 *
 * @returns a function that closes the connections without a request: idle ones, and those with incomplete headers.
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
