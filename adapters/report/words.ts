import { isObject } from '../../src/internal.js';

/** Any value as text: numbers with at most three decimals, the fields of objects by name. */
export function inWords(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, each]) => `${key} ${inWords(each)}`)
    .join(', ');
}

/** A whole number with a comma after each thousand. */
export const count = (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
