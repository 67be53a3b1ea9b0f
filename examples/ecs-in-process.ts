/**
 * Log-probabilities (ECS) without a server: node-llama-cpp runs the model in this process.
 *
 * Look at both results: by words alone the chunk that repeats the question wins, by the model the one that answers.
 *
 *     npm install context-shaping
 *     npm install node-llama-cpp @node-llama-cpp/linux-x64 --omit=optional --ignore-scripts
 *
 * On another system, install the package for it. `GGUF` is the path of the model file. `trust: 'always'` is for a
 * first try: `npx context-shaping-devtools evaluate --fit` shows whether your model ranks better than words on your questions.
 */
import { createShaper } from 'context-shaping';
import { nodeLlamaCpp } from 'context-shaping/logprobs';
import { getLlama } from 'node-llama-cpp';

const llama = await getLlama();
const loaded = await llama.loadModel({ modelPath: process.env.GGUF ?? 'model.gguf' });
await using model = await nodeLlamaCpp({ model: loaded });

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

const { kept, evicted, degradations } = byModel.report;
for (const { id, utility } of [...kept, ...evicted])
  console.log(`  ${utility?.toFixed(1) ?? '?'} nats: ${id}`);
for (const { message } of degradations) console.log(message);
