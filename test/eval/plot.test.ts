import { expect, test } from 'vitest';
import { drawPng, drawSvg } from './plot.js';

const METHODS = ['a method with a name that is rather long', 'another'];
const points = METHODS.flatMap((method, at) =>
  [0.1, 0.5].map((tokens) => ({ method, tokens, kept: tokens + at / 4 })),
);

test('the vector graphic names every method and has a line for each', async () => {
  const svg = await drawSvg(points, METHODS, 500);
  for (const method of METHODS) expect(svg).toContain(`>${method}</text>`);
  expect(svg).toContain('500 pools');
  expect(svg.match(/aria-roledescription="line mark"/g)).toHaveLength(2);
});

test('the image shows its text, whatever fonts the machine has', async () => {
  const svg = await drawSvg(points, METHODS, 500);
  const png = await drawPng(svg);
  expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG');
  const blank = await drawPng(svg.replace(/<text[^>]*>[^<]*<\/text>/g, ''));
  expect(png.length).toBeGreaterThan(blank.length * 1.2);
});
