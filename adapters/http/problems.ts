/** What went wrong, as RFC 9457 writes it down. No stack, and nothing of what the caller sent at length. */
import { STATUS_CODES } from 'node:http';
import { ContextShapingError } from '../../src/index.js';
import type { Failure } from './jobs.js';

export const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** Status of a request that was not waited for, as nginx logs it. Nobody is answered with it. */
export const CLIENT_GONE = 499;

export interface Problem {
  type: 'about:blank';
  /** The status in words. */
  title: string;
  status: number;
  /** What is wrong, as a sentence. */
  detail: string;
  /** JSON path of what is wrong in the body. */
  field?: string;
  /** What to write instead. */
  remedy?: string;
}

/** Keys of the body are the caller's own, and end up in names of fields. */
const LONGEST = 500;
const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

export function problem(
  status: number,
  detail: string,
  more: { field?: string; remedy?: string } = {},
): Problem {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: cut(detail),
    ...(more.field === undefined ? {} : { field: cut(more.field) }),
    ...(more.remedy === undefined ? {} : { remedy: cut(more.remedy) }),
  };
}

export const internalProblem = (): Problem =>
  problem(500, 'The service failed; its log says more under the id of this request.');

/** A problem on its way to the caller. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(problem: Problem, headers: Readonly<Record<string, string>> = {}) {
    super(problem.detail);
    this.problem = problem;
    this.headers = headers;
  }
}

/** Is it the caller who can put it right? */
export function isCallersFault(error: unknown): error is ContextShapingError {
  return (
    ContextShapingError.isInstance(error) &&
    (error.kind === 'invalid-input' || error.kind === 'invalid-options')
  );
}

export function inputProblem({ field, problem: is, remedy }: ContextShapingError): Problem {
  return problem(422, `${field} ${is}.`, { field, remedy });
}

/** What the log may say of an error: where, but not the message, which may quote the caller. */
export function failureOf(error: unknown): Failure {
  const { name, code, stack } = (error ?? {}) as { name?: unknown; code?: unknown; stack?: unknown };
  const at = typeof stack === 'string' ? stack.split('\n').filter((line) => /^\s+at /.test(line)) : [];
  return {
    name: typeof name === 'string' ? name : typeof error,
    ...(typeof code === 'string' ? { code } : {}),
    at: at.slice(0, 20).map((line) => line.trim()),
  };
}
