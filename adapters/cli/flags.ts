/** Flags that set shaping options. A flag overrides the same option in the input. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ShapingOptions } from '../../src/index.js';
import { CHOICES, isObject, type JsonObject } from '../../src/internal.js';

/** The values that commander returns. */
export interface OptionFlags {
  budget?: number;
  reserve?: number;
  k?: number;
  order?: (typeof CHOICES.order)[number];
  tokenizer?: (typeof CHOICES.tokenizer)[number];
}

/** The path of the option that each flag sets. */
const FIELDS: Readonly<Record<keyof OptionFlags, readonly [string, string?]>> = {
  budget: ['budget', 'maxTokens'],
  reserve: ['budget', 'reserve'],
  k: ['k'],
  order: ['order'],
  tokenizer: ['tokenizer'],
};

/** The flag of each option that has one, by its path. */
export const FLAGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FIELDS).map(([flag, path]) => [path.join('.'), `--${flag}`]),
);

/** @returns the options with the values of the flags, and the flag for each option that a flag set. */
export function applyFlags(
  options: JsonObject,
  flags: OptionFlags,
): { options: ShapingOptions; flagOf: Map<string, string> } {
  const merged: JsonObject = { ...options };
  const flagOf = new Map<string, string>();
  for (const [flag, [outer, inner]] of Object.entries(FIELDS)) {
    const value = flags[flag as keyof OptionFlags];
    if (value === undefined) continue;
    const there = merged[outer] ?? {};
    // A value that is not an object is an error, which the core reports.
    if (inner === undefined) merged[outer] = value;
    else if (isObject(there)) merged[outer] = { ...there, [inner]: value };
    flagOf.set(inner === undefined ? outer : `${outer}.${inner}`, `--${flag}`);
  }
  return { options: merged, flagOf };
}

/** The flag of a name in camel case: `--queue-name` of `queueName`. */
export const flagNamed = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** @throws InvalidArgumentError of commander. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

/** @throws InvalidArgumentError of commander. */
export function decimal(text: string): number {
  if (!/^(?:\d*\.)?\d+$/.test(text)) throw new InvalidArgumentError('Give a number, such as 0.5.');
  return Number(text);
}

/** The flags that set the options of a shaping. */
export const withOptionFlags = (command: Command): Command =>
  command
    .option('--budget <tokens>', 'maximum tokens to keep (option budget.maxTokens)', wholeNumber)
    .option('--reserve <tokens>', 'tokens of the budget to leave free (option budget.reserve)', wholeNumber)
    .option('-k, --k <count>', 'maximum chunks to keep (option k)', wholeNumber)
    .addOption(new Option('--order <name>', 'order of the result').choices(CHOICES.order))
    .addOption(new Option('--tokenizer <name>', 'how to count tokens').choices(CHOICES.tokenizer));

/** The flags that set the question and the options of a shaping. */
export const withShapeFlags = (command: Command): Command =>
  withOptionFlags(command.option('--query <text>', 'the question; overrides the one in the input'));
