/** Models that were learned without the family of the set on which they are measured. */
import { COEFFICIENTS } from '../../../../src/relevance/coefficients.js';
import { leaveOneOut } from '../train/train.js';

/** Sets whose questions or texts are those of a family from which is learned. */
const RELATED: Readonly<Record<string, string>> = { ClapNQ: 'NQ' };

/** Returns a function that makes the library use the model without the family of a set. `undefined` restores its own. */
export async function learnedWithout(dataDir: string): Promise<(set: string | undefined) => void> {
  const own = { ...COEFFICIENTS };
  const without = await leaveOneOut(dataDir);
  const models = new Map<string, object>();
  return (set) => {
    // "XQuAD en, article" is of the family XQuAD.
    const [family = ''] = set?.split(/,? /) ?? [];
    const name = RELATED[family] ?? family;
    const model = models.get(name) ?? (set === undefined ? {} : without(name));
    models.set(name, model);
    Object.assign(COEFFICIENTS, own, model);
  };
}
