/**
 * Ranks chunks by their effect on a model’s belief in the answer. node-llama-cpp runs the model in this process:
 * `npm install node-llama-cpp @node-llama-cpp/linux-x64 --omit=optional --ignore-scripts` (on another system, with
 * the package for it). `GGUF` is the path of the model file.
 */
import { createShaper, formatReport } from 'context-shaping';
import { nodeLlamaCpp } from 'context-shaping/logprobs';

await using model = await nodeLlamaCpp({ modelPath: process.env.GGUF ?? 'model.gguf' });

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
