/** The documentation in `node_modules`, and what BM25 finds in it. */
import { fileURLToPath } from 'node:url';
import type { Chunk } from 'context-shaping';
import { descending } from '../../../devtools/src/measurement/index.js';
import { Bm25 } from '../bm25.js';
import type { Case } from '../data/case.js';
import { questionTerms, termsOf } from '../terms.js';
import { type CorpusFile, findNodeModules, listFiles, loadSplitter, readFiles } from './documentation.js';
import type { DocumentationQuestion } from './questions.js';

/** So many chunks are retrieved for each question. */
const RETRIEVED = 60;

/** A question, and the chunks that were retrieved for it, best first, with their scores. */
export interface Retrieval extends Pick<Case, 'id' | 'question' | 'chunks' | 'answers'> {
  packages: readonly string[];
}

export async function retrieveAll(questions: readonly DocumentationQuestion[]): Promise<Retrieval[]> {
  const chunks = await readChunks();
  const index = new Bm25(chunks.map(({ text }) => termsOf(text)));
  return questions.map(({ question, packages, answers }) => {
    const scores = index.scores(questionTerms(question));
    const best = descending(scores).slice(0, RETRIEVED);
    const retrieved = best.map(
      (place): Chunk => ({ ...(chunks[place] as Chunk), score: scores[place] as number }),
    );
    return { id: question, question, chunks: retrieved, answers, packages };
  });
}

/** All of it, in the order of the files. */
export async function readChunks(): Promise<Chunk[]> {
  const root = findNodeModules(fileURLToPath(new URL('.', import.meta.url)));
  const split = await loadSplitter();
  const files: CorpusFile[] = [];
  for await (const file of readFiles(root, await listFiles(root), new AbortController().signal))
    files.push(file);
  const documents = (await Promise.all(files.map(split))).flat();
  return documents.map(
    ({ id, pageContent, metadata }): Chunk => ({ id: id as string, text: pageContent, metadata }),
  );
}
