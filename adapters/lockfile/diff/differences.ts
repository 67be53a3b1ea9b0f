/** The differences of two lockfiles before the shaping. */
import { isObject } from '../../../src/internal.js';
import type { ContextLockfile, RecordedChunk, RecordedService, RecordedTurn } from '../types.js';
import { keysOf } from './outcomes.js';
import type { Difference } from './types.js';

/** Differences beyond this number are not tried one by one: chunks of one kind count as one difference. */
const MOST = 40;

/** A difference, and the keys of its chunks. */
export type Unit = Difference & { keys?: readonly string[] };

export function differencesOf(a: ContextLockfile, b: ContextLockfile): Unit[] {
  const alike = a.texts !== 'none' && b.texts !== 'none';
  const given = alike
    ? optionDifferences(a.options, b.options)
    : optionDifferences(a.report.options, b.report.options);
  const fixed: Unit[] = [
    ...library(a, b, alike ? given : []),
    ...given.map(({ path, ...values }): Unit => ({ kind: 'option', path, ...resolved(a, b, path, values) })),
    ...functions(a, b),
    ...(alike ? services(a, b) : []),
    ...query(a, b),
    ...(a.input.ranked === b.input.ranked
      ? []
      : [{ kind: 'ranked' as const, from: a.input.ranked ?? null, to: b.input.ranked ?? null }]),
  ];
  const chunks = chunkDifferences(a.input.chunks, b.input.chunks);
  return [...fixed, ...(chunks.length > MOST ? inGroups(chunks) : chunks)];
}

interface OptionDifference {
  path: string;
  from: unknown;
  to: unknown;
}

/** The paths at which two trees of options differ. Lists and plain values are compared as wholes. */
function optionDifferences(from: unknown, to: unknown, path = ''): OptionDifference[] {
  if (isObject(from) && isObject(to)) {
    return [...new Set([...Object.keys(from), ...Object.keys(to)])]
      .sort()
      .flatMap((key) => optionDifferences(from[key], to[key], path === '' ? key : `${path}.${key}`));
  }
  return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ path, from, to }];
}

/** The values that counted, which include defaults. */
function resolved(
  a: ContextLockfile,
  b: ContextLockfile,
  path: string,
  { from, to }: Omit<OptionDifference, 'path'>,
) {
  const at = ({ report }: ContextLockfile) => valueAt(report.options, path);
  return { from: at(a) ?? from ?? null, to: at(b) ?? to ?? null };
}

export const valueAt = (options: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), options);

function library(a: ContextLockfile, b: ContextLockfile, given: readonly OptionDifference[]): Unit[] {
  const [from, to] = [a.library.version, b.library.version];
  if (from === to) return [];
  const isGiven = (path: string) => given.some((each) => `${path}.`.startsWith(`${each.path}.`));
  const defaults = given.some(({ path }) => path === 'preset')
    ? []
    : optionDifferences(a.report.options, b.report.options).filter(({ path }) => !isGiven(path));
  return [{ kind: 'library', from, to, defaults }];
}

/** Functions that one of the two has are options that changed. A function in both may be another one. */
function functions(a: ContextLockfile, b: ContextLockfile): Unit[] {
  const isObserver = (path: string) => /^on(Report|Evict|Stage)$/.test(path);
  const paths = [...new Set([...a.functions, ...b.functions])].filter((path) => !isObserver(path)).sort();
  const shared = new Set(a.input.chunks.map(({ id }) => id));
  const own = new Set(b.input.chunks.map(({ id }) => id));
  const inBoth = (pinned: readonly string[] = []) =>
    pinned.filter((id) => shared.has(id) && own.has(id)).sort();
  return paths.flatMap((path): Unit[] => {
    const [was, is] = [a, b].map(({ functions: of }) => of.includes(path));
    if (path === 'pin' && was && is) {
      const [from, to] = [inBoth(a.pinned), inBoth(b.pinned)];
      return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ kind: 'option', path, from, to }];
    }
    if (was && is) return [{ kind: 'function', path }];
    return valueAt((was ? b : a).options, path) === undefined
      ? [{ kind: 'option', path, from: was ? 'custom' : null, to: is ? 'custom' : null }]
      : [];
  });
}

export const SERVICES = ['embedder', 'model', 'judge', 'scorer'] as const;

/** The options with services inside. */
export const OPTION_OF = { model: 'ecs', judge: 'ecs', scorer: 'extract.scorer' } as const;

function services(a: ContextLockfile, b: ContextLockfile): Unit[] {
  return SERVICES.flatMap((kind): Unit[] => {
    // If the option of a service comes or goes, so does the service.
    const [was, is] = [a, b].map(
      ({ options }) => kind === 'embedder' || isObject(valueAt(options, OPTION_OF[kind])),
    );
    if (was !== is) return [];
    const [own, other] = [a.services[kind], b.services[kind]];
    const [before, after] = [answersOf(own), answersOf(other)];
    const same = Object.keys(before).filter((key) => key in after);
    const changed = same.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).length;
    const [from, to] = [nameOf(own), nameOf(other)];
    return from === to && changed === 0 ? [] : [{ kind, from, to, changed, of: same.length }];
  });
}

type Recorded = (RecordedService & { vectors?: object; answers?: object }) | undefined;

const answersOf = (service: Recorded): Record<string, unknown> => ({
  ...service?.vectors,
  ...service?.answers,
  ...service?.failures,
});

export const nameOf = (service: RecordedService | undefined): string | null =>
  service === undefined
    ? null
    : [service.provider, service.modelId].filter((part) => part !== undefined && part !== '').join('/') ||
      'custom';

function query(a: ContextLockfile, b: ContextLockfile): Unit[] {
  const [{ history: before = [], ...own }, { history: after = [], ...other }] = [
    a.input.query,
    b.input.query,
  ];
  // Whether a hash is that of a text is not compared.
  const isKnown = a.texts === b.texts;
  const turns = (history: readonly RecordedTurn[]) =>
    JSON.stringify(isKnown ? history : history.map(({ role }) => role));
  return [
    ...(JSON.stringify(own) === JSON.stringify(other)
      ? []
      : [{ kind: 'query' as const, from: own.text, to: other.text }]),
    ...(turns(before) === turns(after)
      ? []
      : [{ kind: 'history' as const, from: before.length, to: after.length }]),
  ];
}

function chunkDifferences(before: readonly RecordedChunk[], after: readonly RecordedChunk[]): Unit[] {
  const [from, to] = [keyed(before), keyed(after)];
  const gone = [...from.keys()].filter((key) => !to.has(key));
  const added = [...to.keys()].filter((key) => !from.has(key));
  const both = [...from.keys()].filter((key) => to.has(key));
  const order = [...to.keys()].filter((key) => from.has(key));
  return [
    ...gone.map((key) => chunks('chunk-removed', [key], from)),
    ...added.map((key) => chunks('chunk-added', [key], to)),
    ...both.flatMap((key): Unit[] => {
      const fields = changedFields(from.get(key) as RecordedChunk, to.get(key) as RecordedChunk);
      return fields.length === 0
        ? []
        : [{ kind: 'chunk-changed', ids: [(from.get(key) as RecordedChunk).id], fields, keys: [key] }];
    }),
    ...(both.every((key, at) => key === order[at]) ? [] : [{ kind: 'order' as const }]),
  ];
}

export const keyed = (chunks: readonly RecordedChunk[]): Map<string, RecordedChunk> => {
  const keys = keysOf(chunks.map(({ id }) => id));
  return new Map(chunks.map((chunk, at) => [keys[at] as string, chunk]));
};

const chunks = (
  kind: 'chunk-added' | 'chunk-removed',
  keys: string[],
  of: Map<string, RecordedChunk>,
): Unit => ({
  kind,
  ids: keys.map((key) => (of.get(key) as RecordedChunk).id),
  keys,
});

function changedFields(own: RecordedChunk, other: RecordedChunk): string[] {
  const names = ['text', 'hash', 'rendered', 'score', 'embedding', 'metadata', 'rest'] as const;
  const changed = names.filter((name) => JSON.stringify(own[name]) !== JSON.stringify(other[name]));
  // Whether a hash is that of a text is not compared.
  const isKnown = (own.hash === undefined) === (other.hash === undefined);
  return isKnown
    ? changed.map(
        (name) => ({ hash: 'text', rest: 'rendered, embedding or metadata' })[name as 'hash'] ?? name,
      )
    : changed.filter((name) => name === 'score');
}

/** One difference of each kind. */
function inGroups(units: readonly Unit[]): Unit[] {
  const groups = new Map<string, Unit>();
  for (const unit of units) {
    const group = groups.get(unit.kind);
    if (group === undefined || !('ids' in unit) || !('ids' in group)) {
      groups.set(unit.kind, unit);
      continue;
    }
    groups.set(unit.kind, {
      ...group,
      ids: [...group.ids, ...unit.ids],
      keys: [...(group.keys ?? []), ...(unit.keys ?? [])],
      ...('fields' in group && 'fields' in unit
        ? { fields: [...new Set([...group.fields, ...unit.fields])] }
        : {}),
    } as Unit);
  }
  return [...groups.values()];
}
