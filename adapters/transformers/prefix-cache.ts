/** Keys and values of the tokens that a model has run, so that prompts that begin alike are computed once. */
import type { Engine, Numbers, Outputs, Session, Tensor } from './engine.js';

const PAST = /^past_key_values\.\d+\.(?:key|value)$/;

export class PrefixCache {
  /** The tokens whose keys and values are here. */
  readonly #ids: number[] = [];
  readonly #isSimple: boolean;
  #tensors: Record<string, Tensor> = {};

  constructor(
    readonly engine: Engine,
    session: Session,
  ) {
    // Models with other kinds of memory cannot forget their last tokens.
    const past = session.inputNames.filter((name) => name.startsWith('past'));
    this.#isSimple = past.length > 0 && past.every((name) => PAST.test(name));
  }

  /** Forgets all. */
  clear(): void {
    for (const tensor of Object.values(this.#tensors)) if (tensor.location !== 'cpu') tensor.dispose();
    this.#tensors = {};
    this.#ids.length = 0;
  }

  /**
   * Keeps the common start of these tokens and those that are here, and forgets the rest.
   *
   * @returns the number of kept tokens, at most `most`.
   */
  keep(tokens: readonly number[], most: number): number {
    let kept = 0;
    while (kept < most && kept < this.#ids.length && this.#ids[kept] === tokens[kept]) kept++;
    if (kept === this.#ids.length) return kept;
    const tensors = Object.entries(this.#tensors);
    // Numbers on a graphics card would have to be read back to be cut.
    if (kept === 0 || tensors.some(([, { location }]) => location !== 'cpu')) {
      this.clear();
      return 0;
    }
    this.#tensors = Object.fromEntries(tensors.map(([name, tensor]) => [name, this.#cut(tensor, kept)]));
    this.#ids.length = kept;
    return kept;
  }

  /** The inputs for the model: none, if the cache is empty. */
  get inputs(): { past_key_values?: Readonly<Record<string, Tensor>> } {
    return this.#ids.length === 0 ? {} : { past_key_values: this.#tensors };
  }

  /** Remembers what the model returned for further tokens. */
  add(tokens: readonly number[], outputs: Outputs): void {
    const present = Object.entries(outputs).filter(([name]) => name.startsWith('present'));
    const before = Object.values(this.#tensors);
    const length = this.#ids.length + tokens.length;
    const hasAll = this.#isSimple && present.every(([, { dims }]) => dims.length === 4 && dims[2] === length);
    const after = present.map(([name, tensor]) => [name.replace('present', 'past_key_values'), tensor]);
    for (const tensor of before) if (tensor.location !== 'cpu') tensor.dispose();
    this.#tensors = Object.fromEntries(after);
    this.#ids.push(...tokens);
    if (!hasAll) this.clear();
  }

  /** The first tokens of keys or values: [batch, heads, tokens, size of a head]. */
  #cut({ type, dims, data }: Tensor, kept: number): Tensor {
    const [batch, heads, length, size] = dims as [number, number, number, number];
    const cut = new (data.constructor as new (length: number) => Numbers)(batch * heads * kept * size);
    for (let head = 0; head < batch * heads; head++) {
      const from = head * length * size;
      cut.set(data.subarray(from, from + kept * size) as never, head * kept * size);
    }
    return new this.engine.Tensor(type, cut, [batch, heads, kept, size]);
  }
}
