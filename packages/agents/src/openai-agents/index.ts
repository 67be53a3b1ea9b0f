/**
 * Context shaping for the OpenAI Agents SDK: a filter of the model's input, and the tool that reads left-out passages.
 *
 * @packageDocumentation
 */

export { type RecallToolOptions, recallTool } from './recall-tool.js';
export { type ShapedModelInput, shapedModelInput } from './shaped-model-input.js';
export { type FunctionToolLike, shapedTool } from './shaped-tool.js';
export {
  type OpenAiAgentsShaping,
  type OpenAiAgentsShapingOptions,
  openAiAgentsShaping,
  type ThreadCall,
} from './shaping.js';
