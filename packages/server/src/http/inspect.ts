/** `GET /inspect`: the inspector's page with the last runs. */
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { Answer } from '../workers/jobs.js';
import { HttpProblem, problem } from '../workers/problems.js';
import type { InspectSettings } from './inspect-options.js';
import { inspectDocument } from './openapi.js';

/** The part of a request that is kept. */
interface KeptRun {
  /** Name of the key of the request; null without keys. */
  key: string | null;
  /** JSON of a run of the inspector, as UTF-8. */
  run: Uint8Array;
}

/** The last runs, latest first. Both their number and their bytes are limited. */
export class LastRuns {
  readonly #limits: Pick<InspectSettings, 'last' | 'maxBytes'>;
  readonly #runs: KeptRun[] = [];
  #bytes = 0;

  constructor(limits: Pick<InspectSettings, 'last' | 'maxBytes'>) {
    this.#limits = limits;
  }

  /** Bytes of the runs that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps the run of an answer, if it has one. A run that is too large by itself displaces no other. */
  keep(key: string | null, { run }: Answer): void {
    if (run === undefined) return;
    const bytes = typeof run === 'string' ? new TextEncoder().encode(run) : run;
    if (bytes.length > this.#limits.maxBytes) return;
    this.#runs.unshift({ key, run: bytes });
    this.#bytes += bytes.length;
    while (this.#runs.length > this.#limits.last || this.#bytes > this.#limits.maxBytes)
      this.#bytes -= this.#runs.pop()?.run.length ?? 0;
  }

  /** @param isTheirs whether the run of a request with this key is wanted. */
  ofKey(isTheirs: (key: string | null) => boolean): string[] {
    const decoder = new TextDecoder();
    return this.#runs.filter(({ key }) => isTheirs(key)).map(({ run }) => decoder.decode(run));
  }
}

/** An address, or the name of this machine: no name that a stranger could let lead here. */
const OWN_HOST = /^(?:localhost|\d+(?:\.\d+){3}|\[[\da-f:.]+\])(?::\d+)?$/i;

/**
 * A key sees the runs of its own requests; a key in `seeAll` sees all.
 *
 * Without keys the page is for this machine alone. A web page elsewhere could give its own name the address of this
 * service (DNS rebinding) and read the answer, but it cannot change the name in the header `Host`.
 */
export async function addInspect(
  app: FastifyInstance,
  runs: LastRuns,
  { seeAll }: Pick<InspectSettings, 'seeAll'>,
  hasKeys: boolean,
  limit?: onRequestAsyncHookHandler,
): Promise<void> {
  const { inspectorPage, inspectorPolicy } = await import('context-shaping/inspector');
  const onRequest = limit === undefined ? [] : [limit];
  const config = { basic: true as const };
  app.get('/inspect', { schema: inspectDocument(hasKeys), config, onRequest }, async (request, reply) => {
    const { keyName, headers } = request;
    if (!hasKeys && !OWN_HOST.test(headers.host ?? '')) throw notOwnHost();
    const seesAll = keyName !== null && seeAll.includes(keyName);
    const page = inspectorPage(runs.ofKey((key) => seesAll || key === keyName));
    // The page is for the reader alone. The option cors is for the other routes.
    reply.removeHeader('access-control-allow-origin');
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': `${inspectorPolicy}; frame-ancestors 'none'`,
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      })
      .send(page);
  });
}

const notOwnHost = () =>
  new HttpProblem(
    problem(403, 'Without API keys, this page is only at the address of the machine, and at localhost.', {
      remedy: 'Open it by the address, such as http://127.0.0.1:8000/inspect, or set API keys.',
    }),
  );
