/**
 * Chunks by what they do to a model’s belief in the answer, asked of vLLM, or another server that scores
 * prompts as OpenAI’s completions once did: `vllm serve Qwen/Qwen2.5-1.5B`. `VLLM_URL` says where it is, if not
 * at its usual port, and `VLLM_MODEL` which model it serves.
 */
import { createShaper, formatReport } from 'context-shaping';
import { openAICompatible } from 'context-shaping/logprobs';

const model = openAICompatible({
  baseUrl: process.env.VLLM_URL ?? 'http://127.0.0.1:8000/v1',
  model: process.env.VLLM_MODEL ?? 'Qwen/Qwen2.5-1.5B',
});

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
