/*
 * The used part of LlamaIndex, as structural types. Importing the host would load megabytes at runtime and could bind to
 * the wrong one of two copies. Importing its types would force every user of these declarations to install it.
 */

/** The part of `BaseNode` that this adapter reads, and writes on copies. */
export interface NodeLike {
  id_: string;
  embedding?: number[] | undefined;
  metadata: Record<string, unknown>;
  excludedLlmMetadataKeys: string[];
  /** @param metadataMode `NONE`: the text alone; `LLM`: with the metadata that goes into prompts. */
  getContent(metadataMode?: string): string;
  setContent(text: string): void;
}

/** `NodeWithScore`. */
export interface ScoredNode {
  node: NodeLike;
  score?: number | undefined;
}

/** `MessageContent`: a string, or parts, of which only those with text are read. */
export type QueryLike = string | readonly { readonly type: string }[];
