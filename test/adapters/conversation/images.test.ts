/** Images are counted by the rules that providers publish. The expected tokens are examples of their documentation. */
import { HumanMessage } from '@langchain/core/messages';
import { createConversationShaper, imageSizeIn, type Message } from 'context-shaping/conversation';
import { expect, test } from 'vitest';
import { Translation } from '../../../adapters/agents/messages.js';
import { Passages } from '../../../adapters/agents/passages.js';
import { toMessages } from '../../../adapters/ai-sdk/messages.js';
import { messagesOf } from '../../../adapters/openai-agents/items.js';
import { said } from './support.js';

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)),
  );
const rest = Array<number>(40).fill(0);

/** The beginning of a file of 640 x 480 pixels, as the specifications of the formats have it. */
const FILES = {
  png: bytes([0x89], 'PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 2, 128, 0, 0, 1, 224], rest),
  gif: bytes('GIF89a', [128, 2, 224, 1], rest),
  jpeg: bytes(
    [0xff, 0xd8, 0xff, 0xe1, 0x40, 0x00],
    Array<number>(0x3ffe).fill(7),
    [0xff, 0xff, 0xc4, 0, 4, 1, 2, 0xff, 0xc2, 0, 17, 8, 1, 224, 2, 128],
    rest,
  ),
  'webp, lossy': bytes(
    'RIFF',
    [0, 0, 0, 0],
    'WEBPVP8 ',
    rest.slice(0, 4),
    [0, 0, 0, 0x9d, 1, 0x2a],
    [128, 2, 224, 1],
    rest,
  ),
  'webp, lossless': bytes(
    'RIFF',
    [0, 0, 0, 0],
    'WEBPVP8L',
    rest.slice(0, 4),
    [0x2f, 0x7f, 0xc2, 0x77, 0],
    rest,
  ),
  'webp, extended': bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', rest.slice(0, 8), [127, 2, 0, 223, 1, 0], rest),
};
const base64 = (file: Uint8Array) => Buffer.from(file).toString('base64');

test.each(Object.entries(FILES))('the size of %s, in each form of data', (_, file) => {
  const size = { width: 640, height: 480 };
  expect(imageSizeIn(file)).toEqual(size);
  expect(imageSizeIn(base64(file))).toEqual(size);
  expect(imageSizeIn({ source: { type: 'base64', data: base64(file) } })).toEqual(size);
  expect(imageSizeIn({ image_url: { url: `data:image/x;base64,${base64(file)}` } })).toEqual(size);
});

test.each([
  'https://example.com/a.png',
  'a text of some words',
  base64(bytes(rest, rest)),
  base64(FILES.jpeg.subarray(0, 400)),
  FILES.png.subarray(0, 20),
  { a: { b: { c: { d: FILES.png } } } },
  null,
])('other data have no size: %#', (part) => {
  expect(imageSizeIn(part)).toEqual({});
});

const tokensOf = async (
  images: NonNullable<Parameters<typeof createConversationShaper>[0]>['images'],
  size: { width?: number; height?: number },
) => {
  const shaper = createConversationShaper({ maxTokens: 100_000, images });
  const image = { type: 'other', kind: 'image', ...size } as const;
  const report = async (messages: Message[]) => (await shaper.shapeRequest({ thread: 't', messages })).report;
  const question = said('user', 'What is this?');
  const without = await report([question]);
  const {
    tokens,
    unknown,
    images: counted,
  } = await report([{ ...question, parts: [...question.parts, image] }]);
  // A part has 4 tokens besides.
  return { tokens: tokens.sent - without.tokens.sent - 4, unknown, counted };
};

test.each([
  ['claude', [1000, 1000], 1296],
  ['claude', [28, 29], 2],
  ['claude', [3000, 2000], 4784],
  ['claude', [8000, 100], 184],
  ['gpt-4o', [1024, 1024], 765],
  ['gpt-4o', [2048, 4096], 1105],
  ['gpt-4o', [100, 100], 255],
  ['gemini-3', [100, 100], 1120],
] as const)('%s, %j pixels: %i tokens', async (rule, [width, height], expected) => {
  const counted = { count: 1, tokens: expected, assumed: 0 };
  expect(await tokensOf(rule, { width, height })).toEqual({ tokens: expected, unknown: [], counted });
});

test('an image of unknown size counts as the largest, and the report says so', async () => {
  for (const [rule, tokens] of [
    ['claude', 4784],
    ['gpt-4o', 1445],
    ['gemini-3', 1120],
  ] as const)
    expect(await tokensOf(rule, {})).toEqual({
      tokens,
      unknown: [],
      counted: { count: 1, tokens, assumed: 1 },
    });
});

test('without a rule images are of unknown size; a function is a rule', async () => {
  const size = { width: 640, height: 480 };
  expect(await tokensOf(undefined, size)).toEqual({
    tokens: 0,
    unknown: [{ kind: 'image', count: 1 }],
    counted: undefined,
  });
  const own = await tokensOf((given) => (given?.width ?? 0) + (given?.height ?? 0), size);
  expect(own.tokens).toBe(1120);
  expect(() => createConversationShaper({ images: 'gpt' as never })).toThrow(/images/);
});

test('every host gives the sizes of its images', () => {
  const url = `data:image/png;base64,${base64(FILES.png)}`;
  const langchain = new Translation(
    [new HumanMessage({ content: [{ type: 'image_url', image_url: { url } }] })],
    new Passages({} as never),
  );
  const aiSdk = toMessages([
    { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: FILES.png } as never] },
  ]);
  const openai = messagesOf([{ role: 'user', content: [{ type: 'input_image', image: url }] }]);
  for (const { messages } of [langchain, aiSdk, openai])
    expect(messages[0]?.parts).toEqual([{ type: 'other', kind: 'image', width: 640, height: 480 }]);
});
