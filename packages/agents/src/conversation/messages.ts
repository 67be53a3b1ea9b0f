/**
 * Messages as every host has them. An adapter of a host translates its messages to these, and applies the answer to its
 * own messages. Everything is plain JSON data, except `raw`.
 */
import type { Chunk } from 'context-shaping';

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  /** Without empty texts, so that all hosts have the same parts for the same conversation. */
  parts: readonly Part[];
  /** Stays unchanged in every request, and so does its turn. */
  pinned?: boolean | undefined;
  /** Stays if its turn is dropped, as system messages do: the summary of older turns. */
  standing?: boolean | undefined;
}

export type Part = TextPart | CallPart | ResultPart | OtherPart;

/** Set by the adapter of a host. Shaping keeps it. */
interface OfHost {
  /** Its place among the pieces that the adapter read. */
  slot?: number | undefined;
  /** Text beside it that a model reads, such as a title or an address. It is counted and never changed. */
  beside?: string | undefined;
}

export interface TextPart extends OfHost {
  type: 'text';
  text: string;
}

/** The model calls a tool. */
export interface CallPart {
  type: 'call';
  id: string;
  tool: string;
  /** The arguments, parsed if they are JSON. */
  input: unknown;
}

/** The answer of a tool. */
export interface ResultPart {
  type: 'result';
  /** The id of the call. */
  id: string;
  tool: string;
  content: readonly Content[];
  /** The tool failed. Errors are never shaped. */
  failed?: boolean | undefined;
  /** The passages that the content shows, if the tool reported them. Otherwise the content is split into passages. */
  passages?: readonly Passage[] | undefined;
}

/** One piece of a result. Its order is the order of the host. */
export type Content = TextPart | JsonContent | OtherPart;

export interface JsonContent extends OfHost {
  type: 'json';
  value: unknown;
}

/** Content that is never changed: an image, a file, reasoning of the provider, a block of an unknown type. */
export interface OtherPart extends OfHost {
  type: 'other';
  /** Its kind, for the report: `image`, `file`, `audio`, `reasoning`. */
  kind: string;
  /** Tokens besides those of `beside`. Absent: an image counts as the option `images` says, and the report counts others among `unknown`. */
  tokens?: number | undefined;
}

/** A passage of a result: a chunk, `rendered` as the model sees it. */
export type Passage = Chunk;

/** The schema of a tool, as the provider gets it. Its JSON is counted. */
export interface ToolSchema {
  name: string;
  description?: string | undefined;
  parameters?: unknown;
}
