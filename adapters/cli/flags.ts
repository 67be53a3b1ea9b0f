/** Options that have a flag. The flag goes over the body. */
import { InvalidArgumentError } from 'commander';
import type { Order, ShapingOptions } from '../../src/index.js';
import { ENCODINGS, isObject, type JsonObject, ORDERS, PRESETS, type Preset } from '../../src/internal.js';

/** As commander hands them over. */
export interface OptionFlags {
  budget?: number;
  reserve?: number;
  k?: number;
  preset?: Preset;
  order?: Order;
  tokenizer?: (typeof ENCODINGS)[number];
}

/** Where each flag belongs among the options, as errors of the core name it. */
const FIELDS: Readonly<Record<keyof OptionFlags, readonly [string, string?]>> = {
  budget: ['budget', 'maxTokens'],
  reserve: ['budget', 'reserve'],
  k: ['k'],
  preset: ['preset'],
  order: ['order'],
  tokenizer: ['tokenizer'],
};

export const CHOICES = { preset: PRESETS, order: ORDERS, tokenizer: ENCODINGS };

/** @returns the options with the flags put in, and the flag of every field that came by one. */
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
    // What is there but is no object is wrong, and stays for the core to complain about.
    if (inner === undefined) merged[outer] = value;
    else if (isObject(there)) merged[outer] = { ...there, [inner]: value };
    flagOf.set(inner === undefined ? outer : `${outer}.${inner}`, `--${flag}`);
  }
  return { options: merged, flagOf };
}

/** @throws InvalidArgumentError of commander. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}
