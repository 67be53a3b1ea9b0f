/** Adapters of hosts share these: the shaper of their functions, and the option `thread`. */
import { ContextShapingError } from 'context-shaping';
import { checkNames } from 'context-shaping/internal';
import { parseOptions } from 'context-shaping/kit';
import * as z from 'zod';
import {
  type ConversationShaper,
  type ConversationShapingOptions,
  createConversationShaper,
  type RecallCall,
  type Recalled,
  type RecallInput,
  readRecallInput,
} from './conversation/index.js';

/** The functions of an adapter share it: the shaper with its store and its handles. */
export interface HostShaping<Call> {
  readonly conversation: ConversationShaper;
  threadOf(call: Call): string;
}

interface HostOptions<Call> extends ConversationShapingOptions {
  thread?: string | ((call: Call) => string) | undefined;
}

/** @throws ContextShapingError `invalid-options`, naming the first option that is wrong. */
export function hostShaping<Call>({ thread, ...rest }: HostOptions<Call>): HostShaping<Call> {
  return { threadOf: threadNamer(thread), conversation: createConversationShaper(rest) };
}

/** A shared shaping as it is, or a new one from its options. */
export const sharedOr =
  <Options extends object, Shared extends object>(make: (options: Options) => Shared) =>
  (given: Options | Shared): Shared =>
    'conversation' in Object(given) ? (given as Shared) : make(given as Options);

/** Answers a call of the recall tool. One without a handle gets the answer for a wrong handle. */
export const recalled = (
  conversation: ConversationShaper,
  input: unknown,
  call: Omit<RecallCall, keyof RecallInput>,
): Promise<Recalled> => conversation.recall({ ...(readRecallInput(input) ?? { handle: '' }), ...call });

/** The options of a host, if they are an object. The shaper checks their names. */
export function optionsOf<Options extends object>(options: Options): Options {
  checkNames(options, options as Record<string, unknown>);
  return options;
}

const schema = z.strictObject({
  thread: z
    .union([z.string(), z.custom<(call: never) => string>((value) => typeof value === 'function')], {
      error: 'must be a string, or a function that returns one',
    })
    .default(''),
});

/**
 * The function that names the thread of a call. It throws like {@link threadName}.
 *
 * @param given the option: a name, or a function that names the thread of each call.
 * @throws ContextShapingError `invalid-options`.
 */
export function threadNamer<Call>(given: unknown): (call: Call) => string {
  const { thread } = parseOptions(schema, { thread: given });
  return typeof thread === 'string' ? () => thread : (call) => threadName(thread(call as never));
}

/**
 * The thread that a function of a user returned.
 *
 * @throws ContextShapingError `invalid-options`: it is a promise, for instance.
 */
export function threadName<T extends string | undefined>(thread: T): T {
  if (thread === undefined || typeof thread === 'string') return thread;
  throw new ContextShapingError('invalid-options', {
    field: 'thread',
    value: thread,
    is: 'must return a string',
    remedy: 'Give a synchronous function that returns the name of the conversation.',
  });
}
