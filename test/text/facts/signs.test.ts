/** Texts that differ in a sign, a negation, an opposite or a fact are no copies; texts that differ in form alone are. */
import { createShaper } from 'context-shaping';
import { describe, expect, test } from 'vitest';
import { disagree } from '../../../src/text/facts/disagree.js';
import { type Facts, factsOf } from '../../../src/text/facts/reader.js';
import { signsIn } from '../../../src/text/facts/signs.js';
import { oneSpelling } from '../../../src/text/facts/spelling.js';
import { DIFFERENT, REPORTED, SAME } from './pairs.js';

const NEIGHBOURS = [
  'The gardener waters the roses behind the mill in the evening.',
  'A ferry carries grain across the lake to the market town.',
  'Children paint small boats on the wall of their school.',
  'The baker opens early and lights the old stone oven.',
];
const inParagraph = (text: string) => [...NEIGHBOURS.slice(0, 2), text, ...NEIGHBOURS.slice(2)].join(' ');
const onLines = (text: string) => [...NEIGHBOURS.slice(0, 2), text, ...NEIGHBOURS.slice(2)].join('\n');

/** Whether one of two texts is evicted as a copy of the other, by words or by vectors that are all the same. */
async function isMerged(one: string, other: string, embedding?: number[]): Promise<boolean> {
  const chunks = [one, other].map((text, at) => ({ id: `${at}`, text, embedding }));
  const { chunks: kept } = await createShaper().shape({ query: '', chunks });
  return kept.length < 2;
}

const surroundings = [
  ['alone', (text: string) => text],
  ['in a paragraph', inParagraph],
  ['on a line', onLines],
] as const;

describe.each(surroundings)('%s', (_, within) => {
  test.each(DIFFERENT)('no copies: %s | %s', async (one, other) => {
    const texts = [within(one), within(other)] as const;
    expect([await isMerged(...texts), await isMerged(...texts, [1, 0])]).toEqual([false, false]);
  });
  test.each(SAME)('copies: %s | %s', async (one, other) => {
    expect(await isMerged(within(one), within(other), [1, 0])).toBe(true);
  });
});

test.each(REPORTED)('a contradiction in one fact: %s | %s', async (one, other, kind) => {
  for (const within of [(text: string) => text, inParagraph]) {
    const texts = [within(one), within(other)];
    const chunks = texts.map((text, at) => ({ id: `${at}`, text }));
    const { report } = await createShaper().shape({ query: '', chunks });
    expect(report.conflicts).toMatchObject([{ kinds: [kind] }]);
    expect(disagree(...(texts.map(factsOf) as [Facts, Facts]))).toBe(true);
  }
});

test.each([
  '**Bold**, *slanted*, _both_ and `code` are layout.',
  '# Heading\n\n* one\n* two\n\n> quoted\n\n1. three',
  '| a | b |\n|---|:-:|\n| c | d |',
  '```\ncode\n```\n\n---\n\n***\n\nHeading\n=======',
  'As shown [1][23], it holds [^4].\n\n[^4]: A note.',
  '<p>One <b>bold</b> word<br/></p>',
  'Wait! Really? Yes: “so” it is – or was; maybe… (hello)',
  'It costs $5, or €4.50, at 20 °C and 30 %. See U.S. law, e.g. No. 5, 12:30 p.m., 8.5.2023, 3/4, mg/kg.',
  'The well-known three-year plan of 2020-05-08 was co-written.',
])('no signs: %s', (text) => {
  expect(signsIn(oneSpelling(text))).toEqual([]);
});
