/**
 * A reranker over HTTP as a judge: it finds an answer in other words, and ranks it first.
 *
 * Look at both results: by words alone the chunk that repeats the question wins, else the one that answers.
 *
 *     npm install context-shaping
 *     llama-server -m RERANKER.gguf --reranking
 *
 * Set `RERANKER_URL` if the server is not at its default address. `trust: 'always'` is for a first try: `fitModels`
 * shows whether your reranker ranks better than words on your questions.
 */
import { createShaper } from 'context-shaping';
import { httpReranker, rerankJudge } from 'context-shaping/rerankers';

const baseUrl = process.env.RERANKER_URL ?? 'http://127.0.0.1:8080';
const judge = rerankJudge(httpReranker({ baseUrl, model: 'bge-reranker-v2-m3', scale: 'logit' }));

// Unchecked prose: invented passages.
const chunks = [
  { id: 'asks', text: 'Everyone asks who the doctor of Lutorjo is.' },
  { id: 'tutor', text: 'In Lutorjo, Fizenwim works as the tutor.' },
  { id: 'physician', text: 'In Lutorjo, Garpelvor works as the physician.' },
  { id: 'cat', text: 'My cat likes to sleep in the sun.' },
];
const query = 'Who is the doctor of Lutorjo?';
const options = { ranked: false, budget: { maxTokens: 15 } };

const byWords = await createShaper(options).shape({ query, chunks });
console.log(`By words alone: ${byWords.chunks[0]?.text}`);

const shaper = createShaper({ ...options, ecs: { judge, trust: 'always' } });
const { chunks: kept, report } = await shaper.shape({ query, chunks });
console.log(`With the reranker: ${kept[0]?.text}`);

for (const { message } of report.degradations) console.log(message);
if (report.ecs) console.log(`${report.ecs.scored} chunks scored in ${report.ecs.usage.requests} request`);
