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
  readonly #arriving = new Set<(error: Error) => void>();
  #held = 0;
  #isClosed = false;

  constructor(limits: Pick<ResolvedServiceOptions, 'bodyLimit' | 'maxBodyBytes'>) {
    this.#limits = limits;
  }

  /** Bytes of all bodies that are arriving, waiting or in work. */
  get held(): number {
    return this.#held;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Fastify limits each body; this also limits the sum. The bytes count until {@link release}.
   *
   * @throws HttpProblem 503 if the sum is over the limit, or the error of Fastify if one body is too large.
   */
  read(request: FastifyRequest, payload: Payload): Promise<Buffer> {
    const { bodyLimit, maxBodyBytes } = this.#limits;
    const announced = Number(request.headers['content-length']);
    if (announced > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    const pieces: Buffer[] = [];
    return new Promise<Buffer>((resolve, reject) => {
      const stop = () => {
        payload.off('data', onData).off('end', onEnd).off('error', onError);
        this.#arriving.delete(fail);
      };
      const fail = (error: Error) => {
        // The client may continue to send.
        pieces.length = 0;
        stop();
        this.release(request);
        reject(error);
      };
      const onData = (piece: Buffer) => {
        this.#held += piece.length;
        request.bodyBytes += piece.length;
        pieces.push(piece);
        if (Math.max(request.bodyBytes, payload.receivedEncodedLength ?? 0) > bodyLimit) {
          fail(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
        } else if (this.#held > Math.max(maxBodyBytes, request.bodyBytes)) fail(noRoom());
      };
      const onEnd = () => {
        const arrived = payload.receivedEncodedLength ?? request.bodyBytes;
        if (announced >= 0 && announced !== arrived) {
          fail(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
          return;
        }
        stop();
        resolve(Buffer.concat(pieces, request.bodyBytes));
      };
      const onError = (error: Error & { statusCode?: number }) => {
        // Decompression errors already have a status.
        error.statusCode ??= 400;
        fail(error);
      };
      this.#arriving.add(fail);
      payload.on('data', onData).on('end', onEnd).on('error', onError).resume();
      if (this.#isClosed) fail(closing());
    });
  }

  /** Stops counting the body, which is no longer needed. */
  release(request: FastifyRequest): void {
    this.#held -= request.bodyBytes;
    request.bodyBytes = 0;
  }

  /** Rejects all bodies that have not arrived completely. */
  close(): void {
    this.#isClosed = true;
    for (const fail of this.#arriving) fail(closing());
  }
}

const noRoom = () =>
  new HttpProblem(
    problem(503, 'The request bodies in memory have reached their size limit.', {
      remedy: 'Retry in one second.',
    }),
    { 'retry-after': '1' },
  );

const closing = () => new HttpProblem(problem(503, 'The service is shutting down.'), { 'retry-after': '1' });
