/** Everything this package throws on purpose is a {@link ContextShapingError} of one of these kinds. */
export type ContextShapingErrorKind =
  /** An option is unknown, of the wrong type, or out of range. */
  | 'invalid-options'
  /** The query, a chunk, or what a port returned for a chunk is malformed. */
  | 'invalid-input'
  /** An outside service cannot be reached, fails, or does not meet a requirement. */
  | 'service'
  /** An optional package that was asked for is not installed. */
  | 'missing-dependency'
  /** A stage of the option `stages` threw, was too late, or returned what a stage must not return. */
  | 'stage'
  /** A stage lost or invented a chunk. Always a defect of that stage, never of the input. */
  | 'conservation';

const MARK = Symbol.for('context-shaping.error');
const SHOWN = 80;

/** The name under which a reader knows a field, for instance `--budget` for `budget.maxTokens`. */
type Naming = (field: string) => string;

/** A text of an error. If it mentions fields, it is a function that gets the name to write for each field. */
export type ErrorText = string | ((name: Naming) => string);

interface ErrorDetails {
  field: string;
  value: unknown;
  is: ErrorText;
  remedy: ErrorText;
  cause?: unknown;
}

const written = (text: ErrorText, name: Naming) => (typeof text === 'string' ? text : text(name));

/**
 * An error with the place (`field`), the value (`value`) and the correction (`remedy`).
 *
 * Recognise it with {@link ContextShapingError.isInstance}: `instanceof` fails when two copies of the
 * package are loaded side by side.
 */
export class ContextShapingError extends Error {
  readonly kind: ContextShapingErrorKind;
  /** Path of the wrong value, as a caller would write it: `chunks[3].embedding[7]`, `budget.maxTokens`. */
  readonly field: string;
  /** The wrong value, unchanged. */
  readonly value: unknown;
  /** The problem with the value: the predicate of a sentence whose subject is the field. */
  readonly problem: string;
  /** One sentence that says what to write instead. */
  readonly remedy: string;
  readonly #details: ErrorDetails;

  /**
   * @param details `is` becomes `problem`. `is` and `remedy` are functions where they mention fields, so that
   *   {@link renamed} can name those fields differently.
   */
  constructor(kind: ContextShapingErrorKind, details: ErrorDetails) {
    const { field, value, cause } = details;
    const problem = written(details.is, (same) => same);
    const remedy = written(details.remedy, (same) => same);
    super(`${field} ${problem} (got ${show(value)}). ${remedy}`, cause === undefined ? undefined : { cause });
    this.name = 'ContextShapingError';
    this.kind = kind;
    this.field = field;
    this.value = value;
    this.problem = problem;
    this.remedy = remedy;
    this.#details = details;
    silence(value);
    Object.defineProperty(this, MARK, { value: true });
  }

  /**
   * The same error for a reader who knows the fields by other names: `error.renamed((field) => '--' + field)`.
   * `field`, `problem`, `remedy` and `message` have the new names; `kind`, `value`, `cause` and the frames of `stack`
   * stay.
   *
   * @param name returns the name to write for a field. It also gets the fields that the texts mention.
   */
  renamed(name: (field: string) => string): ContextShapingError {
    const { is, remedy } = this.#details;
    const renaming = (text: ErrorText): ErrorText =>
      typeof text === 'string' ? text : (outer) => text((field) => outer(name(field)));
    // By its constructor: a bundler renames a class that names itself, and the stack would show that name.
    const Same = this.constructor as typeof ContextShapingError;
    const error = new Same(this.kind, {
      ...this.#details,
      field: name(this.field),
      is: renaming(is),
      remedy: renaming(remedy),
    });
    if (this.stack !== undefined) error.stack = this.stack.replace(this.message, () => error.message);
    return error;
  }

  static isInstance(error: unknown): error is ContextShapingError {
    return typeof error === 'object' && error !== null && MARK in error;
  }
}

/** An error with this field set to `true` is no failure: a framework throws it to pause or to steer a run. */
const CONTROL_FLOW = 'is_bubble_up';

/**
 * Rethrows what no fallback may catch: the caller's abort, and errors with `is_bubble_up: true`, which have to reach
 * the framework that threw them.
 */
export function rethrowControlFlow(error: unknown, signal?: AbortSignal): void {
  signal?.throwIfAborted();
  if (isInterrupt(error)) throw error;
}

/** Whether a framework threw this to pause or to steer a run. */
export const isInterrupt = (error: unknown): boolean =>
  typeof error === 'object' && fieldOf(error, CONTROL_FLOW) === true;

/**
 * A promise that nothing waits for must not end the process when it rejects: a function of a user that answers nothing, or
 * that has to answer at once, may be asynchronous.
 */
export function silence(answer: unknown): void {
  if (typeof answer === 'object' && typeof fieldOf(answer, 'then') === 'function')
    Promise.resolve(answer).catch(() => {});
}

/** The error about a wrong query or chunk, or a wrong value that a port returned. */
export const invalidInput = (
  field: string,
  value: unknown,
  is: ErrorText,
  remedy: ErrorText,
  cause?: unknown,
): ContextShapingError => new ContextShapingError('invalid-input', { field, value, is, remedy, cause });

/** A short, safe rendering of any value: long ones are cut, exotic ones named. Never throws. */
export function show(value: unknown): string {
  let text: string;
  try {
    text = render(value);
  } catch {
    text = typeof value;
  }
  if (text.length <= SHOWN) return text;
  return `${text.slice(0, SHOWN)}…${typeof value === 'string' ? '"' : ''}`;
}

function render(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN + 1));
  if (typeof value === 'function') return `function ${value.name || '(anonymous)'}`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  if (Array.isArray(value)) return `array of ${value.length}`;
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
  if (typeof name === 'string' && name !== 'Object') return name;
  return JSON.stringify(value) ?? 'object';
}

/**
 * The message of anything that was thrown, an error of this realm or another, or something else, and of a failure that a
 * service returns. It says why a service could not be reached: `fetch failed: connection refused at 127.0.0.1:11434`.
 */
export function messageOf(error: unknown): string {
  const message = fieldOf(error, 'message') ?? fieldOf(error, 'failure');
  const text = typeof message === 'string' ? message : show(error);
  const problem = connectionProblem(error);
  if (problem === undefined || text.includes(problem)) return text;
  return fieldOf(error, 'code') === undefined ? `${text.replace(/\.$/, '')}: ${problem}` : problem;
}

/** Errors are nested at most this deep by `fetch`, a client and a framework. */
const MOST_CAUSES = 6;

/** How a report, an event or a span says why something failed. */
export type Telling = (error: unknown) => string;

/** The one choice between an error's own message and `toldOf`. */
export const tellingOf = ({ errorMessages }: { errorMessages: boolean }): Telling =>
  errorMessages ? messageOf : toldOf;

const TOLD = Symbol.for('context-shaping.told');

/** Marks an error whose message is a text of this package. */
export const asTold = <T extends object>(error: T): T => Object.defineProperty(error, TOLD, { value: true });

/** An error, or a failure that a service returns, in words of a report before: those of a lockfile, or of a step of a graph. */
export const toldError = (text: string): Error & { failure: string } =>
  asTold(Object.assign(new Error(text), { failure: text }));

const SHOWS = 'The option errorMessages shows its message.';
const WORD = /^[A-Za-z_$][\w$.-]{0,63}$/;
/** Whether a value is a name or a code, which cannot hold a sentence. */
export const isWord = (value: unknown): value is string => typeof value === 'string' && WORD.test(value);

/**
 * An error without its own message, because a service may quote its input there: its class and code, or field, problem
 * and remedy of an error of this package. Wrong values are left out.
 */
export function toldOf(error: unknown): string {
  if (fieldOf(error, TOLD) === true) return messageOf(error);
  const detail = connectionProblem(error) ?? codeOf(error);
  const inBrackets = detail === undefined ? '' : ` (${detail})`;
  if (ContextShapingError.isInstance(error)) {
    const { field, problem, remedy } = error;
    return `${field} ${problem}${inBrackets}. ${remedy}`;
  }
  if (typeof fieldOf(error, 'failure') === 'string') return `Failure. ${SHOWS}`;
  const names = [fieldOf(error, 'name'), fieldOf(fieldOf(error, 'constructor'), 'name')];
  return `${names.find(isWord) ?? typeof error}${inBrackets}. ${SHOWS}`;
}

/** The code of an error or of one of its causes: `ECONNRESET`, or the status of an answer, `429`. */
function codeOf(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < MOST_CAUSES && at != null; depth++) {
    const code = fieldOf(at, 'code');
    if (isWord(code)) return code;
    const status = fieldOf(at, 'status') ?? fieldOf(at, 'statusCode');
    if (Number.isInteger(status)) return String(status);
    at = fieldOf(at, 'cause');
  }
  return undefined;
}

/**
 * The problem that prevents a connection, if another attempt cannot succeed: `connection refused at 127.0.0.1:11434`,
 * or `no host has the name …`. It is found in the causes of an error, too. `undefined` for any other error.
 */
export function connectionProblem(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < MOST_CAUSES && at != null; depth++) {
    const code = fieldOf(at, 'code');
    if (code === 'ENOTFOUND') return `no host has the name ${fieldOf(at, 'hostname')}`;
    // The second is Bun's.
    if (code === 'ECONNREFUSED' || code === 'ConnectionRefused') return `connection refused${placeOf(at)}`;
    at = fieldOf(at, 'cause');
  }
  return undefined;
}

/** The address, as far as the error has it. A name with several addresses has one error for each; the last is shown. */
function placeOf(error: unknown): string {
  const all = fieldOf(error, 'errors');
  const one: unknown = Array.isArray(all) ? all.at(-1) : error;
  const [address, port, path] = ['address', 'port', 'path'].map((name) => fieldOf(one, name));
  if (typeof address !== 'string') return typeof path === 'string' ? ` at ${path}` : '';
  return ` at ${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Reads a field of any value. A field that cannot be read counts as absent. */
function fieldOf(value: unknown, name: string | symbol): unknown {
  try {
    return (value as Record<string | symbol, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}
