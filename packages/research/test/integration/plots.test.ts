/** The plots of the results are drawn from the figures beside them, name every line, and can be read on any page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { draw, drawPng, FOLDER, PLOTS } from '../../plots.js';

describe.each(PLOTS)('%s', (plot) => {
  test('the plot is that of its figures', async () => {
    expect(readFileSync(join(FOLDER, `${plot}.svg`), 'utf8')).toBe(await draw(plot));
  });

  test('it has a line, marks and a name for each method, and inks for a dark page', async () => {
    const svg = await draw(plot);
    const legend = Array.from(
      svg.matchAll(/role-legend-label[\s\S]*?<text[^>]*>([^<]+)</g),
      ([, name]) => name,
    );
    expect(legend.length).toBeGreaterThan(2);
    expect(new Set(legend).size).toBe(legend.length);
    expect(svg.match(/aria-roledescription="line mark"/g)).toHaveLength(legend.length);
    expect(svg).not.toMatch(/NaN|undefined/);
    expect(svg).toContain('@media (prefers-color-scheme: dark)');
  });

  test('its colours stand out from a light and from a dark background', async () => {
    const inks = new Set(
      (await draw(plot)).match(/(?<=stroke=")#[0-9a-f]{6}(?="[^>]*stroke-width="(?:3\.5|1\.75)")/g),
    );
    expect(inks.size).toBeGreaterThan(2);
    for (const ink of inks)
      for (const background of ['#ffffff', '#1b1b1f'])
        expect(contrast(ink, background), `${ink} on ${background}`).toBeGreaterThanOrEqual(3);
  });
});

test('the image shows its text, whatever fonts the machine has', async () => {
  const svg = await draw('evidence');
  const png = await drawPng(svg);
  expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG');
  const blank = await drawPng(svg.replace(/<text[^>]*>[^<]*<\/text>/g, ''));
  expect(png.length).toBeGreaterThan(blank.length * 1.1);
});

/** As WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = (colour.slice(1).match(/../g) ?? []).map((part) => {
    const value = Number.parseInt(part, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
