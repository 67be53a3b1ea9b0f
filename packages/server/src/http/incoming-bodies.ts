/** Reads request bodies, and limits the memory that all of them use together. */
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyRequest } from 'fastify';
import { HttpProblem, problem } from '../workers/problems.js';
import type { ResolvedServiceOptions } from './options.js';

type Payload = IncomingMessage & {
  /** Bytes before decompression, if the body is compressed. */
  receivedEncodedLength?: number;
};

export class IncomingBodies {
  readonly #limits: Pick<ResolvedServiceOptions, 'bodyLimit' | 'maxBodyBytes'>;
  #held = 0;

  constructor(limits: Pick<ResolvedServiceOptions, 'bodyLimit' | 'maxBodyBytes'>) {
    this.#limits = limits;
  }

  /** Bytes of all bodies that are arriving, waiting or in work. */
  get held(): number {
    return this.#held;
  }

  /**
   * Fastify limits each body; this also limits the sum. The bytes count until {@link release}.
   *
   * @throws HttpProblem 503 if the sum is over the limit, or the error of Fastify if one body is too large.
   */
  async read(request: FastifyRequest, payload: Payload): Promise<Buffer> {
    const { bodyLimit, maxBodyBytes } = this.#limits;
    const pieces: Buffer[] = [];
    try {
      if (Number(request.headers['content-length']) > bodyLimit) throw tooLarge();
      // The connection stays open after an error, so that the client gets the answer.
      for await (const piece of payload.iterator({ destroyOnReturn: false })) {
        this.#held += piece.length;
        request.bodyBytes += piece.length;
        pieces.push(piece);
        if (Math.max(request.bodyBytes, payload.receivedEncodedLength ?? 0) > bodyLimit) throw tooLarge();
        if (this.#held > Math.max(maxBodyBytes, request.bodyBytes)) throw noRoom();
      }
    } catch (error) {
      this.release(request);
      // The client may send on: the rest is discarded, and not decompressed.
      if (payload !== request.raw) payload.destroy();
      request.raw.resume();
      // Decompression errors already have a status.
      throw Object.assign(error as Error, {
        statusCode: (error as { statusCode?: number }).statusCode ?? 400,
      });
    }
    return Buffer.concat(pieces, request.bodyBytes);
  }

  /** Stops counting the body, which is no longer needed. */
  release(request: FastifyRequest): void {
    this.#held -= request.bodyBytes;
    request.bodyBytes = 0;
  }
}

const tooLarge = () => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();

const noRoom = () =>
  new HttpProblem(
    problem(503, 'The request bodies in memory have reached their size limit.', {
      remedy: 'Retry in one second.',
    }),
    { 'retry-after': '1' },
  );
