/*
 * What is used of LlamaIndex, by shape alone. Importing the host costs megabytes at runtime and can bind to
 * the wrong one of two copies; importing its types asks every reader of these declarations to install it.
 */

/** The part of `BaseNode` that is read, and on a copy written. */
export interface NodeLike {
  id_: string;
  /** `TEXT`, `DOCUMENT`, `INDEX`, `IMAGE` or `IMAGE_DOCUMENT`. */
  readonly type: string;
  embedding?: number[] | undefined;
  metadata: Record<string, unknown>;
  excludedLlmMetadataKeys: string[];
  relationships: { SOURCE?: RelatedNodeLike | RelatedNodeLike[] | undefined };
  /** Where the text lies in its document, in UTF-16 code units. The host loses a start of 0 when it copies. */
  startCharIdx?: number | undefined;
  endCharIdx?: number | undefined;
  /** @param metadataMode `NONE`: the text alone; `LLM`: with the metadata that goes into prompts. */
  getContent(metadataMode?: string): string;
  setContent(text: string): void;
  clone(): NodeLike;
}

export interface RelatedNodeLike {
  nodeId: string;
}

/** `NodeWithScore`. */
export interface ScoredNode {
  node: NodeLike;
  score?: number | undefined;
}

/** `MessageContent`: a string, or parts of which only those with text are read. */
export type QueryLike = string | readonly { readonly type: string }[];

/** A `CallbackManager`, of any copy of the host: `never` accepts whatever events that copy knows. */
export interface EventSink {
  dispatchEvent(event: never, detail: never, sync?: boolean): void;
}
