/** Every rival with every setting on every set: the evidence that it keeps, the budget that it leaves, and its time. */
import type { Embedder } from 'context-shaping';
import { mean } from '../../devtools/src/measurement/index.js';
import type { Kept } from '../eval/metrics.js';
import { countTokensO200k as countTokens } from '../eval/tokens.js';
import type { Given, Rival } from './rival.js';
import type { Kind, ScoreCase, ScoreSet } from './sets.js';
import { remembering } from './vectors.js';

/** Of the tokens of the chunks. */
export const SHARES = [0.25, 0.1] as const;

/** What one rival did on one set with one setting, by share. */
export interface Measured {
  rival: string;
  setting: string;
  /** Question by question. */
  kept: number[][];
  /** Means over the questions. */
  unused: number[];
  /** Of the processor, for one call. */
  milliseconds: number;
}

export interface SetResult {
  kind: Kind;
  set: string;
  /** Of each question: what is drawn as one by resampling. */
  groups: string[];
  measured: Measured[];
}

export const settingsOf = ({ settings }: Rival): [string, unknown][] =>
  Object.entries(settings ?? { '': undefined });

export async function measureSet(
  { kind, name }: Pick<ScoreSet, 'kind' | 'name'>,
  cases: readonly ScoreCase[],
  rivals: readonly Rival[],
  embedder: Embedder | undefined,
): Promise<SetResult> {
  const runs = rivals.flatMap((rival) =>
    settingsOf(rival).map(([setting, options]) => ({
      rival,
      setting,
      options,
      kept: SHARES.map((): number[] => []),
      unused: SHARES.map((): number[] => []),
      times: [] as number[],
    })),
  );
  for (const [seed, { share, group: _, ...question }] of cases.entries()) {
    const given: Given = { ...question, embedder: embedder && remembering(embedder), seed, countTokens };
    await given.embedder?.embed([question.question, ...question.chunks.map(({ text }) => text)], {});
    const total = question.chunks.reduce((sum, { text }) => sum + countTokens(text), 0);
    for (const run of runs) {
      let selected: readonly Kept[] | undefined;
      for (const [at, part] of SHARES.entries()) {
        const maxTokens = Math.max(1, Math.floor(total * part));
        if (selected === undefined || !run.rival.ignoresBudget) {
          // Of this process: other programs of the machine do not count.
          const started = process.cpuUsage();
          selected = await run.rival.select(given, maxTokens, run.options);
          const { user, system } = process.cpuUsage(started);
          run.times.push((user + system) / 1000);
        }
        const { kept, left } = packed(selected, maxTokens);
        run.kept[at]?.push(share(joined(kept, question.chunks), maxTokens));
        run.unused[at]?.push(left / maxTokens);
      }
    }
  }
  return {
    kind,
    set: name,
    groups: cases.map(({ group }) => group),
    measured: runs.map(({ rival, setting, kept, unused, times }) => ({
      rival: rival.name,
      setting,
      kept,
      unused: unused.map(mean),
      milliseconds: mean(times),
    })),
  };
}

/** In the order of the rival. A text that does not fit the rest of the budget is left out. */
export function packed(selected: readonly Kept[], maxTokens: number): { kept: Kept[]; left: number } {
  let left = maxTokens;
  const kept = selected.filter(({ text }) => {
    const tokens = countTokens(text);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
  return { kept, left };
}

/** The parts of each chunk as one text, in the order of the chunk: evidence can reach from one part to the next. */
export function joined(kept: readonly Kept[], chunks: readonly Kept[]): Kept[] {
  const texts = new Map(chunks.map(({ id, text }) => [id, text]));
  const byChunk = new Map<string, string[]>();
  for (const { id, text } of kept) byChunk.set(id, [...(byChunk.get(id) ?? []), text]);
  return Array.from(byChunk, ([id, parts]) => {
    const whole = texts.get(id) ?? '';
    return { id, text: parts.toSorted((a, b) => whole.indexOf(a) - whole.indexOf(b)).join(' ') };
  });
}
