/**
 * The HTTP service: an API key, a shaped context, and the contract of SlimContext.
 *
 * Look at the report: it names the reason of every eviction. Without a key the service answers 401.
 *
 *     npm install context-shaping-server
 *
 * As a program: `npx context-shaping-server`.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createService } from 'context-shaping-server';

const key = randomBytes(32).toString('hex');
const service = await createService({
  port: 0,
  workers: 0, // In this thread, because there is one caller. The default is one thread per core.
  logger: 'warn',
  // Only the digest is stored: it cannot be used as a key.
  apiKeys: [{ name: 'example', sha256: createHash('sha256').update(key).digest('hex') }],
});
const url = await service.listen();
const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };

const chunks = [
  { id: 'pricing', text: 'The team plan costs $12 per month.', score: 0.9, embedding: [0.9, 0.1] },
  { id: 'faq', text: 'the team plan costs $12 per month!', score: 0.8, embedding: [0.9, 0.1] },
  { id: 'jobs', text: 'We are hiring engineers in Lisbon.', score: 0.2, embedding: [0.1, 0.9] },
];

const shaped = await fetch(`${url}/v1/shape`, {
  method: 'POST',
  headers,
  body: JSON.stringify({ query: 'What does the team plan cost?', chunks, options: { k: 1 } }),
});
const answer = await shaped.json();
for (const { id, stage, reason } of answer.report.evicted) console.log(`${stage}: ${id} was ${reason}`);
console.log(`Kept: ${answer.chunks.map(({ id }: { id: string }) => id)}`);

const optimized = await fetch(`${url}/v1/optimize`, {
  method: 'POST',
  headers,
  body: JSON.stringify({ query_embedding: [1, 0], chunks, target_k: 1 }),
});
const { stats } = await optimized.json();
console.log(
  `SlimContext: ${stats.input_count} -> ${stats.output_count}, ${stats.reduction_pct} % fewer tokens`,
);

const refused = await fetch(`${url}/v1/shape`, { method: 'POST', body: '{}' });
console.log(`Without a key: ${refused.status}`);
await service.close();
