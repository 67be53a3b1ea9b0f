/**
 * Log-probabilities (ECS) of vLLM: all chunks fit, and those that do not help to answer are evicted.
 *
 * Look at the utilities: above 0 a chunk helps, at 0 it has no effect, and below 0 it misleads the model.
 *
 *     npm install context-shaping
 *     vllm serve Qwen/Qwen2.5-1.5B --max-num-batched-tokens 2048 --enable-prompt-tokens-details
 *
 * The first flag limits the memory that scoring a prompt needs; with the second one, vLLM reports cached tokens. For an
 * instruct model, add `chatTemplate: true`. Works with any server that scores prompts at `/v1/completions`. Set `VLLM_URL` if it is not at its default address,
 * and `VLLM_MODEL` for another model. `trust: 'always'` is for a first try: `npx context-shaping-devtools evaluate --fit` shows whether
 * your model ranks better than words on your questions.
 */
import { createShaper } from 'context-shaping';
import { openAICompatible } from 'context-shaping/logprobs';

const model = openAICompatible({
  baseUrl: process.env.VLLM_URL ?? 'http://127.0.0.1:8000/v1',
  model: process.env.VLLM_MODEL ?? 'Qwen/Qwen2.5-1.5B',
});
const shaper = createShaper({ ranked: false, ecs: { model, trust: 'always', minUtility: 0.3 } });

// The names are made up, so no model knows the answer without the passage.
// Unchecked prose: invented passages.
const chunks = [
  { id: 'asks', text: 'Everyone asks who the teacher of Lutorjo is.' },
  { id: 'other-teacher', text: 'I was told that the teacher of Lodra is Garsinkel Mowim.' },
  { id: 'teacher', text: 'In Lutorjo the teacher is Fizenwim Garpelvor.' },
  { id: 'cat', text: 'My cat likes to sleep in the sun.' },
];
const query = { text: 'What is the teacher of Lutorjo?', answer: 'Fizenwim Garpelvor' };

const { report } = await shaper.shape({ query, chunks });
for (const { id, utility } of report.kept) console.log(`kept: ${id}, ${utility?.toFixed(1) ?? '?'} nats`);
for (const { id, utility, reason } of report.evicted) {
  console.log(`evicted: ${id}, ${utility?.toFixed(1) ?? '?'} nats, as ${reason}`);
}
for (const { message } of report.degradations) console.log(message);
