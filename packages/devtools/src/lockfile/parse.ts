/** Reads a lockfile from a file. */

import { REPORT_VERSION } from 'context-shaping/internal';
import { invalidInput, isObject, messageOf, sealReport } from 'context-shaping/kit';
import * as z from 'zod/mini';
import { sealLockfile } from './record.js';
import { type ContextLockfile, LOCKFILE_VERSION } from './types.js';

const optional = z.optional;
const objects = () => z.array(z.looseObject({}));
const entry = () => z.looseObject({ id: z.string(), index: z.int() });
const fields = () => z.record(z.string(), z.unknown());
const service = {
  provider: optional(z.string()),
  modelId: optional(z.string()),
  failures: optional(z.record(z.string(), z.string())),
};
const recordedVector = () => z.string().check(z.regex(/^f(32|64):[A-Za-z0-9+/]+=*$/));

const chunk = z.object({
  id: z.string(),
  score: optional(z.number()),
  text: optional(z.string()),
  rendered: optional(z.string()),
  embedding: optional(recordedVector()),
  metadata: optional(fields()),
  hash: optional(z.string()),
  rest: optional(z.string()),
});

const turn = z.object({
  role: z.enum(['user', 'assistant']),
  text: optional(z.string()),
  hash: optional(z.string()),
});

/** The parts that this package reads. The report is checked as far as its tables need it; the digests prove the rest. */
const schema = z.object({
  lockfileVersion: z.literal(LOCKFILE_VERSION),
  library: z.object({ name: z.string(), version: z.string() }),
  texts: z.enum(['full', 'hashed', 'none']),
  input: z.object({
    query: z.object({
      text: z.string(),
      answer: optional(z.string()),
      embedding: optional(recordedVector()),
      history: optional(z.array(turn)),
    }),
    chunks: z.array(chunk),
    ranked: optional(z.union([z.boolean(), z.literal('reranked'), z.number().check(z.gte(0), z.lte(1))])),
  }),
  options: fields(),
  functions: z.array(z.string()),
  pinned: optional(z.array(z.string())),
  services: z.object({
    embedder: optional(z.object({ ...service, vectors: fields() })),
    model: optional(z.object({ ...service, answers: fields() })),
    judge: optional(z.object({ ...service, answers: fields() })),
    scorer: optional(z.object({ ...service, answers: fields() })),
  }),
  report: z.looseObject({
    version: z.literal(REPORT_VERSION),
    query: z.string(),
    options: fields(),
    input: z.array(z.string()),
    kept: z.array(entry()),
    evicted: z.array(z.looseObject({ ...entry().shape, stage: z.string(), reason: z.string() })),
    conflicts: objects(),
    flags: objects(),
    support: objects(),
    degradations: objects(),
    stages: objects(),
    tokens: z.looseObject({ input: z.number(), output: z.number() }),
    digest: z.string(),
  }),
  digest: z.string(),
});

const AGAIN = 'Record the context again, or take the file from your version control.';

/**
 * Checks a lockfile: the text of a file, or what JSON.parse made of it.
 *
 * @throws ContextShapingError `invalid-input`, with the path of the first wrong value. A lockfile of another version, and
 *   one that does not match its digest, are errors.
 */
export function parseLockfile(given: string | object): ContextLockfile {
  const value: unknown = typeof given === 'string' ? parsed(given) : given;
  if (!isObject(value)) throw invalidInput('lockfile', value, 'must be an object', AGAIN);
  const version = value.lockfileVersion;
  if (version !== LOCKFILE_VERSION) {
    const isLater = Number.isInteger(version) && (version as number) > LOCKFILE_VERSION;
    throw invalidInput(
      'lockfile.lockfileVersion',
      version,
      `must be ${LOCKFILE_VERSION}, the version that this release reads`,
      isLater ? 'Install a later release of context-shaping.' : AGAIN,
    );
  }
  const result = schema.safeParse(value);
  if (!result.success) {
    const [{ path, message }] = result.error.issues as [z.core.$ZodIssue];
    const at = path.reduce<unknown>((inner, key) => (inner as never)?.[key], value);
    throw invalidInput(fieldOf(path), at, `is wrong: ${message}`, AGAIN);
  }
  // As it was read: the schema would move the keys of the report, and the digest depends on their order.
  const lockfile = value as unknown as ContextLockfile;
  checkDigest(lockfile);
  return lockfile;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidInput('lockfile', text, `is not JSON: ${messageOf(cause)}`, AGAIN, cause);
  }
}

const fieldOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>(
    (at, key) => at + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`),
    'lockfile',
  );

/**
 * Files that a person or a merge of two branches changed have another digest.
 *
 * @throws ContextShapingError `invalid-input`.
 */
export function checkDigest(lockfile: ContextLockfile): void {
  checkDepth(lockfile);
  const { report, digest } = lockfile;
  const { digest: own, ...told } = report;
  const wrong =
    sealReport(told).digest !== own
      ? { field: 'lockfile.report.digest', value: own, of: 'the report in the lockfile' }
      : sealLockfile(lockfile).digest !== digest
        ? { field: 'lockfile.digest', value: digest, of: 'the lockfile' }
        : undefined;
  if (wrong === undefined) return;
  throw invalidInput(
    wrong.field,
    wrong.value,
    `is not the digest of ${wrong.of}`,
    `Somebody edited the file, or merged two versions of it. ${AGAIN}`,
  );
}

/** No recorded value has as many levels: metadata has 17, and the evidence of a stage 16. */
const MOST_LEVELS = 64;

/** JSON can be written only as deep as the stack is. */
function checkDepth(lockfile: object): void {
  let inner: unknown[] = [lockfile];
  for (let level = 0; level <= MOST_LEVELS; level++) {
    inner = inner.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (inner.length === 0) return;
  }
  throw invalidInput(
    'lockfile',
    lockfile,
    `has values below ${MOST_LEVELS} levels of lists and objects`,
    AGAIN,
  );
}
