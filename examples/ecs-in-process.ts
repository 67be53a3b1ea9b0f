/**
 * Chunks by what they do to a model’s belief in the answer, in this process, by node-llama-cpp:
 * `npm install node-llama-cpp @node-llama-cpp/linux-x64 --omit=optional --ignore-scripts` (or as the machine is
 * called). `GGUF` names the model’s file.
 */
import { createShaper, formatReport } from 'context-shaping';
import { nodeLlamaCpp } from 'context-shaping/logprobs';

await using model = await nodeLlamaCpp({ modelPath: process.env.GGUF ?? 'model.gguf' });

const shaper = createShaper({ ranked: false, budget: { maxTokens: 20 }, ecs: { model, trust: 'always' } });

// Names that are made up, so that no model knows the answer without the passage.
// By words alone, the chunk that only asks again would be kept instead of the one that answers.
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
