/** A LangChain Embeddings class without a model: words are hashed into coordinates, and queries are marked. */
import { Embeddings } from '@langchain/core/embeddings';

export interface Request {
  method: 'query' | 'documents';
  texts: string[];
}

export class HashEmbeddings extends Embeddings {
  readonly requests: Request[] = [];
  /** @param work runs inside every request, to wait or to throw. */
  constructor(readonly work: (request: Request) => Promise<void> = async () => {}) {
    super({});
  }
  override async embedDocuments(texts: string[]): Promise<number[][]> {
    return this.#request({ method: 'documents', texts });
  }
  override async embedQuery(text: string): Promise<number[]> {
    const [vector] = await this.#request({ method: 'query', texts: [text] });
    return vector as number[];
  }
  async #request(request: Request): Promise<number[][]> {
    this.requests.push(request);
    await this.work(request);
    return request.texts.map((text) => vectorOf(text, request.method));
  }
}

export const DIMENSION = 33;

/** The last coordinate distinguishes queries from documents. */
export function vectorOf(text: string, method: Request['method']): number[] {
  const vector = new Array<number>(DIMENSION).fill(0);
  vector[DIMENSION - 1] = method === 'query' ? 0.25 : 0;
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let state = 7;
    for (const character of word) state = (state * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
    vector[state % (DIMENSION - 1)] = (vector[state % (DIMENSION - 1)] as number) + 1;
  }
  return vector;
}

export const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
