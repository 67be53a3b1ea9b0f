/** Bodies as they arrive, and how much of all of them is held in memory at a time. */
import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyRequest } from 'fastify';
import type { ResolvedServiceOptions } from './options.js';
import { HttpProblem, problem } from './problems.js';

type Payload = IncomingMessage & {
  /** Bytes before decompression, where there is any. */
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

  /** In bytes: what is arriving, waits, or is worked on. */
  get held(): number {
    return this.#held;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Fastify counts each body by itself; this counts all of them. The bytes stay counted until {@link release}.
   *
   * @throws HttpProblem 503 when there is no room for more; and what Fastify throws of a body that is too large.
   */
  read(request: FastifyRequest, payload: Payload): Promise<Buffer> {
    const { bodyLimit } = this.#limits;
    const announced = Number(request.headers['content-length']);
    if (announced > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    const pieces: Buffer[] = [];
    return new Promise<Buffer>((resolve, reject) => {
      const stop = () => {
        payload.off('data', onData).off('end', onEnd).off('error', onError);
        this.#arriving.delete(fail);
      };
      const fail = (error: Error) => {
        // The caller may go on sending for a while.
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
        } else if (this.#held > Math.max(this.#limits.maxBodyBytes, request.bodyBytes)) fail(noRoom());
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
        // What cannot be decompressed has one already.
        error.statusCode ??= 400;
        fail(error);
      };
      this.#arriving.add(fail);
      payload.on('data', onData).on('end', onEnd).on('error', onError).resume();
      if (this.#isClosed) fail(closing());
    });
  }

  /** Nobody needs the body any more. */
  release(request: FastifyRequest): void {
    this.#held -= request.bodyBytes;
    request.bodyBytes = 0;
  }

  /** What has not arrived by now is not waited for. */
  close(): void {
    this.#isClosed = true;
    for (const fail of this.#arriving) fail(closing());
  }
}

const noRoom = () =>
  new HttpProblem(
    problem(503, 'The service holds as many bytes of bodies as it may.', {
      remedy: 'Ask again in a second.',
    }),
    { 'retry-after': '1' },
  );

const closing = () => new HttpProblem(problem(503, 'The service is closing.'), { 'retry-after': '1' });
