/** What to say, and which exit code to leave with, when something goes wrong. */
import { CommanderError } from 'commander';
import { ContextShapingError } from '../../src/index.js';
import type { Body } from './body.js';

export const EXIT = { ok: 0, failed: 1, badInput: 2, interrupted: 130 } as const;

/** Something about the call itself that the reader can put right: a file that is not there, say. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.badInput;
  if (error instanceof UsageError) return EXIT.badInput;
  if (!ContextShapingError.isInstance(error)) return EXIT.failed;
  return error.kind === 'invalid-input' || error.kind === 'invalid-options' ? EXIT.badInput : EXIT.failed;
}

/**
 * The core names fields of its own arguments; the reader wrote JSON and flags. The same complaint, with
 * every name as the reader wrote it. Any other error comes back as it is.
 */
export function inReadersTerms(
  error: unknown,
  paths: Body['paths'],
  flagOf: ReadonlyMap<string, string>,
): unknown {
  if (!ContextShapingError.isInstance(error)) return error;
  const isOption = error.kind === 'invalid-options';
  if (!isOption && error.kind !== 'invalid-input') return error;
  const name = (field: string) => (isOption ? optionName(field, flagOf) : inputName(field, paths));
  const rename = (text: string) =>
    isOption
      ? text.replace(/^(Give|Correct) ([\w.]+)(?= |, )/, (match, verb, field) =>
          field === error.field ? `${verb} ${name(field)}` : match,
        )
      : text.replace(/\b(?:chunks\[\d+\]|query\.\w+)[\w.[\]]*/g, name);
  return new ContextShapingError(error.kind, {
    field: name(error.field),
    value: error.value,
    is: rename(error.problem),
    remedy: rename(error.remedy),
    cause: error,
  });
}

function optionName(field: string, flagOf: ReadonlyMap<string, string>): string {
  return flagOf.get(field) ?? (field === 'options' ? '$.options' : `$.options.${field}`);
}

function inputName(field: string, paths: Body['paths']): string {
  if (field.startsWith('query.embedding')) return field.replace('query.embedding', paths.embedding);
  if (field === 'query' || field === 'query.text') return paths.query;
  return `$.${field}`;
}
