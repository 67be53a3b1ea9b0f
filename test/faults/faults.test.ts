/**
 * Every fault at every port of every host: the result is degraded and says so, or there is an error with a type, or the
 * abort goes through. No document is lost, no promise is left to reject alone, no caller waits for ever.
 *
 *   CONTEXT_SHAPING_FAULTS=FILE npx vitest run test/faults      writes the table of all outcomes there
 */
import { writeFileSync } from 'node:fs';
import { ContextShapingError } from 'context-shaping';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allOver, Broken, breaking, deadlinesOf, FAULTS, type Fault } from './faults.js';
import { type Came, HOSTS, type Host } from './hosts.js';
import { type Outcome, PORTS, type Port } from './ports.js';

/** Longer than any call may take on a busy machine. */
const HANGS = 60_000;
const GONE = new Error('gone');

const rejections: unknown[] = [];
const note = (error: unknown) => void rejections.push(error);
beforeAll(() => void process.on('unhandledRejection', note));

const table = new Map<string, Map<Fault, Outcome>>();
afterAll(() => {
  process.off('unhandledRejection', note);
  const file = process.env.CONTEXT_SHAPING_FAULTS;
  if (file !== undefined) writeFileSync(file, markdown());
});

/** The outcome, of a second try with more time if the first is not as expected. */
async function outcomeOf(host: Host, port: Port, fault: Fault): Promise<Outcome> {
  let outcome: Outcome = 'hangs';
  for (const deadline of deadlinesOf(fault)) {
    outcome = await outcomeWithin(deadline, host, port, fault);
    if (isExpected(port, fault, outcome)) break;
  }
  return outcome;
}

async function outcomeWithin(deadlineMs: number, host: Host, port: Port, fault: Fault): Promise<Outcome> {
  const caller = new AbortController();
  const abort = () => caller.abort(GONE);
  const { isPatient = false } = port;
  const name = `${host.name}, ${port.name}, ${fault}`;
  const broken = breaking({ fault, name, isPatient, deadline: deadlineMs, abort });
  const { shaper, ...wiring } = port.wire(broken, deadlineMs);
  const giveUp = isPatient && fault === 'hangs' ? setTimeout(abort, deadlineMs) : undefined;
  let limit: NodeJS.Timeout | undefined;
  const over = new Promise<'hangs'>((resolve) => {
    limit = setTimeout(() => resolve('hangs'), HANGS);
  });
  try {
    const came = await Promise.race([
      host.call({ ...wiring, shaper: { deadlineMs, ...shaper } }, caller.signal),
      over,
    ]);
    return came === 'hangs' ? came : outcomeOfResult(came);
  } catch (error) {
    return outcomeOfError(error);
  } finally {
    clearTimeout(giveUp);
    clearTimeout(limit);
  }
}

function outcomeOfResult({ report, given = 0, status }: Came): Outcome {
  if (status !== undefined) return `status ${status}`;
  if (report === undefined) return 'no report';
  const told = [...report.kept, ...report.evicted].map(({ index }) => index).sort((a, b) => a - b);
  if (told.length < given || told.some((index, at) => index !== at))
    return `documents lost: ${told} of ${given}`;
  if (report.degradations === undefined) return 'handed on';
  const codes = new Set(report.degradations.map(({ code }) => code));
  return codes.size === 0 ? 'unharmed' : `degraded: ${[...codes].join(', ')}`;
}

function outcomeOfError(error: unknown): Outcome {
  if (error === GONE) return 'abort';
  if (ContextShapingError.isInstance(error)) return `typed error: ${error.kind}`;
  return error instanceof Broken ? 'the error itself' : `error: ${error}`;
}

const isExpected = (port: Port, fault: Fault, outcome: Outcome): boolean =>
  (fault === 'works' && !port.isDegraded ? ['unharmed', 'handed on'] : port.expected(fault)).includes(
    outcome,
  );

describe.each(HOSTS.map((host) => [host.name, host] as const))('%s', (_, host) => {
  test.each(PORTS.filter(({ name }) => host.ports.includes(name)).map((port) => [port.name, port] as const))(
    '%s',
    async (_, port) => {
      // First what works, by itself: what a host loads when it is first used takes longer than a deadline.
      const outcomes: [Fault, Outcome][] = [['works', await outcomeOf(host, port, 'works')]];
      const faults = port.faults.filter((fault) => fault !== 'works');
      const all = faults.map(
        async (fault): Promise<[Fault, Outcome]> => [fault, await outcomeOf(host, port, fault)],
      );
      outcomes.push(...(await Promise.all(all)));
      table.set(`${host.name} | ${port.name}`, new Map(outcomes));
      expect(outcomes.filter(([fault, outcome]) => !isExpected(port, fault, outcome))).toEqual([]);
    },
  );
});

test('no promise is left to reject alone', async () => {
  await allOver();
  // Node reports unhandled rejections after the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  expect(rejections.map(String)).toEqual([]);
});

function markdown(): string {
  const rows = Array.from(
    table,
    ([name, outcomes]) => `| ${name} | ${FAULTS.map((fault) => outcomes.get(fault) ?? '–').join(' | ')} |`,
  );
  return [
    `| host | port | ${FAULTS.join(' | ')} |`,
    `|---|---|${FAULTS.map(() => '---|').join('')}`,
    ...rows,
    '',
  ].join('\n');
}
