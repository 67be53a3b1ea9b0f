/**
 * The core without a framework: shapes retrieved chunks, cites them, and prints the ledger.
 *
 * Look at "Conflicts": two pages state different prices, so both stay, and the report says so.
 *
 *     npm install context-shaping gpt-tokenizer
 */
import { createShaper } from 'context-shaping';
import { formatReport } from 'context-shaping/explain';

const retrieved = [
  {
    id: 'pricing',
    text: 'The plan costs $12 per month, billed yearly.',
    score: 0.91,
    metadata: { source: 'pricing.md' },
  },
  {
    id: 'pricing-copy',
    text: 'the plan costs $12 per month (billed yearly)',
    score: 0.9,
    metadata: { source: 'faq.md' },
  },
  {
    id: 'pricing-old',
    text: 'The plan costs $9 per month, billed yearly.',
    score: 0.88,
    metadata: { source: 'archive.md' },
  },
  {
    id: 'cancel',
    text: 'You can cancel at any time; the rest of the year is refunded.',
    score: 0.7,
    metadata: { source: 'terms.md' },
  },
  {
    id: 'hiring',
    text: 'We are hiring engineers in Lisbon, Oslo and Nairobi. Come and build with us.',
    score: 0.2,
  },
];

const shaper = createShaper({
  budget: { maxTokens: 60, reserve: 10 },
  tokenizer: 'o200k_base',
  // The report then says where texts differ, and begins to quote each.
  preview: 40,
});
const { chunks, report } = await shaper.shape({
  query: 'What does the plan cost per month, and can I cancel?',
  chunks: retrieved,
});

for (const { text, sources } of chunks) {
  console.log(`${text} [${sources.map(({ source, id }) => source ?? id).join(', ')}]`);
}
console.log(`\n${formatReport(report, { timings: false })}`);
