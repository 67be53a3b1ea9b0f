/** A retrieval result as it comes: repeats, near-copies, contradictions, other languages, code, noise. */
import type { Chunk } from 'context-shaping';

export const question = 'How long did it take to build the harbour bridge, and when was it opened?';

const TEXTS: [source: string, text: string][] = [
  [
    'guide.md',
    'The harbour bridge was opened to traffic on 4 May 1932, after seven years of work by 1,400 people.',
  ],
  [
    'press.md',
    'THE HARBOUR BRIDGE was opened to traffic on 4 May 1932 – after seven years of work by 1,400 people!',
  ],
  [
    'forum.md',
    'The harbour bridge was opened to traffic on 4 May 1933, after seven years of work by 1,400 people.',
  ],
  [
    'guide.md',
    'Building the bridge took seven years. Two teams worked towards each other from both shores and met in the middle on a windless night.',
  ],
  [
    'wiki.md',
    'Building the bridge took seven years; two teams worked towards each other from both shores and met in the middle on a windless night.',
  ],
  [
    'wiki.md',
    'The bridge is 1,149 metres long. Its arch spans 503 metres, and the deck hangs 59 metres above the water at high tide.',
  ],
  [
    'faq.md',
    'Is there a toll? Yes, cars pay $4 southbound between 6:30 and 9:30; northbound traffic does not pay.',
  ],
  [
    'faq.md',
    'Is there a toll? Yes, cars pay $4 southbound between 6:30 and 9:30; northbound traffic does pay.',
  ],
  [
    'blog.md',
    'We walked across at sunset. The view of the opera house is worth the climb, and the coffee on the far side is even better.',
  ],
  [
    'blog.md',
    'Please note that this site uses cookies. Please note that this site uses cookies. Accept all.',
  ],
  ['de.md', 'Die Hafenbrücke wurde am 4. Mai 1932 nach sieben Jahren Bauzeit für den Verkehr freigegeben.'],
  ['ru.md', 'Мост через гавань открыли для движения 4 мая 1932 года после семи лет строительства.'],
  ['ja.md', '港の橋は七年の工事を経て、1932年5月4日に開通しました。'],
  ['data.json', '{"name": "Harbour Bridge", "opened": "1932-05-04", "length_m": 1149, "lanes": 8}'],
  ['tool.ts', 'export const yearsOfWork = (from: Date, to: Date) => to.getFullYear() - from.getFullYear();'],
  [
    'table.md',
    '| bridge | opened | years of work |\n|---|---|---|\n| harbour | 1932 | 7 |\n| river | 1890 | 8 |',
  ],
  [
    'tunnel.md',
    'The harbour tunnel, opened in 1992, took only four years to build, and carries 90,000 cars a day.',
  ],
  ['cats.md', 'Cats sleep for most of the day and hunt at dusk. Their whiskers tell them how wide a gap is.'],
  [
    'cats.md',
    'cats sleep, for most of the day, and hunt at dusk. their whiskers tell them how wide a gap is',
  ],
  ['empty.md', ''],
];

/** The pool as the retriever ranked it, best first; the ranking is not very good. */
export const chunks: Chunk[] = TEXTS.map(([source, text], index) => ({
  id: `${source}#${index}`,
  text,
  score: ((index * 7) % TEXTS.length) / TEXTS.length,
  metadata: { source, position: index },
}));

/** The same with vectors: counts of words by the hash of their first letters, which is a model of a sort. */
export const embedded: Chunk[] = chunks.map((chunk) => ({ ...chunk, embedding: embed(chunk.text) }));

export function embed(text: string): number[] {
  const vector = new Array<number>(32).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const at =
      ((word.codePointAt(0) as number) * 31 + (word.codePointAt(word.length - 1) as number)) % vector.length;
    vector[at] = (vector[at] as number) + 1;
  }
  return vector;
}
