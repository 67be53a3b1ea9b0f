/** Checked by the compiler alone: the host's types are met by shape. */
import type { MessageContent } from '@llamaindex/core/llms';
import type { BaseNodePostprocessor } from '@llamaindex/core/postprocessor';
import type { BaseNode, NodeWithScore } from '@llamaindex/core/schema';
import { expectTypeOf } from 'vitest';
import type {
  ContextShapingPostprocessor,
  NodeLike,
  QueryLike,
  ScoredNode,
} from '../../../adapters/llamaindex/index.js';

expectTypeOf<ContextShapingPostprocessor>().toExtend<BaseNodePostprocessor>();
expectTypeOf<BaseNode>().toExtend<NodeLike>();
expectTypeOf<NodeWithScore>().toExtend<ScoredNode>();
expectTypeOf<MessageContent>().toExtend<QueryLike>();

declare const postprocessor: ContextShapingPostprocessor;
declare const nodes: NodeWithScore<{ page: number }>[];
expectTypeOf(postprocessor.postprocessNodes(nodes)).resolves.toEqualTypeOf<
  NodeWithScore<{ page: number }>[]
>();
