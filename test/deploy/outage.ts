/** Three replicas under load: one is killed and started again, another is drained and started again. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Asked, bodies, load } from './load.js';
import {
  type LogLine,
  makeReplica,
  type Program,
  type Replica,
  startNginx,
  startRedis,
  vectorServer,
} from './replicas.js';

export interface Outage {
  asked: Asked[];
  /** Milliseconds since the beginning of the load: when a replica got its signal, had ended, and was there again. */
  killed: [signal: number, ended: number, back: number];
  drained: [signal: number, ended: number, back: number];
  /** The exit code of the process that was drained. */
  exitCode: number | null;
  lines: LogLine[];
  /** Ids of the requests in the logs of all replicas. */
  atReplicas: Set<string>;
  vectors: { requests: number; texts: number };
  /** Megabytes of each replica at the end, resident. */
  memory: number[];
}

/** @param seconds of the whole load. A quarter of it passes before each signal, and before the end. */
export async function outage(program: Program, seconds: number, connections: number): Promise<Outage> {
  const folder = mkdtempSync(join(tmpdir(), 'replicas-'));
  const vectors = await vectorServer();
  const redis = await startRedis();
  const env = { EMBEDDINGS_URL: vectors.url, EMBEDDINGS_MODEL: 'letters', REDIS_URL: redis.url };
  const replicas = await Promise.all(
    [0, 1, 2].map(() => makeReplica(program, folder, { env, options: { workers: 1 } })),
  );
  try {
    await Promise.all(replicas.map((each) => each.start()));
    const nginx = await startNginx(folder, replicas);
    try {
      const end = new AbortController();
      const began = performance.now();
      const now = () => performance.now() - began;
      const loading = load(nginx.url, bodies(700), connections, end.signal);
      await pause(seconds * 250);
      const [first, second] = replicas as [Replica, Replica];
      const { times: killed } = await restarted(first, 'SIGKILL', now);
      await pause(Math.max(0, seconds * 500 - now()));
      const { times: drained, code } = await restarted(second, 'SIGTERM', now);
      await pause(Math.max(seconds * 250, seconds * 1000 - now()));
      end.abort();
      const asked = await loading;
      // nginx writes the line of a request after its answer.
      await nginx.close();
      return {
        asked,
        killed,
        drained,
        exitCode: code,
        lines: nginx.lines(),
        atReplicas: new Set(replicas.flatMap(({ log }) => idsIn(log))),
        vectors: vectors.counts,
        memory: replicas.map((each) => each.megabytes()),
      };
    } finally {
      await nginx.close();
    }
  } finally {
    await Promise.all(replicas.map((each) => each.stop('SIGKILL')));
    await Promise.all([redis.close(), vectors.close()]);
    rmSync(folder, { recursive: true });
  }
}

async function restarted(replica: Replica, signal: NodeJS.Signals, now: () => number) {
  const began = now();
  const code = await replica.stop(signal);
  const ended = now();
  await replica.start();
  return { code, times: [began, ended, now()] as [number, number, number] };
}

const idsIn = (log: string): string[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => /"requestId":"(load-[\w-]+)".*"msg":"request"/.exec(line)?.[1] ?? []);

/** Faults that a client must not see: no whole answer, or an answer that does not fit the request. */
export const lost = ({ asked }: Outage): Asked[] =>
  asked.filter(({ kind, status }) => status !== (kind === 'malformed' ? 400 : 200));

/** Requests that nginx sent to more than one replica. */
export const repeated = ({ lines }: Outage): LogLine[] =>
  lines.filter(({ replicas }) => replicas.includes(','));

/** Events that had begun when their replica was killed: nginx can repeat nothing of which the client has a part. */
export const brokenOff = (outage: Outage): Asked[] =>
  lost(outage).filter(
    ({ kind, began, milliseconds }) =>
      kind === 'events' && began <= outage.killed[1] && began + milliseconds >= outage.killed[0],
  );
