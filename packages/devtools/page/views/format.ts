/** Numbers as the page shows them. */
const NUMBER = new Intl.NumberFormat('en-US');

export const count = (value: number): string => NUMBER.format(value);
export const chunks = (value: number): string => `${count(value)} ${value === 1 ? 'chunk' : 'chunks'}`;
export const percent = (share: number): string => `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;
export const decimals = (value: number | undefined, digits = 2): string =>
  value === undefined ? '–' : value.toFixed(digits);
