import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens as trueCount } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { costsAlone, estimateWith, weightsOf } from '../../../../src/tokens/token-estimate.js';
import { fitWeights, moduleOf } from '../../fit-token-weights.js';

const ARTICLES: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('../../../../test/fixtures/udhr/articles.json', import.meta.url), 'utf8'),
);
const known = Object.entries(ARTICLES).flatMap(([kind, texts]) => texts.map((text) => ({ kind, text })));
/** Three parts of every language to fit to, and one to measure on. */
const toFit = known.filter((_, at) => at % 4 < 3);
const heldOut = known.filter((_, at) => at % 4 === 3);
const meanError = (count: (text: string) => number) =>
  heldOut.reduce((sum, { text }) => sum + Math.abs(count(text) / trueCount(text) - 1), 0) / heldOut.length;

describe('fitWeights', () => {
  it('learns from a handful of texts to tell others with half the error of characters / 4, the same every time', async () => {
    const { model, blocks, single } = await fitWeights(toFit);
    const byCharacters = meanError((text) => Math.ceil(text.length / 4));
    expect(meanError((text) => estimateWith(model, text))).toBeLessThan(byCharacters / 2);
    expect(await fitWeights(toFit)).toEqual({ model, blocks, single });
  });

  it('is written so that it is read as it was', async () => {
    const fitted = await fitWeights(toFit.slice(0, 12));
    const folder = mkdtempSync(join(tmpdir(), 'weights-'));
    try {
      const path = join(folder, 'token-weights.ts');
      writeFileSync(path, moduleOf(fitted));
      const read: typeof import('../../../../src/tokens/token-weights.js') = await import(path);
      expect(weightsOf(read.WEIGHTS)).toEqual(fitted.model.weights);
      expect(costsAlone(read.BLOCKS, read.SINGLE)).toEqual(fitted.model.alone);
      expect(read.COEFFICIENTS).toEqual(fitted.model.coefficients);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
