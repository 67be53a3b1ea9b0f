/**
 * Logarithms and exponentials with the same bits on every machine. `Math.log` and its relatives may differ in the last bit
 * from one engine to another, and from one release of an engine to the next. Here only +, −, × and ÷ of 64-bit floats
 * decide, which IEEE 754 fixes. A test compares them with the engine.
 *
 *   log x = k log 2 + 2 (s + s³/3 + s⁵/5 + ..)       with x = 2^k m, √½ ≤ m < √2, s = (m − 1) / (m + 1)
 *   e^x   = 2^k (1 + r + r²/2! + r³/3! + ..)         with r = x − k log 2, |r| ≤ ½ log 2
 */

/** log 2 in two parts: the first has trailing zeros, so that its product with a small whole number is exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** Terms of the series, after which the rest is below the last bit. */
const TERMS_OF_LOG = 10;
const TERMS_OF_EXP = 14;

/** Bits of 64-bit floats. The first 32 have the sign, the exponent, and the highest 20 bits of the fraction. */
const bits = new DataView(new ArrayBuffer(8));

/** Splits a positive number into the power k of two and m, from √½ to √2. */
function split(x: number): [power: number, rest: number] {
  // Subnormal numbers have no leading 1.
  const isSmall = x < 2.2250738585072014e-308;
  bits.setFloat64(0, isSmall ? x * 2 ** 54 : x);
  const high = bits.getInt32(0);
  bits.setInt32(0, (high & 0xfffff) | 0x3ff00000);
  const rest = bits.getFloat64(0);
  const power = (high >> 20) - 1023 - (isSmall ? 54 : 0);
  return rest < Math.SQRT2 ? [power, rest] : [power + 1, rest / 2];
}

/** The logarithm of a number from √½ to √2. */
function logOfRest(rest: number): number {
  const s = (rest - 1) / (rest + 1);
  const square = s * s;
  let sum = 0;
  for (let term = TERMS_OF_LOG; term > 0; term--) sum = square * (1 / (2 * term + 1) + sum);
  return 2 * s + 2 * s * sum;
}

/** The logarithm of a number without a finite one; undefined of any other. */
function withoutFiniteLog(x: number): number | undefined {
  if (x > 0) return x === Number.POSITIVE_INFINITY ? x : undefined;
  return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
}

/** Natural logarithm. NaN below 0, −Infinity at 0. */
export function log(x: number): number {
  const known = withoutFiniteLog(x);
  if (known !== undefined) return known;
  const [power, rest] = split(x);
  return power * LN2_HIGH + (logOfRest(rest) + power * LN2_LOW);
}

/** Logarithm to base 2. Exact for powers of 2. NaN below 0, −Infinity at 0. */
export function log2(x: number): number {
  const known = withoutFiniteLog(x);
  if (known !== undefined) return known;
  const [power, rest] = split(x);
  return power + logOfRest(rest) * Math.LOG2E;
}

/** The power of e. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
  if (x < -745.1332191019411) return 0;
  const power = Math.round(Math.LOG2E * x);
  const r = x - power * LN2_HIGH - power * LN2_LOW;
  let sum = 1;
  for (let term = TERMS_OF_EXP; term > 0; term--) sum = 1 + (r / term) * sum;
  // Two steps: the lowest results and the highest ones are out of the range of one factor.
  const step = Math.max(-1021, Math.min(1023, power));
  return sum * wholePower(step) * wholePower(power - step);
}

/** The power of 2. Exact for whole numbers. */
export function exp2(x: number): number {
  const k = Math.round(x);
  if (!(Math.abs(k) <= 1000)) return exp(x * Math.LN2);
  return wholePower(k) * exp((x - k) * Math.LN2);
}

/** 2^k for a whole k between −1022 and 1023. */
function wholePower(k: number): number {
  bits.setInt32(0, (k + 1023) << 20);
  bits.setInt32(4, 0);
  return bits.getFloat64(0);
}
