/**
 * How far the counters without a vocabulary, `estimate` and `upper-bound`, are from the larger of the exact counts, on
 * the documentation and code in `node_modules` or in the folders that are given:
 * `npm run measure:tokens -- [folder ...]`. The extension of its file tells the kind of a text. For `.txt`, the name
 * of the folder tells it.
 */
import { loadTokenCounter } from '#internal';
import { errorsOf, groupedByKind, textsBelow } from './token-texts.js';

const folders = process.argv.slice(2);
const texts = groupedByKind(
  folders.length > 0
    ? textsBelow(folders)
    : textsBelow(['node_modules'], { oneIn: 7, mostOfAFile: 40_000, byFolder: false }),
);
const o200k = await loadTokenCounter('o200k_base');
const cl100k = await loadTokenCounter('cl100k_base');
const known = [...texts].map(([kind, each]) => ({
  kind,
  texts: each.map(({ text }) => ({ text, truth: Math.max(o200k(text), cl100k(text)) })),
}));
for (const name of ['estimate', 'upper-bound'] as const) {
  const count = await loadTokenCounter(name);
  console.log(name);
  console.table(
    Object.fromEntries(
      known.map(({ kind, texts }) => [
        kind,
        errorsOf(texts.map(({ text, truth }) => ({ truth, told: count(text) }))),
      ]),
    ),
  );
}
