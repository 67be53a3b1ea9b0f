/** The pools and values that a session keeps between its runs. */
import type { ListOrder } from '../input/list-order.js';
import type { ResolvedOptions } from '../input/options.js';
import type { Cosines } from '../pool/cosines.js';
import type { TokenCounter } from '../ports.js';
import { isService } from '../runtime/is-service.js';
import { LastingMemory } from '../runtime/memory.js';
import type { ShapingQuery } from '../stage.js';
import type { Lexicon } from '../text/lexicon.js';
import type { Candidate, Chunk } from '../types.js';
import type { Tape } from './tape.js';

/** The checked input of a run, and what stages compute of its texts and vectors. */
export interface Pool {
  readonly query: ShapingQuery;
  /** Candidates with the texts of the caller. */
  readonly given: readonly Candidate[];
  /** Candidates as the model will see them. */
  readonly candidates: readonly Candidate[];
  /** Copies of the caller's chunks. */
  readonly chunks: readonly Chunk[];
  readonly countTokens: TokenCounter;
  readonly listOrder: ListOrder;
  readonly lexicon: Lexicon;
  readonly cosines: Cosines;
}

/** The parts of earlier runs that a run uses. */
export interface Recall {
  /** Absent if services answer each time. */
  readonly tape?: Tape | undefined;
  /** Absent for a single run. */
  readonly store?: Store | undefined;
}

/** Most pools that are kept: one for each value of the options that change the candidates themselves. */
const MOST_POOLS = 4;

/** The pools of one input, and what stages left for later runs. */
export class Store {
  readonly memory = new LastingMemory();
  readonly #pools = new Map<string, Pool>();

  /** The pool that these options make of the input. */
  async pool(options: ResolvedOptions, make: () => Promise<Pool>): Promise<Pool> {
    const { fields, namespace, pin, trust, stages, sanitise, frame, preview, tokenizer, ranked } = options;
    const shown = [sanitise, frame, preview];
    const key = this.keyOf([fields, namespace, pin, trust, stages, ...shown, tokenizer, ranked]);
    const pool = this.#pools.get(key) ?? (await make());
    this.#pools.delete(key);
    this.#pools.set(key, pool);
    if (this.#pools.size > MOST_POOLS) this.#pools.delete(this.#pools.keys().next().value as string);
    return pool;
  }

  /** Options as a text, equal for equal options. A function or a service is equal to itself alone. */
  keyOf(options: unknown): string {
    return JSON.stringify(options, (_key, value: unknown) =>
      typeof value === 'function' || (typeof value === 'object' && value !== null && isService(value))
        ? `#${this.memory.numberOf(value)}`
        : value,
    );
  }
}
