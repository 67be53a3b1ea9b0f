/**
 * How far the counters without a vocabulary are from the exact counts: `estimate` from o200k_base, and `upper-bound` from
 * the larger of o200k_base and cl100k_base. The texts are the Universal Declaration of Human Rights by language, and the
 * documentation and code in `node_modules`; or those in the folders that are given:
 * `npm run research -- measure/tokens [folder ...]`. The extension of its file tells the kind of a text. For `.txt`, the name
 * of the folder tells it.
 */
import { readFileSync } from 'node:fs';
import { loadTokenCounter } from 'context-shaping/kit';
import { errorsOf, groupedByKind, type KnownText, textsBelow } from '../token-texts.js';

function* declaration(): Generator<KnownText> {
  const file = new URL('../../../test/fixtures/udhr/articles.json', import.meta.url);
  const articles: Record<string, string[]> = JSON.parse(readFileSync(file, 'utf8'));
  for (const [kind, texts] of Object.entries(articles)) for (const text of texts) yield { kind, text };
}

const folders = process.argv.slice(2);
const texts = groupedByKind(
  folders.length > 0
    ? textsBelow(folders)
    : [...declaration(), ...textsBelow(['node_modules'], { oneIn: 7, mostOfAFile: 40_000, byFolder: false })],
);
const o200k = await loadTokenCounter('o200k_base');
const cl100k = await loadTokenCounter('cl100k_base');
const truths = {
  estimate: o200k,
  'upper-bound': (text: string) => Math.max(o200k(text), cl100k(text)),
};
for (const [name, truth] of Object.entries(truths)) {
  const count = await loadTokenCounter(name as keyof typeof truths);
  const rows = [...texts].map(([kind, each]) => [
    kind,
    errorsOf(each.map(({ text }) => ({ truth: truth(text), told: count(text) }))),
  ]);
  console.log(name);
  console.table(Object.fromEntries(rows));
}
