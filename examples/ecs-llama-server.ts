/**
 * Log-probabilities (ECS) of llama.cpp’s server: a chunk ranks by how much it helps to answer.
 *
 * Look at both results: by words alone the chunk that repeats the question wins, by the model the one that answers.
 *
 *     npm install context-shaping
 *     llama-server -m MODEL.gguf
 *
 * Set `LLAMA_SERVER_URL` if the server is not at its default address. A model that was trained to chat needs
 * `chatTemplate: true`. `trust: 'always'` is for a first try: `npx context-shaping-devtools evaluate --fit` shows whether
 * your model ranks better than words on your questions.
 */
import { createShaper } from 'context-shaping';
import { llamaServer } from 'context-shaping/logprobs';

const model = llamaServer({ baseUrl: process.env.LLAMA_SERVER_URL ?? 'http://127.0.0.1:8080' });

// The names are made up, so no model knows the answer without the passage.
// Unchecked prose: invented passages.
const chunks = [
  { id: 'asks', text: 'Everyone asks who the teacher of Lutorjo is.' },
  { id: 'other-teacher', text: 'I was told that the teacher of Lodra is Garsinkel Mowim.' },
  { id: 'teacher', text: 'In Lutorjo the teacher is Fizenwim Garpelvor.' },
  { id: 'cat', text: 'My cat likes to sleep in the sun.' },
];
const query = { text: 'What is the teacher of Lutorjo?', answer: 'Fizenwim Garpelvor' };
const options = { ranked: false, budget: { maxTokens: 20 } };

const byWords = await createShaper(options).shape({ query, chunks });
console.log(`By words alone: ${byWords.chunks[0]?.text}`);

const byModel = await createShaper({ ...options, ecs: { model, trust: 'always' } }).shape({ query, chunks });
console.log(`By the model: ${byModel.chunks[0]?.text}`);

const { kept, evicted, degradations, ecs } = byModel.report;
for (const { id, utility } of [...kept, ...evicted])
  console.log(`  ${utility?.toFixed(1) ?? '?'} nats: ${id}`);
for (const { message } of degradations) console.log(message);
if (ecs) console.log(`${ecs.usage.requests} requests, ${ecs.usage.tokens ?? 0} tokens`);
