/**
 * Ranks chunks by their effect on a model’s belief in the answer, with llama.cpp’s server:
 * `llama-server -m MODEL.gguf`. Set `LLAMA_SERVER_URL` if it is not at its default address.
 */
import { createShaper, formatReport } from 'context-shaping';
import { llamaServer } from 'context-shaping/logprobs';

const model = llamaServer({ baseUrl: process.env.LLAMA_SERVER_URL ?? 'http://127.0.0.1:8080' });

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
