/** Claims that take processes of their own to measure: growth, cold start, the machine without SIMD. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isBuilt } from './built.js';
import { type Circumstances, type Claim, ms, withSpread } from './claim.js';
import { type Contestant, calibrate, inTurns, leastLoaded, type Sample, summary } from './sampling.js';

const execute = promisify(execFile);

/** What a fresh process prints, with the same conditions and loader as this one. */
async function child<T>(...args: (string | number)[]): Promise<T> {
  const script = fileURLToPath(new URL('./child.ts', import.meta.url));
  const { stdout } = await execute(process.execPath, [...process.execArgv, script, ...args.map(String)]);
  return JSON.parse(stdout);
}

const GROWTH = [1000, 2000, 4000, 8000, 16_000, 20_000];
const QUICK_GROWTH = [200, 400];
const MOST_PER_DOUBLING = 2.3;
const MOST_MEMORY = 800;
const MOST_TIME = 12_000;

interface Grown {
  median: number;
  /** In MB. */
  peakMemory: number;
}

export async function growth({ data, quick, effort }: Circumstances, dimension: number): Promise<Claim[]> {
  const of = dimension > 0 ? `${dimension} dimensions` : 'text only';
  const measured: (Grown & { n: number })[] = [];
  for (const n of quick ? QUICK_GROWTH : GROWTH) {
    const args = [data, n, dimension, Math.min(5, effort.turns), effort.patience];
    measured.push({ n, ...(await child<Grown>('growth', ...args)) });
  }
  const perDoubling = measured.slice(1).map(({ n, median }, i) => {
    const before = measured[i] as Grown & { n: number };
    return (median / before.median) ** (1 / Math.log2(n / before.n));
  });
  const last = measured.at(-1) as Grown & { n: number };
  const memory = Math.max(...measured.map(({ peakMemory }) => peakMemory));
  const sizes = measured.map(({ n }) => n).join(', ');
  const claims: Claim[] = [
    {
      claim: `${of}: twice the chunks take at most ${MOST_PER_DOUBLING} times as long`,
      holds: Math.max(...perDoubling) <= MOST_PER_DOUBLING,
      figures: `${perDoubling.map((factor) => factor.toFixed(2)).join(', ')} per doubling, from ${sizes} chunks: ${measured.map(({ median }) => ms(median)).join(', ')}`,
    },
    {
      claim: `${of}: never more than ${MOST_MEMORY} MB resident`,
      holds: memory <= MOST_MEMORY,
      figures: `${measured.map(({ peakMemory }) => `${peakMemory.toFixed(0)} MB`).join(', ')} for ${sizes} chunks`,
    },
  ];
  if (dimension === 0) {
    const isLargest = last.n === GROWTH.at(-1);
    claims.push({
      claim: `text only: 20,000 chunks take at most ${MOST_TIME / 1000} s`,
      holds: isLargest ? last.median <= MOST_TIME : undefined,
      figures: isLargest ? ms(last.median) : 'left out of the quick run',
    });
  }
  return claims;
}

const script = (code: string): Contestant => ({
  name: code,
  async measure() {
    const started = performance.now();
    await execute(process.execPath, ['--input-type=module', '--eval', code]);
    return performance.now() - started;
  },
});

/** Processes for each figure of a start. */
const STARTS = { turns: 30, warmUps: 1, patience: 60_000 };
const QUICK_STARTS = { turns: 1, warmUps: 0, patience: 60_000 };
/** What a program with a LangChain retriever imports anyway. */
const LANGCHAIN = `import '@langchain/core/documents';
import '@langchain/core/retrievers';
import '@langchain/core/retrievers/document_compressors';
import '@langchain/core/runnables';`;

async function importing(
  { quick }: Circumstances,
  { entry, base, over, most }: { entry: string; base: string; over: string; most: number },
): Promise<Claim> {
  const claim = `importing ${entry} takes at most ${most} ms over ${over}`;
  if (!isBuilt) return { claim, holds: undefined, figures: 'only the build tells, not the sources' };
  const starts = quick ? QUICK_STARTS : STARTS;
  const [imported, alone] = await inTurns([script(`${base} import '${entry}';`), script(base)], starts);
  const difference = imported.quiet - alone.quiet;
  return {
    claim,
    holds: difference <= most,
    figures: `${ms(difference)}: ${withSpread(imported)}; without it ${withSpread(alone)}`,
  };
}

const MOST_TIMES = 5;

/** Each process gives both figures, so that both have met the same load. */
async function firstCall({ data, quick }: Circumstances): Promise<Claim> {
  const starts: (Sample & { first: number })[] = [];
  for (let process = 0; process < (quick ? QUICK_STARTS : STARTS).turns; process++) {
    const loop = calibrate();
    const { times } = await child<{ times: number[] }>('first', data);
    const milliseconds = summary(times.slice(times.length / 2)).median;
    starts.push({ loop, milliseconds, first: times[0] as number });
  }
  const quiet = leastLoaded(starts);
  const first = summary(quiet.map((start) => start.first)).median;
  const later = summary(quiet.map(({ milliseconds }) => milliseconds)).median;
  const ratio = first / later;
  return {
    claim: `the first call takes at most ${MOST_TIMES} times as long as later ones (50 chunks, 384 dimensions)`,
    holds: ratio <= MOST_TIMES,
    figures: `${ratio.toFixed(1)} times: ${ms(first)}, later ${ms(later)}; of ${starts.length} processes the least loaded ${quiet.length}`,
  };
}

export async function coldStart(circumstances: Circumstances): Promise<Claim[]> {
  return [
    await importing(circumstances, {
      entry: 'context-shaping',
      base: '',
      over: 'an empty script',
      most: 25,
    }),
    await importing(circumstances, {
      entry: 'context-shaping/langchain',
      base: LANGCHAIN,
      over: "LangChain's own",
      most: 15,
    }),
    await firstCall(circumstances),
  ];
}

export async function withoutSimd({ data }: Circumstances): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const dimension of [384, 1536]) {
    const resultOf = (simd: string) =>
      child<{ simd: boolean; digest: string }>('digest', data, dimension, simd);
    const one = await resultOf('simd');
    const other = await resultOf('no-simd');
    claims.push({
      claim: `the same result with and without SIMD, to the last bit (200 chunks, ${dimension} dimensions)`,
      holds: one.simd && !other.simd ? one.digest === other.digest : undefined,
      figures: one.simd
        ? `SHA-256 ${one.digest.slice(0, 12)} and ${other.digest.slice(0, 12)}`
        : 'there is no SIMD here',
    });
  }
  return claims;
}
