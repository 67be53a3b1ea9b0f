/**
 * A stage of your own among the default ones: at most two chunks of each author.
 *
 * Look at "Evicted": the ledger has the third chunk of Ann, with the name and the evidence of the stage.
 *
 *     npm install context-shaping
 */
import { byRelevance, createShaper, type Stage, type StageEviction } from 'context-shaping';
import { formatReport } from 'context-shaping/explain';

/** Keeps the most relevant chunks of each author, at most `most` of them. */
export function capPerAuthor(most: number): Stage {
  return {
    specificationVersion: 'v1',
    name: 'cap-per-author',
    run({ candidates }) {
      const counts = new Map<string, number>();
      const evicted: StageEviction[] = [];
      const kept = candidates.toSorted(byRelevance).filter((candidate) => {
        const author = candidate.metadata?.author;
        if (typeof author !== 'string' || candidate.pinned) return true;
        const count = (counts.get(author) ?? 0) + 1;
        counts.set(author, count);
        if (count <= most) return true;
        evicted.push({ candidate, evidence: { author, most } });
        return false;
      });
      return { kept, evicted };
    },
  };
}

const shaper = createShaper({
  stages(defaults) {
    const place = defaults.findIndex(({ name }) => name === 'relevance') + 1;
    return defaults.toSpliced(place, 0, capPerAuthor(2));
  },
});

const TEXTS: [author: string, text: string][] = [
  ['Ann', 'The harbour bridge was opened to traffic on 4 May 1932.'],
  ['Ann', 'Seven years of work went into the harbour bridge.'],
  ['Ann', 'Ferries to the islands leave from the old pier.'],
  ['Ben', 'The bridge has been open since the spring of 1932.'],
];
const { chunks, report } = await shaper.shape({
  query: 'When was the harbour bridge opened?',
  chunks: TEXTS.map(([author, text], place) => ({ id: `${author}-${place}`, text, metadata: { author } })),
});

for (const { id, text } of chunks) console.log(`${id}: ${text}`);
console.log(`\n${formatReport(report, { timings: false })}`);
