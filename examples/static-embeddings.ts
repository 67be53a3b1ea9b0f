/**
 * Vectors without a service: a static embedding model (model2vec format), a few megabytes on disk, in a LangChain
 * vector store and in a shaper. Download a real model first:
 *
 *     npx context-shaping pull minishlab/potion-base-8M
 *     CONTEXT_SHAPING_MODEL=models/minishlab/potion-base-8M npx tsx examples/static-embeddings.ts
 *
 * Without `CONTEXT_SHAPING_MODEL` it writes a model of a dozen words, which shows the format.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryVectorStore } from '@langchain/classic/vectorstores/memory';
import { Document } from '@langchain/core/documents';
import { createShaper } from 'context-shaping';
import { loadStaticEmbedder } from 'context-shaping/embeddings';

const embedder = await loadStaticEmbedder(process.env.CONTEXT_SHAPING_MODEL ?? makeUpModel());
const question = 'How do I get my money back?';
const passages = [
  { id: 'refund', text: 'Refunds are paid within ten days.', metadata: { source: 'terms.md' } },
  { id: 'refund-copy', text: 'Refunds are paid, within ten days!', metadata: { source: 'faq.md' } },
  { id: 'jobs', text: 'We are hiring engineers in Lisbon.', metadata: { source: 'jobs.md' } },
];

// It works wherever LangChain takes `Embeddings`.
const store = await MemoryVectorStore.fromDocuments(
  passages.map(({ text, metadata }) => new Document({ pageContent: text, metadata })),
  embedder,
);
const [nearest] = await store.similaritySearch(question, 1);
console.log(`${question}  ->  ${nearest?.pageContent}`);

// It is also an embedder for the shaper: no key, no request, thousands of texts per second.
const { chunks } = await createShaper({ k: 1, embedder }).shape({ query: question, chunks: passages });
for (const { id, sources } of chunks) {
  console.log(`${id}  from ${sources.map(({ source }) => source).join(', ')}`);
}

/** One vector per token: here one direction for money, one for work. */
function makeUpModel(): string {
  const vectors: Record<string, [number, number]> = {
    '[UNK]': [0, 0],
    money: [1, 0],
    back: [0.8, 0.2],
    refund: [1, 0],
    '##s': [0.1, 0.1],
    paid: [0.9, 0.1],
    hiring: [0, 1],
    engineers: [0.1, 1],
  };
  const rows = Object.values(vectors);
  const header = JSON.stringify({
    embeddings: { dtype: 'F32', shape: [rows.length, 2], data_offsets: [0, 8 * rows.length] },
  });
  const headerLength = Buffer.alloc(8);
  headerLength.writeBigUInt64LE(BigInt(header.length));
  const numbers = Buffer.from(new Float32Array(rows.flat()).buffer);

  const folder = mkdtempSync(join(tmpdir(), 'context-shaping-model-'));
  writeFileSync(
    join(folder, 'model.safetensors'),
    Buffer.concat([headerLength, Buffer.from(header), numbers]),
  );
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ normalize: true }));
  const tokenizer = {
    added_tokens: [],
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(Object.keys(vectors).map((token, id) => [token, id])),
    },
  };
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  return folder;
}
