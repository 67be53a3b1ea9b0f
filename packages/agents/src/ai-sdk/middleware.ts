import type { RequestReport, ToolSchema } from '../conversation/index.js';
import type { CallOptionsLike, MessageLike } from './messages.js';
import { type AiSdkShaping, type AiSdkShapingOptions, shapeList, shapingOf } from './shaping.js';

/** A middleware for `wrapLanguageModel` of `ai` 6 and 7. */
export interface ShapingMiddleware {
  specificationVersion: 'v3';
  transformParams<P extends CallOptionsLike>(call: { params: P }): Promise<P>;
  wrapGenerate<R extends object>(call: {
    doGenerate: () => PromiseLike<R>;
    params: CallOptionsLike;
  }): Promise<R>;
  wrapStream<R extends { stream: ReadableStream }>(call: {
    doStream: () => PromiseLike<R>;
    params: CallOptionsLike;
  }): Promise<R>;
}

/**
 * Shapes the prompt of each request to a model, with the system prompt and the tools counted. The report is in
 * `providerMetadata.contextShaping` of the answer.
 *
 * @throws ContextShapingError `invalid-options`.
 */
export function shapingMiddleware(options: AiSdkShapingOptions | AiSdkShaping = {}): ShapingMiddleware {
  const shaping = shapingOf(options);
  const reports = new WeakMap<object, RequestReport>();
  const withReport = <R extends object>(answer: R, params: object): R => {
    const contextShaping = reports.get(params);
    if (contextShaping === undefined) return answer;
    const { providerMetadata } = answer as { providerMetadata?: object };
    return { ...answer, providerMetadata: { ...providerMetadata, contextShaping } };
  };
  return {
    specificationVersion: 'v3',
    async transformParams<P extends CallOptionsLike>({ params }: { params: P }): Promise<P> {
      const { list, report } = await shapeList<MessageLike>(params.prompt, shaping, {
        tools: (params.tools ?? []).map(schemaOf),
        signal: params.abortSignal,
        providerOptions: params.providerOptions,
      });
      const shaped = { ...params, prompt: list.map(({ message }) => message) };
      reports.set(shaped, report);
      return shaped;
    },
    wrapGenerate: async ({ doGenerate, params }) => withReport(await doGenerate(), params),
    async wrapStream({ doStream, params }) {
      const answer = await doStream();
      const stream = answer.stream.pipeThrough(
        new TransformStream({
          transform: (part: { type: string }, controller) =>
            controller.enqueue(part.type === 'finish' ? withReport(part, params) : part),
        }),
      );
      return { ...answer, stream };
    },
  };
}

/** Tools of the provider itself have arguments in place of a schema. */
const schemaOf = (tool: { name: string }): ToolSchema => {
  const { name, description, inputSchema, args } = tool as ToolSchema & {
    inputSchema?: unknown;
    args?: unknown;
  };
  return { name, description, parameters: inputSchema ?? args };
};
