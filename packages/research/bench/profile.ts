/** Where the time of a call goes: the stages, as the report tells them, and the rest. */
import { createShaper } from 'context-shaping';
import type { Circumstances } from './claim.js';
import { TOKEN_BUDGET, textOnly, unseen, withVectors } from './pools.js';
import { calibrate, leastLoaded, now, type Sample, summary } from './sampling.js';
import { short } from './table.js';

interface Kind {
  n: number;
  texts: 'new texts' | 'texts met before';
  dimension: number;
}

export const PROFILES: readonly Kind[] = [50, 200].flatMap((n) =>
  (['new texts', 'texts met before'] as const).flatMap((texts) =>
    [0, 384].map((dimension) => ({ n, texts, dimension })),
  ),
);

const REST = 'outside the stages';
const WHOLE = 'whole call';

export interface Profile extends Kind {
  /** Medians of quiet turns in milliseconds by name, of this build and of another one. */
  own: Record<string, number>;
  before?: Record<string, number>;
}

export async function profileOf(
  kind: Kind,
  { pools, before, effort }: Pick<Circumstances, 'pools' | 'before' | 'effort'>,
): Promise<Profile> {
  const builds = (before === undefined ? [createShaper] : [createShaper, before]).map((build) => ({
    shape: build({ budget: { maxTokens: TOKEN_BUDGET } }).shape,
    samples: new Map<string, Sample[]>(),
  }));
  const warmUps = Math.min(effort.warmUps, Math.ceil(10_000 / kind.n));
  for (let turn = 0; turn < warmUps + effort.turns; turn++) {
    for (const { shape, samples } of turn % 2 === 0 ? builds : builds.toReversed()) {
      const pool = pools(kind.n, kind.dimension || 1, turn);
      const input = (kind.dimension > 0 ? withVectors : textOnly)(
        kind.texts === 'new texts' ? unseen(pool) : pool,
      );
      const loop = calibrate();
      const [started, began] = [performance.now(), now()];
      const { report } = await shape(input);
      const [elapsed, whole] = [performance.now() - started, now() - began];
      if (turn < warmUps) continue;
      const inStages = report.stages.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
      for (const [name, milliseconds] of [
        ...report.stages.map((stage) => [stage.name, stage.milliseconds] as const),
        [REST, elapsed - inStages] as const,
        [WHOLE, whole] as const,
      ]) {
        const known = samples.get(name) ?? [];
        samples.set(name, known);
        known.push({ milliseconds, loop });
      }
    }
  }
  const [own, former] = builds.map(({ samples }) =>
    Object.fromEntries(
      Array.from(samples, ([name, all]) => [
        name,
        summary(leastLoaded(all).map(({ milliseconds }) => milliseconds)).median,
      ]),
    ),
  );
  return { ...kind, own: own ?? {}, ...(former && { before: former }) };
}

export function profileLines({ n, texts, dimension, own, before }: Profile): string {
  const lines = Object.entries(own).map(([name, milliseconds]) => {
    const former = before?.[name];
    const beside =
      former === undefined
        ? ''
        : `${short(former).padStart(9)}${(milliseconds / former).toFixed(2).padStart(7)} times`;
    return `  ${name.padEnd(20)}${short(milliseconds).padStart(9)}${beside}`;
  });
  return [`${n} chunks, ${dimension > 0 ? 'vectors given' : 'text only'}, ${texts}`, ...lines].join('\n');
}
