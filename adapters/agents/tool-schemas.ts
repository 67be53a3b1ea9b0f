import { convertToOpenAITool, isLangChainTool } from '@langchain/core/utils/function_calling';
import { isObject } from '../../src/internal.js';
import type { ToolSchema } from '../conversation/index.js';

/** The schemas of tools as a chat model sends them. A tool of the provider's own is counted as it stands. */
export function toolSchemas(tools: readonly unknown[]): ToolSchema[] {
  return tools.map((tool) => {
    if (isLangChainTool(tool)) {
      const { name, description, parameters } = convertToOpenAITool(tool as never).function;
      return { name, description, parameters };
    }
    const { name, type, ...parameters } = isObject(tool) ? tool : {};
    return { name: String(name ?? type ?? ''), parameters };
  });
}
