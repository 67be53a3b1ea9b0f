/*
 * The used part of the AI SDK, as structural types that its versions 6 and 7 share. Importing its types would bind these
 * declarations to one version, and would force every user of them to install it.
 */

/** `ModelMessage`, or a message of a `LanguageModelV3Prompt` or `LanguageModelV4Prompt`. */
export interface MessageLike {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | readonly PartLike[];
  providerOptions?: object | undefined;
}

/** A part of a message, or one item of a `content` output. */
export interface PartLike {
  type: string;
}

/** `ToolResultOutput`. */
export interface OutputLike {
  type: string;
  value?: unknown;
}

export interface ToolPart extends PartLike {
  toolCallId: string;
  toolName: string;
  /** A call has it. */
  input?: unknown;
  providerExecuted?: boolean;
  /** A result has it. */
  output?: OutputLike;
}

/** Any tool of a `ToolSet`. */
export interface ToolLike {
  inputSchema: unknown;
  toModelOutput?: ((call: never) => unknown) | undefined;
}

/** The call options of a language model. */
export interface CallOptionsLike {
  prompt: readonly MessageLike[];
  tools?: readonly { type: string; name: string }[] | undefined;
  abortSignal?: AbortSignal | undefined;
  providerOptions?: object | undefined;
}

/** A `JSONValue` of the AI SDK. */
export type JsonValue =
  | null
  | string
  | number
  | boolean
  | JsonValue[]
  | { [key: string]: JsonValue | undefined };

/** `ProviderOptions` and `ProviderMetadata`. */
export type ProviderData = Record<string, { [key: string]: JsonValue | undefined }>;
