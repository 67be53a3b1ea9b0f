/**
 * How far `estimateTokens` is from the true counts, on the documentation and code in `node_modules` or in
 * the folders that are given: `npm run measure:tokens -- [folder ...]`.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { estimateTokens } from 'context-shaping';
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';

const KINDS: Readonly<Record<string, string>> = {
  '.md': 'Markdown',
  '.txt': 'text',
  '.ts': 'code',
  '.js': 'code',
  '.json': 'JSON',
};
const WORDS = 110;
/** Of the files in `node_modules`. */
const ONE_IN = 7;
/** Longer unbroken pieces, of minified code say, take the exact tokenizers minutes. */
const LONGEST_WORD = 500;
const asText = { disallowedSpecial: new Set<string>() };

function* filesIn(path: string): Generator<string> {
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).toSorted()) if (name !== '.bin') yield* filesIn(join(path, name));
}

interface Row {
  texts: number;
  under: number;
  worst: number;
  overshoot: number[];
}

const rows = new Map<string, Row>();
let seen = 0;
const folders = process.argv.slice(2);
for (const folder of folders.length > 0 ? folders : ['node_modules']) {
  for (const file of filesIn(folder)) {
    const kind = KINDS[extname(file)];
    if (kind === undefined || seen++ % (folders.length > 0 ? 1 : ONE_IN) !== 0) continue;
    const words =
      readFileSync(file, 'utf8')
        .slice(0, 40_000)
        .match(/\S+\s*/g) ?? [];
    for (let start = 0; start + WORDS <= words.length; start += WORDS) {
      const text = words.slice(start, start + WORDS).join('');
      if (
        text.length > WORDS * 30 ||
        words.slice(start, start + WORDS).some((word) => word.length > LONGEST_WORD)
      )
        continue;
      const truth = Math.max(o200k(text, asText), cl100k(text, asText));
      const estimate = estimateTokens(text);
      const row = rows.get(kind) ?? { texts: 0, under: 0, worst: 0, overshoot: [] };
      rows.set(kind, row);
      row.texts++;
      row.overshoot.push(estimate / truth - 1);
      if (estimate < truth) row.under++;
      row.worst = Math.max(row.worst, truth - estimate);
    }
  }
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
console.table(
  Object.fromEntries(
    [...rows].map(([kind, { texts, under, worst, overshoot }]) => [
      kind,
      {
        [`texts of ${WORDS} words`]: texts,
        'below the true count': under,
        'by at most': worst,
        'mean above': percent(overshoot.reduce((sum, each) => sum + each, 0) / texts),
        '95th percentile': percent(overshoot.toSorted((a, b) => a - b)[Math.floor(texts * 0.95)] ?? 0),
      },
    ]),
  ),
);
