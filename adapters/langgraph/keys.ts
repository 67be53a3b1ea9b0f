/** The keys that the graph shares with its parent, under the parent's names. */
import { Command } from '@langchain/langgraph';
import * as z from 'zod';
import { ContextShapingError } from '../../src/index.js';
import { parseOptions } from '../../src/internal.js';
import { CragState, type State, type Update } from './state.js';

/** The parent's keys for the input (`query`, `documents`) and the output of the graph. Absent: the same name. */
export interface CragKeys {
  query?: string | undefined;
  documents?: string | undefined;
  /** May be the key of `documents`: the context then replaces the retrieved documents. */
  context?: string | undefined;
  verdict?: string | undefined;
  report?: string | undefined;
}

/** The keys of an object, under the names of a parent with the keys `K`. */
export type Renamed<T, K extends CragKeys> = {
  [Key in keyof T as Key extends keyof CragKeys ? (K[Key] extends string ? K[Key] : Key) : Key]: T[Key];
};

export type Keys = Record<keyof CragKeys, string>;

const FIELDS = ['query', 'documents', 'context', 'verdict', 'report'] as const satisfies (keyof CragKeys)[];
const SHARED: readonly string[] = ['documents', 'context'] satisfies (keyof CragKeys)[];
/** LangGraph has one list of names for keys and nodes. */
const NODES = ['begin', 'shape', 'grade', 'decide', 'rewrite', 'search', 'review', 'refine'];

const key = (field: keyof CragKeys) =>
  z
    .string()
    .refine((name) => /^(?!__)[^:]+$/.test(name), 'must be a name without a colon, and not begin with __')
    .refine((name) => !NODES.includes(name), 'must not be the name of a node of the graph')
    .default(field);
const schema = z.strictObject({
  keys: z
    .strictObject({
      query: key('query'),
      documents: key('documents'),
      context: key('context'),
      verdict: key('verdict'),
      report: key('report'),
    })
    .prefault({}),
});

/** @throws ContextShapingError `invalid-options`, if a key has no valid name, or if two have the same. */
export function resolveKeys(given: CragKeys | undefined): Keys {
  const { keys } = parseOptions(schema, { keys: given });
  for (const [at, field] of FIELDS.entries()) {
    const other = FIELDS.slice(0, at).find((each) => keys[each] === keys[field]);
    if (other === undefined || (SHARED.includes(other) && SHARED.includes(field))) continue;
    throw new ContextShapingError('invalid-options', {
      field: `keys.${field}`,
      value: keys[field],
      is: (name) => `is also the key of ${name(`keys.${other}`)}`,
      remedy: 'Give each a key of its own. Only documents and context may have the same.',
    });
  }
  return keys;
}

type Step<Input extends unknown[]> = (...input: Input) => Update | Command | Promise<Update | Command>;

/** Translates between the names of the parent, which the channels of the graph have, and the names of the nodes. */
export interface Renaming {
  /** The channels of a schema under their names in this graph. */
  channels<T extends object>(spec: T): T;
  /** The state under the names of the nodes. */
  state(channels: unknown): State;
  /** A node that reads the state. */
  reads<More extends unknown[]>(node: Step<[State, ...More]>): Step<[State, ...More]>;
  /** A node whose input is a task. */
  writes<Input extends unknown[]>(node: Step<Input>): Step<Input>;
}

export function renaming(keys: Keys): Renaming {
  const taken = new Set(Object.values(keys));
  const free = (name: string): string => (taken.has(name) ? free(`crag_${name}`) : name);
  const names = new Map(
    Object.keys(CragState.spec).map((own) => [own, own in keys ? keys[own as keyof Keys] : free(own)]),
  );
  const channels = <T extends object>(values: T) =>
    Object.fromEntries(Object.entries(values).map(([own, value]) => [names.get(own), value])) as T;
  const state = (values: unknown) =>
    Object.fromEntries(
      [...names].map(([own, name]) => [own, (values as Record<string, unknown>)[name]]),
    ) as unknown as State;
  const writes =
    <Input extends unknown[]>(node: Step<Input>): Step<Input> =>
    async (...input) => {
      const result = await node(...input);
      if (!(result instanceof Command)) return channels(result);
      return result.update === undefined
        ? result
        : new Command({ goto: result.goto ?? [], update: channels(result.update as Update) });
    };
  return {
    channels,
    state,
    writes,
    reads: (node) => writes((values, ...more) => node(state(values), ...more)),
  };
}
