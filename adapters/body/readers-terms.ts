/** Errors of the core, about what the reader wrote. */
import { ContextShapingError } from '../../src/index.js';
import type { Body } from './body.js';

/**
 * The core names fields of its own arguments; the reader wrote JSON. The same complaint, with every name as the
 * reader wrote it: `$.chunks[3].id` for `chunks[3].id`, `$.options.k` for `k`. Any other error comes back as it is.
 *
 * @param paths as `readBody` gave them.
 * @param nameOf how options that were not in the body were written, by their name in the core: `--k` for `k`.
 */
export function inReadersTerms(
  error: unknown,
  paths: Body['paths'],
  nameOf: ReadonlyMap<string, string> = new Map(),
): unknown {
  if (!ContextShapingError.isInstance(error)) return error;
  const isOption = error.kind === 'invalid-options';
  if (!isOption && error.kind !== 'invalid-input') return error;
  const name = (field: string) => (isOption ? optionName(field, nameOf) : inputName(field, paths));
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

function optionName(field: string, nameOf: ReadonlyMap<string, string>): string {
  return nameOf.get(field) ?? (field === 'options' ? '$.options' : `$.options.${field}`);
}

function inputName(field: string, paths: Body['paths']): string {
  if (field.startsWith('query.embedding')) return field.replace('query.embedding', paths.embedding);
  if (field === 'query' || field === 'query.text') return paths.query;
  return `$.${field}`;
}
