/**
 * A chat engine of LlamaIndex.TS: thirty nodes do not fit the model’s window, the shaped context does.
 *
 * Look at the first line and the last two: without shaping the engine throws, with it the right room answers.
 *
 *     npm install context-shaping llamaindex @llamaindex/core @llamaindex/ollama
 *
 * Runs offline with fakes. With `--ollama`, `nomic-embed-text` embeds and `llama3.2` answers, on your machine or at
 * `OLLAMA_HOST`.
 */
import { BaseEmbedding } from '@llamaindex/core/embeddings';
import { MockLLM } from '@llamaindex/core/llms/mock';
import { OllamaEmbedding, ollama } from '@llamaindex/ollama';
import type { Embedder } from 'context-shaping';
import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
import { fakeEmbedder } from 'context-shaping/testing';
import { ContextChatEngine, Document, MetadataMode, Settings, VectorStoreIndex } from 'llamaindex';

class FakeEmbedding extends BaseEmbedding {
  readonly #fake: Embedder;
  constructor(fake: Embedder) {
    super();
    this.#fake = fake;
  }
  async getTextEmbedding(text: string): Promise<number[]> {
    return Array.from((await this.#fake.embed([text], {}))[0] ?? []);
  }
}

const contextWindow = 2048;
const useOllama = process.argv.includes('--ollama');
const config = { host: process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434' };
Settings.embedModel = useOllama
  ? new OllamaEmbedding({ model: 'nomic-embed-text', config })
  : new FakeEmbedding(fakeEmbedder({ dimensions: 1024 }));
const chatModel = useOllama
  ? ollama({ model: 'llama3.2', config, options: { temperature: 0, num_ctx: contextWindow } })
  : new MockLLM({
      responseMessage: 'It opens at nine.',
      metadata: {
        model: 'small',
        temperature: 0,
        topP: 1,
        contextWindow,
        tokenizer: undefined,
        structuredOutput: false,
      },
    });

const documents = Array.from({ length: 30 }, (_, room) => {
  const rules = `Visitors of room ${room} are asked to leave bags at the desk and to speak softly. `.repeat(
    6,
  );
  return new Document({
    text: `Room ${room} of the museum opens at ${room === 7 ? 'nine' : 'ten'}. ${rules}`,
  });
});
const index = await VectorStoreIndex.fromDocuments(documents);
const retriever = index.asRetriever({ similarityTopK: 30 });
const message = 'When does room 7 of the museum open?';

try {
  await new ContextChatEngine({ retriever, chatModel }).chat({ message });
} catch (error) {
  console.log(`Without shaping: ${(error as Error).message}`);
}

const shaping = new ContextShapingPostprocessor({
  budget: { maxTokens: contextWindow / 2 },
  onReport: ({ tokens, evicted }) =>
    console.log(`Shaped: ${tokens.input} tokens to ${tokens.output}, ${evicted.length} nodes evicted`),
});
const engine = new ContextChatEngine({ retriever, chatModel, nodePostprocessors: [shaping] });
const answer = await engine.chat({ message });
console.log(`With shaping: ${answer.message.content} (from ${answer.sourceNodes?.length} nodes)`);
console.log(`First node: ${answer.sourceNodes?.[0]?.node.getContent(MetadataMode.NONE).slice(0, 35)}`);
