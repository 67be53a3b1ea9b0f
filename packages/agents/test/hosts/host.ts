/** The port of the conformance suite: one scripted conversation, run by the agent loop of a real host. */
import type { ConversationShapingOptions, RequestReport } from '../../src/conversation/index.js';

/** The answer of the model: a text, or calls of tools. */
export type Reply = { text: string } | { calls: readonly Call[] };

export interface Call {
  id: string;
  tool: string;
  input: Record<string, unknown>;
}

/** A piece of a request, as the model of the host got it. A result is the text that the model reads. */
export type Sent =
  | { role: 'system' | 'user' | 'assistant'; text: string }
  | { role: 'assistant'; call: Call }
  | { role: 'tool'; id: string; tool: string; result: string };

export interface ScriptedTool {
  name: string;
  description: string;
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>;
  /** A text, or plain JSON. It must be the same for the same input. */
  run(input: Record<string, unknown>): unknown;
}

export interface Script {
  /** The conversation; handles are valid only in it. Default: `conformance`. */
  thread?: string;
  system: string;
  /** One turn each, all in one conversation. */
  questions: readonly string[];
  /** Indices of questions that have an image beside their text. Only for hosts that take images. */
  images?: readonly number[];
  tools: readonly ScriptedTool[];
  /** The model. It sees only the request. */
  reply(request: readonly Sent[]): Reply;
}

export interface Run {
  /** The model's input, request by request. */
  requests: readonly (readonly Sent[])[];
  /** The report of each request. */
  reports: readonly RequestReport[];
  /** Whether the host's own messages are the same as before each request. Absent: the host does not show them. */
  unchanged?: boolean;
}

export interface Host {
  name: string;
  /** The version of the host's package. */
  version: string;
  /** Why the host cannot run here; absent if it can. */
  missing?: string;
  /** Whether questions may have images. */
  takesImages?: boolean;
  run(script: Script, options: ConversationShapingOptions): Promise<Run>;
}
