/**
 * How far the counter `estimate` is from the exact counts under o200k_base. The texts are the Universal Declaration of Human Rights by language, and the
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
const [truth, count] = [await loadTokenCounter('o200k_base'), await loadTokenCounter('estimate')];
const rows = [...texts].map(([kind, each]) => [
  kind,
  errorsOf(each.map(({ text }) => ({ truth: truth(text), told: count(text) }))),
]);
console.table(Object.fromEntries(rows));
