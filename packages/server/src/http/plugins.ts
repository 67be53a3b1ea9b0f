/** The plugins of Fastify that the service uses. */
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

const ENCODINGS = ['br', 'gzip', 'deflate'] as const;

/** Bodies may be compressed. Call this before adding routes: plugins see only routes that are added later. */
export async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, { encodings: [...ENCODINGS], requestEncodings: [...ENCODINGS] });
}
