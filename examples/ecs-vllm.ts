/**
 * Ranks chunks by their effect on a model’s belief in the answer, with vLLM or another server that scores prompts
 * at `/v1/completions`: `vllm serve Qwen/Qwen2.5-1.5B`. Set `VLLM_URL` if it is not at its default address, and
 * `VLLM_MODEL` for another model.
 */
import { createShaper, formatReport } from 'context-shaping';
import { openAICompatible } from 'context-shaping/logprobs';

const model = openAICompatible({
  baseUrl: process.env.VLLM_URL ?? 'http://127.0.0.1:8000/v1',
  model: process.env.VLLM_MODEL ?? 'Qwen/Qwen2.5-1.5B',
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
