/**
 * Context shaping for the OpenAI Agents SDK: a filter of the model's input, and the tool that reads left-out passages.
 *
 * @packageDocumentation
 */

export { type ShapedModelInput, shapedModelInput } from './shaped-model-input.js';
export {
  type OpenAiAgentsShaping,
  type OpenAiAgentsShapingOptions,
  openAiAgentsShaping,
  type ThreadCall,
} from './shaping.js';
export { type FunctionToolLike, type RecallToolOptions, recallTool, shapedTool } from './tools.js';
