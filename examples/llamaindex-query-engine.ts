/**
 * A query engine of LlamaIndex.TS: fetches ten nodes, and passes on the few that answer.
 *
 * Look at "Evicted" and "Conflicts": the second edition of every page is gone, the two warranties that differ stay.
 *
 *     npm install context-shaping gpt-tokenizer llamaindex @llamaindex/core @llamaindex/ollama
 *
 * Runs offline with fakes. With `--ollama`, `nomic-embed-text` embeds and `llama3.2` answers, on your machine or at
 * `OLLAMA_HOST`.
 */
import { BaseEmbedding } from '@llamaindex/core/embeddings';
import { MockLLM } from '@llamaindex/core/llms/mock';
import { OllamaEmbedding, ollama } from '@llamaindex/ollama';
import type { Embedder } from 'context-shaping';
import { formatReport } from 'context-shaping/explain';
import { ContextShapingPostprocessor } from 'context-shaping/llamaindex';
import { fakeEmbedder } from 'context-shaping/testing';
import { Settings, TextNode, VectorStoreIndex } from 'llamaindex';

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

const config = { host: process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434' };
if (process.argv.includes('--ollama')) {
  Settings.embedModel = new OllamaEmbedding({ model: 'nomic-embed-text', config });
  Settings.llm = ollama({ model: 'llama3.2', config, options: { temperature: 0 } });
} else {
  Settings.embedModel = new FakeEmbedding(fakeEmbedder({ dimensions: 1024 }));
  Settings.llm = new MockLLM({ responseMessage: 'Two years on one page, three on another.' });
}

const passages = [
  'The warranty covers two years from the day of purchase.',
  'The warranty covers three years from the day of purchase.',
  'Batteries carry a warranty of three years, or 1,000 charging cycles.',
  'A warranty claim needs the receipt and the serial number of the device.',
  'Devices are shipped within two days of the order; islands take longer.',
];
// The index has every page twice: from the manual, and from its printed edition.
const nodes = passages.flatMap((text, page) => [
  new TextNode({ id_: `manual-${page}`, text, metadata: { file_name: `${page}.md` } }),
  new TextNode({
    id_: `print-${page}`,
    text: text.replace('.', ' .'),
    metadata: { file_name: `${page}.pdf` },
  }),
]);
const index = await VectorStoreIndex.init({ nodes });

const engine = index.asQueryEngine({
  similarityTopK: 10,
  nodePostprocessors: [
    new ContextShapingPostprocessor({
      budget: { maxTokens: 90 },
      tokenizer: 'o200k_base',
      preview: 40,
      onReport: (report) => console.log(formatReport(report, { timings: false })),
    }),
  ],
});
const { message, sourceNodes } = await engine.query({ query: 'How many years does the warranty cover?' });

console.log(`\n${message.content}`);
for (const { node, score } of sourceNodes ?? []) console.log(`- ${node.id_} (${score?.toFixed(2)})`);
