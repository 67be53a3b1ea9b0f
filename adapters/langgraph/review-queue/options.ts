import type { BaseCheckpointSaver, BaseStore, LangGraphRunnableConfig } from '@langchain/langgraph';
import * as z from 'zod';

const leaseMs = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);
export const optionsSchema = z.strictObject({
  checkpointer: z.custom<BaseCheckpointSaver>(
    (value) => typeof (value as BaseCheckpointSaver | null)?.putWrites === 'function',
    'must be a checkpointer',
  ),
  store: z
    .custom<BaseStore>(
      (value) => typeof (value as BaseStore | null)?.search === 'function',
      'must be a store of LangGraph',
    )
    .optional(),
  leaseMs: leaseMs.default(300_000),
  now: z
    .custom<() => number>((value) => typeof value === 'function', 'must be a function')
    .default(() => Date.now),
});
export const listSchema = z.strictObject({
  limit: z.int().min(1).optional(),
  threadId: z.string().optional(),
});
export const renewSchema = z.strictObject({ leaseMs: leaseMs.optional() });
export const answerSchema = z.strictObject({ by: z.string().min(1).optional() });
export const resumeSchema = z.strictObject({
  config: z.custom<LangGraphRunnableConfig>((value) => typeof value === 'object').optional(),
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
  limit: z.int().min(1).optional(),
  threadId: z.string().optional(),
});
export const claimSchema = z.strictObject({ by: z.string().min(1), leaseMs: leaseMs.optional() });
