/**
 * Ranks chunks by their effect on a model’s belief in the answer, with Ollama: `ollama pull llama3.2`.
 * Set `OLLAMA_HOST` if it is not at its default address, and `OLLAMA_MODEL` for another model.
 */
import { createShaper, formatReport } from 'context-shaping';
import { ollamaModel } from 'context-shaping/logprobs';

const model = ollamaModel({
  model: process.env.OLLAMA_MODEL ?? 'llama3.2',
  baseUrl: process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434',
});

const shaper = createShaper({ ranked: false, budget: { maxTokens: 20 }, ecs: { model, trust: 'always' } });

// The names are made up, so no model knows the answer without the passage.
// By words alone, the chunk that repeats the question would be kept instead of the chunk with the answer.
// Unchecked prose: invented passages.
const { report } = await shaper.shape({
  query: { text: 'What is the teacher of Lutorjo?', answer: 'Fizenwim Garpelvor' },
  chunks: [
    { id: 'asks', text: 'Everyone asks who the teacher of Lutorjo is.' },
    { id: 'other-teacher', text: 'I was told that the teacher of Lodra is Garsinkel Mowim.' },
    { id: 'teacher', text: 'In Lutorjo the teacher is Fizenwim Garpelvor.' },
    { id: 'cat', text: 'My cat likes to sleep in the sun.' },
  ],
});
console.log(formatReport(report));
