/** The parts that LlamaIndex.TS needs to run without a network: an embedding, a model, documents. */
import { BaseEmbedding } from '@llamaindex/core/embeddings';
import {
  BaseLLM,
  type ChatResponse,
  type ChatResponseChunk,
  type LLMChatParamsNonStreaming,
  type LLMChatParamsStreaming,
  type LLMMetadata,
} from '@llamaindex/core/llms';
import { Document } from 'llamaindex';
import { fakeEmbedder } from '../../../adapters/testing/index.js';

export class HashEmbedding extends BaseEmbedding {
  readonly #fake = fakeEmbedder();

  // biome-ignore lint/complexity/noUselessConstructor: the inherited one is protected
  constructor() {
    super();
  }

  async getTextEmbedding(text: string): Promise<number[]> {
    return Array.from((await this.#fake.embed([text], {}))[0] ?? []);
  }
}

/** Answers with a constant and remembers its requests. */
export class EchoLLM extends BaseLLM {
  readonly prompts: string[] = [];
  readonly metadata: LLMMetadata;

  constructor(contextWindow = 8192) {
    super();
    this.metadata = {
      model: 'echo',
      temperature: 0,
      topP: 1,
      contextWindow,
      tokenizer: undefined,
      structuredOutput: false,
    };
  }

  override chat(params: LLMChatParamsStreaming): Promise<AsyncIterable<ChatResponseChunk>>;
  override chat(params: LLMChatParamsNonStreaming): Promise<ChatResponse>;
  override async chat(params: LLMChatParamsStreaming | LLMChatParamsNonStreaming): Promise<never> {
    this.prompts.push(JSON.stringify(params.messages));
    return { message: { role: 'assistant', content: 'an answer' }, raw: null } as never;
  }
}

const TOPICS = [
  [
    'glaciers',
    'The Aletsch glacier in the Alps is 20 kilometres long and loses some 50 metres of its length every year.',
  ],
  [
    'volcanoes',
    'Mount Etna erupts several times a year; its ash has closed the airport of Catania again and again.',
  ],
  [
    'rivers',
    'The Danube passes through ten countries and four capitals before it reaches the Black Sea in Romania.',
  ],
  [
    'deserts',
    'The Atacama is the driest desert outside the poles: some of its stations have never measured rain.',
  ],
  [
    'forests',
    'The Białowieża forest is one of the last primeval forests of Europe and home to 800 wild bison.',
  ],
  ['lakes', 'Lake Baikal holds a fifth of the fresh water of the world and is 1,642 metres deep.'],
  [
    'islands',
    'Surtsey rose from the sea south of Iceland in 1963 and only researchers are allowed to land there.',
  ],
  ['caves', 'The Mammoth Cave in Kentucky is the longest cave that is known, with 686 kilometres surveyed.'],
  ['reefs', 'The Great Barrier Reef consists of 2,900 single reefs and can be seen from space.'],
  ['canyons', 'The Colorado took six million years to carve the Grand Canyon 1,800 metres deep.'],
] as const;

/** Ten topics, each told three times: as it is, as a copy with other punctuation, and at length. */
export function makeDocuments(): Document[] {
  return TOPICS.flatMap(([topic, sentence]) => {
    const metadata = { file_name: `${topic}.md`, editor: 'A. Cartographer' };
    const padding = `More about ${topic} follows here, for readers who like ${topic} and want each detail. `;
    return [
      new Document({ id_: topic, text: sentence, metadata }),
      new Document({ id_: `${topic}-copy`, text: sentence.replace(/\.$/, ' !'), metadata }),
      new Document({ id_: `${topic}-long`, text: `${sentence} ${padding.repeat(6)}`, metadata }),
    ];
  });
}
