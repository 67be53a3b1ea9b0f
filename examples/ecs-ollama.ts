/**
 * Log-probabilities (ECS) of a model of Ollama, which judges each passage, in a LangChain compressor.
 *
 * Look at the one document that stays: it answers. By words alone, the one that repeats the question would stay.
 *
 *     npm install context-shaping @langchain/core
 *     ollama pull llama3.2
 *
 * Set `OLLAMA_HOST` if Ollama is not at its default address, and `OLLAMA_MODEL` for another model.
 * `trust: 'always'` is for a first try: `npx context-shaping-devtools evaluate --fit` shows whether your model ranks better than words
 * on your questions.
 */
import { Document } from '@langchain/core/documents';
import { ContextShapingCompressor } from 'context-shaping/langchain';
import { ollamaModel } from 'context-shaping/logprobs';

const model = ollamaModel({
  model: process.env.OLLAMA_MODEL ?? 'llama3.2',
  baseUrl: process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434',
});
const compressor = new ContextShapingCompressor({
  k: 1,
  ecs: { model, trust: 'always' },
});

// The names are made up, so no model knows the answer without the passage.
// Unchecked prose: invented passages.
const documents = [
  new Document({ id: 'asks', pageContent: 'Everyone asks who the teacher of Lutorjo is.' }),
  new Document({
    id: 'other-teacher',
    pageContent: 'I was told that the teacher of Lodra is Garsinkel Mowim.',
  }),
  new Document({ id: 'teacher', pageContent: 'In Lutorjo the teacher is Fizenwim Garpelvor.' }),
  new Document({ id: 'cat', pageContent: 'My cat likes to sleep in the sun.' }),
];
const query = 'What is the teacher of Lutorjo?';

const { documents: kept, report } = await compressor.shape(documents, query);
for (const { id, pageContent } of kept) console.log(`kept: ${id}: ${pageContent}`);
for (const { id, utility } of [...report.kept, ...report.evicted]) {
  console.log(`  ${utility?.toFixed(1) ?? '?'} nats: ${id}`);
}
for (const { message } of report.degradations) console.log(message);
