/**
 * Logarithms and exponentials with the same bits on every machine. `Math.log` and its relatives may differ in the last bit
 * from one engine to another, and from one release of an engine to the next. Here only +, −, × and ÷ of 64-bit floats
 * decide, which IEEE 754 fixes. A test compares them with the engine: they differ by at most two units in the last place,
 * and `exp2` by four.
 *
 *   log x = k log 2 + log m        with x = 2^k m, √½ ≤ m < √2, f = m − 1, s = f / (2 + f)
 *   log m = f − f²/2 + s (f²/2 + R(s²))   where R approximates log((1 + s) / (1 − s)) / s − 2
 *   e^x   = 2^k e^r                with r = x − k log 2, |r| ≤ ½ log 2
 *   e^r   = 1 + (r c / (2 − c) + r)       where c = r − r² P(r²)
 *
 * Source: the polynomials R and P, and the splits of log 2 and of 1 / log 2, are those of fdlibm (Sun Microsystems, 1993).
 * The reductions are those of P. T. P. Tang, "Table-driven implementation of the logarithm function", ACM Transactions on
 * Mathematical Software 16(4), 1990.
 */

/** log 2 in two parts: the first has trailing zeros, so that its product with a small whole number is exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** 1 / log 2 in two parts. */
const LOG2E_HIGH = 1.4426950407214463;
const LOG2E_LOW = 1.6751713164886512e-10;

const R1 = 0.6666666666666735;
const R2 = 0.3999999999940942;
const R3 = 0.2857142874366239;
const R4 = 0.22222198432149784;
const R5 = 0.1818357216161805;
const R6 = 0.15313837699209373;
const R7 = 0.14798198605116586;

const P1 = 0.16666666666666602;
const P2 = -0.0027777777777015593;
const P3 = 0.00006613756321437934;
const P4 = -0.0000016533902205465252;
const P5 = 4.1381367970572385e-8;

/** Bits of 64-bit floats. The first 32 have the sign, the exponent, and the highest 20 bits of the fraction. */
const bits = new DataView(new ArrayBuffer(8));
const ONE = 0x3ff00000;
const FRACTION = 0x000fffff;

let exponent = 0;
let fraction = 0;
let head = 0;

/** Splits a positive number: `exponent` k, and `fraction` m − 1. `head` has the highest bits of the fraction of x. */
function split(x: number): void {
  // Subnormal numbers have no leading 1.
  const isSmall = x < 2.2250738585072014e-308;
  bits.setFloat64(0, isSmall ? x * 2 ** 54 : x);
  const high = bits.getInt32(0);
  head = high & FRACTION;
  // A fraction above √2 belongs to the next power.
  const carry = (head + 0x95f64) & 0x100000;
  bits.setInt32(0, head | (carry ^ ONE));
  exponent = (high >> 20) - 1023 + (carry >> 20) - (isSmall ? 54 : 0);
  fraction = bits.getFloat64(0) - 1;
}

/** R(s²), with terms of even and of odd places summed apart. */
function remainder(s: number): number {
  const z = s * s;
  const w = z * z;
  return z * (R1 + w * (R3 + w * (R5 + w * R7))) + w * (R2 + w * (R4 + w * R6));
}

/** Natural logarithm. NaN below 0, −Infinity at 0. */
export function log(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY)
    return x === 0 ? Number.NEGATIVE_INFINITY : x > 0 ? x : Number.NaN;
  split(x);
  const [k, f] = [exponent, fraction];
  if (Math.abs(f) < 2 ** -20) {
    const square = f * f * (0.5 - (1 / 3) * f);
    if (f === 0) return k * LN2_HIGH + k * LN2_LOW;
    return k === 0 ? f - square : k * LN2_HIGH - (square - k * LN2_LOW - f);
  }
  const s = f / (2 + f);
  const r = remainder(s);
  // If f is far from 0, f²/2 is taken out first: fewer bits are lost.
  if (((head - 0x6147a) | (0x6b851 - head)) > 0) {
    const half = 0.5 * f * f;
    return k === 0 ? f - (half - s * (half + r)) : k * LN2_HIGH - (half - (s * (half + r) + k * LN2_LOW) - f);
  }
  return k === 0 ? f - s * (f - r) : k * LN2_HIGH - (s * (f - r) - k * LN2_LOW - f);
}

/** Logarithm to base 2. Exact for powers of 2. NaN below 0, −Infinity at 0. */
export function log2(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY)
    return x === 0 ? Number.NEGATIVE_INFINITY : x > 0 ? x : Number.NaN;
  split(x);
  const [k, f] = [exponent, fraction];
  if (f === 0) return k;
  const half = 0.5 * f * f;
  const s = f / (2 + f);
  const r = s * (half + remainder(s));
  // The logarithm in two parts, of which the first has 32 bits, so that its product with the first part of 1 / log 2 is exact.
  bits.setFloat64(0, f - half);
  bits.setUint32(4, 0);
  const high = bits.getFloat64(0);
  const low = f - high - half + r;
  const product = high * LOG2E_HIGH;
  const sum = k + product;
  return (low + high) * LOG2E_LOW + low * LOG2E_HIGH + (k - sum + product) + sum;
}

/** The power of e. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
  if (x < -745.1332191019411) return 0;
  if (x === 1) return Math.E;
  if (Math.abs(x) < 2 ** -28) return 1 + x;
  const size = Math.abs(x);
  const k =
    size <= 0.5 * Math.LN2
      ? 0
      : size < 1.5 * Math.LN2
        ? Math.sign(x)
        : Math.trunc(Math.LOG2E * x + 0.5 * Math.sign(x));
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const z = r * r;
  const c = r - z * (P1 + z * (P2 + z * (P3 + z * (P4 + z * P5))));
  if (k === 0) return 1 - ((r * c) / (c - 2) - r);
  const power = 1 - (low - (r * c) / (2 - c) - high);
  // Two steps: the lowest results and the highest ones are out of the range of one factor.
  const step = k > 1023 ? 1023 : k < -1021 ? -1021 : k;
  return power * wholePower(step) * wholePower(k - step);
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
