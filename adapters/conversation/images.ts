/**
 * Tokens of images, by the published rules of providers. Sizes are in pixels. Read in November 2026:
 *
 *   claude    ceil(w / 28) · ceil(h / 28), after an image is reduced to at most 2576 pixels a side and 4784 tokens: "Images and
 *             vision" of Claude's documentation, and docs.rs/vision-squeezer 0.8. Models before Claude Opus 4.7 reduce it
 *             to 1568 of both, so they count less.
 *   gpt-4o    85 + 170 · ceil(w / 512) · ceil(h / 512), after an image is reduced to fit 2048 x 2048, and its shorter side to
 *             768: "Images and vision" of OpenAI's documentation, and camel.utils.token_counting. GPT-4o and GPT-4.1, with
 *             the detail `high`. Later models have other rules.
 *   gemini-3  at most 1120 for any image, with the default `media_resolution`: "Media resolution" of Gemini's documentation,
 *             and aifreeapi.com. Counted as 1120.
 *
 * They are what a provider reads at most, but for the rounding of its resizing.
 */
import { ContextShapingError } from '../../src/index.js';
import { isObject } from '../../src/internal.js';

export interface ImageSize {
  width: number;
  height: number;
}

/** @param size undefined: unknown. */
export type ImageTokens = (size: ImageSize | undefined) => number;

const GPT_TILE = 512;

const cover = ({ width, height }: ImageSize, side: number): number =>
  Math.ceil(width / side) * Math.ceil(height / side);

const reduced = ({ width, height }: ImageSize, scale: number): ImageSize =>
  scale >= 1 ? { width, height } : { width: width * scale, height: height * scale };

const longer = ({ width, height }: ImageSize) => Math.max(width, height);
const shorter = ({ width, height }: ImageSize) => Math.min(width, height);

/** An image of unknown size counts as the largest. */
const RULES = {
  claude: (size) =>
    size === undefined ? 4784 : Math.min(4784, cover(reduced(size, 2576 / longer(size)), 28)),
  'gpt-4o': (size) => {
    const within = reduced(
      size ?? { width: 2048, height: 768 },
      size === undefined ? 1 : 2048 / longer(size),
    );
    return 85 + 170 * cover(reduced(within, 768 / shorter(within)), GPT_TILE);
  },
  'gemini-3': () => 1120,
} satisfies Record<string, ImageTokens>;

export type ImageRule = keyof typeof RULES;
export const IMAGE_RULES = Object.keys(RULES) as [ImageRule, ...ImageRule[]];

/** Undefined: images are not counted. */
export const imageTokensBy = (rule: ImageRule | ImageTokens | false): ImageTokens | undefined =>
  rule === false ? undefined : typeof rule === 'string' ? RULES[rule] : checked(rule);

const checked =
  (count: ImageTokens): ImageTokens =>
  (size) => {
    const tokens: unknown = count(size);
    if (Number.isFinite(tokens) && (tokens as number) >= 0) return tokens as number;
    throw new ContextShapingError('invalid-options', {
      field: 'images',
      value: tokens,
      is: 'must return a number of tokens, at least 0',
      remedy: 'Give a synchronous function that counts the tokens of an image.',
    });
  };

/** How deep the blocks of hosts have the data of an image. */
const DEPTH = 3;
/** Characters of Base64 with the size: that of JPEG may stand behind a thumbnail of 64 kB. Divisible by 4. */
const FEW = 64;
const MANY = 2 ** 17;
const BASE64 = /^(?:data:image\/[\w.+-]+;base64,)?(?=[\w+/]{40})/;

/**
 * The size of an image, from its data in the part of a host: Base64, a `data:` address, or bytes of PNG, JPEG, GIF or WebP.
 * Empty if it has none, such as an address.
 */
export function imageSizeIn(part: unknown, depth = DEPTH): ImageSize | Record<never, never> {
  if (part instanceof Uint8Array) return sizeOf(part) ?? {};
  if (typeof part === 'string') {
    const [prefix] = BASE64.exec(part) ?? [];
    if (prefix === undefined) return {};
    const bytes = bytesOf(part.slice(prefix.length, prefix.length + FEW));
    return sizeOf(isJpeg(bytes) ? bytesOf(part.slice(prefix.length, prefix.length + MANY)) : bytes) ?? {};
  }
  if (!isObject(part) || depth === 0) return {};
  for (const value of Object.values(part)) {
    const found = imageSizeIn(value, depth - 1);
    if ('width' in found) return found;
  }
  return {};
}

function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;

/** Reads the header of the format. */
function sizeOf(bytes: Uint8Array): ImageSize | undefined {
  if (isJpeg(bytes)) return sizeOfJpeg(bytes);
  if (bytes.length < 30) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const is = (at: number, text: string) =>
    Array.from(text, (each) => each.charCodeAt(0)).every((code, place) => bytes[at + place] === code);
  const uint24 = (at: number) => view.getUint16(at, true) + ((bytes[at + 2] as number) << 16);
  if (is(1, 'PNG')) return known(view.getUint32(16), view.getUint32(20));
  if (is(0, 'GIF8')) return known(view.getUint16(6, true), view.getUint16(8, true));
  if (!is(0, 'RIFF') || !is(8, 'WEBP')) return undefined;
  if (is(12, 'VP8X')) return known(uint24(24) + 1, uint24(27) + 1);
  if (is(12, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return known((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
  }
  return is(12, 'VP8 ')
    ? known(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
    : undefined;
}

/** The first frame header: markers C0 to CF without C4, C8 and CC (ITU T.81, table B.1). */
function sizeOfJpeg(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] as number;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return known(view.getUint16(at + 7), view.getUint16(at + 5));
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

const known = (width: number, height: number): ImageSize | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined;
