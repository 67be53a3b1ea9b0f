/** Lockfiles between two others: the first one with some of the differences of the second. */
import { isObject } from '../../../src/internal.js';
import type { ContextLockfile, RecordedChunk, RecordedServices } from '../types.js';
import { keyed, nameOf, OPTION_OF, SERVICES, type Unit, valueAt } from './differences.js';

/** The first lockfile with these differences. Its report is not that of its input. */
export function compose(a: ContextLockfile, b: ContextLockfile, units: readonly Unit[]): ContextLockfile {
  const has = (kind: Unit['kind']) => units.some((unit) => unit.kind === kind);
  const paths = units.flatMap((unit) => (unit.kind === 'option' ? [unit.path] : []));
  const { ranked: _, ...input } = a.input;
  const { history: __, ...query } = (has('query') ? b : a).input.query;
  const { history } = (has('history') ? b : a).input.query;
  const ranked = (has('ranked') ? b : a).input.ranked;
  return {
    ...a,
    input: {
      ...input,
      query: { ...query, ...(history === undefined ? {} : { history }) },
      chunks: chunksOf(a, b, units),
      ...(ranked === undefined ? {} : { ranked }),
    },
    options: paths.reduce(
      (options, path) => withValue(options, path.split('.'), valueAt(b.options, path)),
      a.options,
    ),
    functions: functionsOf(a, b, paths),
    pinned: pinnedOf(a, b, paths.includes('pin')),
    services: servicesOf(a, b, has, paths),
  };
}

function withValue(
  options: Readonly<Record<string, unknown>>,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const { [key]: own, ...others } = options;
  const inner = rest.length === 0 ? value : withValue(isObject(own) ? own : {}, rest, value);
  return inner === undefined ? others : { ...others, [key]: inner };
}

function functionsOf(a: ContextLockfile, b: ContextLockfile, paths: readonly string[]): string[] {
  const isOf = (path: string) => (paths.includes(path) ? b : a).functions.includes(path);
  return [...new Set([...a.functions, ...b.functions])].filter(isOf);
}

function pinnedOf(a: ContextLockfile, b: ContextLockfile, isSeconds: boolean): string[] {
  const [own, other] = isSeconds ? [b, a] : [a, b];
  const known = new Set(own.input.chunks.map(({ id }) => id));
  return [...(own.pinned ?? []), ...(other.pinned ?? []).filter((id) => !known.has(id))];
}

function servicesOf(
  a: ContextLockfile,
  b: ContextLockfile,
  has: (kind: Unit['kind']) => boolean,
  paths: readonly string[],
): RecordedServices {
  const pick = (kind: (typeof SERVICES)[number]) => {
    const isSecond =
      has(kind) ||
      (kind !== 'embedder' && paths.some((path) => `${OPTION_OF[kind]}.`.startsWith(`${path}.`)));
    const [own, other] = isSecond
      ? [b.services[kind], a.services[kind]]
      : [a.services[kind], b.services[kind]];
    // The same service answers the same: what one lockfile lacks, the other may have.
    if (own === undefined || other === undefined || nameOf(own) !== nameOf(other)) return own;
    const both = (key: 'vectors' | 'answers' | 'failures') => ({
      ...(other as Partial<Record<typeof key, object>>)[key],
      ...(own as Partial<Record<typeof key, object>>)[key],
    });
    return { ...own, vectors: both('vectors'), answers: both('answers'), failures: both('failures') };
  };
  return Object.fromEntries(
    SERVICES.map((kind) => [kind, pick(kind)] as const).filter(([, service]) => service !== undefined),
  ) as RecordedServices;
}

function chunksOf(a: ContextLockfile, b: ContextLockfile, units: readonly Unit[]): RecordedChunk[] {
  const [from, to] = [keyed(a.input.chunks), keyed(b.input.chunks)];
  const keysOf = (kind: Unit['kind']) =>
    new Set(units.flatMap((unit) => (unit.kind === kind ? (unit.keys ?? []) : [])));
  const [removed, added, changed] = [keysOf('chunk-removed'), keysOf('chunk-added'), keysOf('chunk-changed')];
  const isThere = (key: string) => (from.has(key) ? !removed.has(key) : added.has(key));
  const lists = [[...from.keys()], [...to.keys()]] as const;
  const [first, second] = units.some(({ kind }) => kind === 'order') ? [lists[1], lists[0]] : lists;
  const order = first.filter(isThere);
  for (const [at, key] of second.entries()) {
    if (!isThere(key) || order.includes(key)) continue;
    // After the chunk that it follows in its own list.
    const before = second.slice(0, at).findLast((each) => order.includes(each));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key);
  }
  return order.map(
    (key) => (changed.has(key) ? to.get(key) : (from.get(key) ?? to.get(key))) as RecordedChunk,
  );
}
