/*
 * The used part of Mastra, as structural types: importing its own would force every user of these declarations to install
 * it, in the same version.
 */

/** `RequestContext`. */
export interface RequestContextLike {
  get(key: string): unknown;
}

/** `MessageList`. */
export interface MessageListLike {
  get: { all: { db(): readonly { threadId?: string | undefined }[] } };
  getLatestUserContent(): string | null;
  updateToolInvocation(part: {
    type: 'tool-invocation';
    toolInvocation: {
      state: 'result';
      toolCallId: string;
      toolName: string;
      // biome-ignore lint/suspicious/noExplicitAny: as Mastra types it
      args: any;
      result: unknown;
    };
    // biome-ignore lint/suspicious/noExplicitAny: plain JSON, which the host cannot know
    providerMetadata?: Record<string, any>;
  }): boolean;
}

/** The argument of every hook of a processor. */
export interface HookLike {
  messageList?: MessageListLike | undefined;
  /** Shared by the hooks of one processor in one run. */
  state: Record<string, unknown>;
  requestContext?: RequestContextLike | undefined;
  abortSignal?: AbortSignal | undefined;
}
