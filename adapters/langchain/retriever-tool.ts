import type { DocumentInterface } from '@langchain/core/documents';
import type { BaseRetrieverInterface } from '@langchain/core/retrievers';
import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import * as z from 'zod/mini';
import { checkNames, lazily } from '../../src/internal.js';
import { invalidOption } from '../model-calls/index.js';
import { formatDocument, renderedBy, shaperFields } from './documents/index.js';
import { checkRetriever, ShapedRetriever, type ShapedRetrieverFields } from './retriever.js';

export interface ShapedRetrieverToolFields {
  /** A {@link ShapedRetriever}, or, with `compressor`, any retriever. */
  retriever: Pick<BaseRetrieverInterface, 'invoke'>;
  /** Shapes the results of `retriever`. `render` is how the model reads a document. Default {@link formatDocument}. */
  compressor?: ShapedRetrieverFields['compressor'];
  name: string;
  /** Tells the model when to use the tool. */
  description: string;
}

/** The options of the tool by name. */
const toolFields = (): Readonly<Record<string, unknown>> => ({
  retriever: undefined,
  compressor: { shape: shaperFields() },
  name: undefined,
  description: undefined,
});

// Unchecked prose: a model reads it, as it was when figures were measured.
const DESCRIPTION = 'What to look for: a question or key words.';
const schema = lazily(() =>
  z.object({ query: z.string('Invalid input: expected string').check(z.describe(DESCRIPTION)) }),
);

type Schema = ReturnType<typeof schema>;
type Arguments = z.infer<Schema>;

/**
 * A search tool for agents. The model reads the documents with their ids and sources. The `artifact` of the tool message
 * has the documents themselves, which LangChain's own retriever tool loses.
 *
 * @throws ContextShapingError `invalid-options`, naming the first option that is wrong or missing.
 */
export function createShapedRetrieverTool(
  fields: ShapedRetrieverToolFields,
): StructuredToolInterface<Schema, Arguments> {
  checkNames(fields, toolFields());
  for (const [field, value] of Object.entries({ name: fields.name, description: fields.description })) {
    if (typeof value === 'string' && value !== '') continue;
    throw invalidOption(
      field,
      value,
      'must be a non-empty string',
      'Give it, because the model chooses a tool by its name and description.',
    );
  }
  checkRetriever(fields.retriever);
  const { name, description, compressor } = fields;
  const isReady = compressor !== undefined && 'compressDocuments' in compressor;
  const render = (isReady ? undefined : compressor?.render) ?? formatDocument;
  const retriever =
    compressor === undefined
      ? fields.retriever
      : new ShapedRetriever({
          retriever: fields.retriever,
          compressor: isReady ? compressor : { ...compressor, render },
        });
  return tool(
    // Without the name of the tool's run, which would become the name of the retriever's run.
    async ({ query }, { runName: _, ...config }): Promise<[string, DocumentInterface[]]> => {
      const documents = await retriever.invoke(query, config);
      const content =
        documents.length === 0
          ? `Nothing was found for ${JSON.stringify(query)}. Try other words, or answer without it.`
          : documents.map((document, place) => renderedBy(render, document, place)).join('\n\n');
      return [content, documents];
    },
    { name, description, schema: schema(), responseFormat: 'content_and_artifact' },
  );
}
