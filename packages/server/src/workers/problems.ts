/** Errors as RFC 9457 problem details. They contain no stack and no long contents of the request. */
import { STATUS_CODES } from 'node:http';
import { ContextShapingError } from 'context-shaping';
import * as z from 'zod';

export const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** Logged if the client disconnected before the answer, as nginx does. Never sent. */
export const CLIENT_GONE = 499;

export const problemSchema = z.object({
  type: z.literal('about:blank'),
  title: z.string().describe('The status in words.'),
  status: z.int(),
  detail: z.string().describe('A sentence that names the problem.'),
  field: z.string().optional().describe('JSON path of the wrong value in the body.'),
  remedy: z.string().optional().describe('A sentence that says what to write instead.'),
});
export type Problem = z.infer<typeof problemSchema>;

/** Names of fields contain keys of the body, which may be long. */
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
  problem(500, 'The service failed. The operator’s log has the reason under the id of this request.');

/** An error whose problem details are sent to the client. */
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

/** Whether the client can correct the error. */
export function isCallersFault(error: unknown): error is ContextShapingError {
  return (
    ContextShapingError.isInstance(error) &&
    (error.kind === 'invalid-input' || error.kind === 'invalid-options')
  );
}

export function inputProblem({ field, problem: is, remedy }: ContextShapingError): Problem {
  return problem(422, `${field} ${is}.`, { field, remedy });
}

/** The parts of an error that the log may contain. The message is left out, because it may quote the request. */
export interface Failure {
  name: string;
  code?: string | undefined;
  /** Lines of the stack. */
  at: string[];
}

export function failureOf(error: unknown): Failure {
  const { name, code, stack } = (error ?? {}) as { name?: unknown; code?: unknown; stack?: unknown };
  const at = typeof stack === 'string' ? stack.split('\n').filter((line) => /^\s+at /.test(line)) : [];
  return {
    name: typeof name === 'string' ? name : typeof error,
    ...(typeof code === 'string' ? { code } : {}),
    at: at.slice(0, 20).map((line) => line.trim()),
  };
}
