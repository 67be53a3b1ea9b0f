/**
 * Three replicas of the service behind nginx, with Redis and a server of vectors, under a mixed load at 16 connections. One
 * replica is killed and started again, another is drained and started again. Prints what became of the requests.
 *
 *   npm run research -- measure/replicas [--minutes 10] [--connections 16]
 *
 * Needs nginx and redis-server. All of it shares the processors of this machine, so times say how an outage changes them,
 * and not how fast replicas of their own machines would be.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { brokenOff, lost, outage, repeated } from '../../../test/deploy/outage.js';
import { BUILT } from '../../../test/deploy/replicas.js';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    connections: { type: 'string', default: '16' },
  },
});
const seconds = 60 * Number(flags.minutes);
const result = await outage(BUILT, seconds, Number(flags.connections));
const { asked, killed, drained, lines, atReplicas, exitCode, vectors, memory } = result;

const broken = brokenOff(result);
const others = lost(result).filter((each) => !broken.includes(each));
const count = <T>(list: readonly T[], name: (each: T) => string) => {
  const counts: Record<string, number> = {};
  for (const each of list) counts[name(each)] = (counts[name(each)] ?? 0) + 1;
  return counts;
};
/** Times of the requests that were under way in a span of time. */
function times([from, to]: [number, number]) {
  const own = asked.filter(({ began, milliseconds }) => began < to && began + milliseconds > from);
  const sorted = own.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number);
  return { requests: own.length, p50: at(0.5), p99: at(0.99), most: at(1) };
}
const ids = new Set(lines.map(({ requestId }) => requestId));
console.log(
  JSON.stringify(
    {
      machine: `${availableParallelism()} cores, Node ${process.version}`,
      sent: asked.length,
      answered: asked.length - lost(result).length,
      // Events that had begun when their replica was killed.
      brokenOff: broken.length,
      lost: others.length,
      lostBy: count(others, ({ kind, status, failure }) => `${kind}: ${failure ?? status}`),
      inLogOfNginx: asked.filter(({ id }) => ids.has(id)).length,
      inLogsOfReplicas: asked.filter(({ id }) => atReplicas.has(id)).length,
      repeated: count(repeated(result), ({ statuses }) => statuses),
      drainedExitCode: exitCode,
      seconds: { killed: killed.map(inSeconds), drained: drained.map(inSeconds) },
      milliseconds: {
        before: times([0, killed[0]]),
        killed: times([killed[0], killed[2]]),
        between: times([killed[2], drained[0]]),
        drained: times([drained[0], drained[2]]),
        after: times([drained[2], Number.POSITIVE_INFINITY]),
      },
      vectors,
      megabytes: memory,
    },
    undefined,
    2,
  ),
);

function inSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}
