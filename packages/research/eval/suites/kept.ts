/**
 * Ours beside its rivals at the same tokens: how much of the evidence is kept of lists as retrievers make them, with and without
 * scores, in other orders, with more or less said of them. The budgets are exact, in tokens of o200k_base.
 */
import { type Run, runLists } from '../kept/compare.js';
import { METHODS, summaryOf } from '../kept/kept-tables.js';
import { learnedWithout } from '../kept/left-out.js';
import { LIST_KINDS, qualityOf } from '../kept/list-kinds.js';
import { keptSets } from '../kept/sets.js';
import { countTokensO200k as countTokens } from '../tokens.js';
import { isAskedFor, type Suite } from './suite.js';

/** Questions of each set, where no other limit is given: all of them would take hours. */
const QUESTIONS = 60;
const QUESTIONS_OF_A_LANGUAGE = 20;

export const kept: Suite = {
  name: 'kept',
  async run({ dataDir, limit, sets, lists, leftOut, onProgress }) {
    const learnWithout = leftOut ? await learnedWithout(dataDir) : () => {};
    const kinds = LIST_KINDS.filter(({ name }) => isAskedFor(name, lists));
    const asked = keptSets(dataDir).filter(({ name }) => isAskedFor(name, sets));
    const runs: Run[] = [];
    const counts: Record<string, number> = {};
    for (const [at, set] of asked.entries()) {
      const most = limit ?? (set.family === 'XQuAD' ? QUESTIONS_OF_A_LANGUAGE : QUESTIONS);
      const questions = await set.load(dataDir, most);
      if (questions === undefined || questions.length === 0) continue;
      counts[`questions of ${set.name}`] = questions.length;
      learnWithout(set.name);
      for (const [place, kind] of kinds.entries()) {
        onProgress(at * kinds.length + place, asked.length * kinds.length);
        const some = kind.isCommon ? questions : questions.filter((_, each) => each % 2 === 0);
        const found = some.map(({ list }) => list);
        const pools = kind.poolsOf(found);
        const quality = found.map((list, each) =>
          qualityOf(
            list,
            (pools[each]?.chunks ?? []).map(({ id }) => id),
          ),
        );
        runs.push(await runLists(set, kind.name, some, pools, quality, METHODS, countTokens));
      }
    }
    learnWithout(undefined);
    return runs.length === 0 ? undefined : { suite: 'kept', counts, ...summaryOf(runs) };
  },
};
