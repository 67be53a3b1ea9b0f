/** Corrective retrieval: does support tell pools that hold the evidence from those that do not? */
import { tableOf } from '../support/confusion.js';
import type { Kept } from '../support/pools.js';
import { loadKept, TRAINED_ON } from '../support/sets.js';
import { loadMixedTurns } from '../train/haystacks.js';
import type { Suite } from './suite.js';

/** Never learned from: the words are those of every day, and what stands around the evidence shares its subject. */
const TALK = { name: 'LongMemEval turns, not learned from', cases: 100, distractors: 4 };

export const crag: Suite = {
  name: 'crag',
  async run({ dataDir, limit, onProgress }) {
    const sets = new Map<string, readonly Kept[]>();
    for (const [name, load] of Object.entries(TRAINED_ON)) {
      const kept = await loadKept(load, dataDir, limit, onProgress);
      if (kept === undefined) return undefined;
      sets.set(name, kept);
    }
    const loadTalk = (folder: string) => loadMixedTurns(folder, TALK.distractors);
    const talk = await loadKept(loadTalk, dataDir, Math.min(limit ?? TALK.cases, TALK.cases), onProgress);
    const judged = new Map([...sets, ...(talk === undefined ? [] : [[TALK.name, talk] as const])]);
    return { suite: 'crag', counts: {}, methods: [], comparisons: [], tables: [tableOf(sets, judged)] };
  },
};
