/**
 * The passages of a tool's result: which of them its content shows, and which were left out of it. What was left
 * out is kept in the message itself, under `additional_kwargs.context_shaping`: there it lives as long as the
 * thread, survives restarts with its checkpoints, and is not part of what chat models send. `artifact` is what it always
 * was for whoever cites from it, an array of documents: those that are shown.
 */
import type { DocumentInterface } from '@langchain/core/documents';
import { ToolMessage } from '@langchain/core/messages';
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { blocksOf } from './blocks.js';

const FIELD = 'context_shaping';

/** Plain JSON. */
interface Held {
  /** SHA-256 of the content that shows all this: whoever writes another, to redact it say, is not overruled. */
  digest: string;
  isJson?: true;
  /** Blocks of a text that are shown; documents are in the artifact. */
  shown?: DocumentInterface[];
  /** By place among those that are shown: the whole of one that was cut. */
  cut: Record<string, DocumentInterface>;
  leftOut: DocumentInterface[];
}

export interface Passages {
  /** Documents of the artifact, or blocks of a text. */
  are: 'documents' | 'blocks';
  /** Blocks of JSON may not be cut. */
  cuttable: boolean;
  shown: readonly DocumentInterface[];
  cut: Readonly<Record<string, DocumentInterface>>;
  leftOut: readonly DocumentInterface[];
}

/** Absent where there is nothing to shape: an error, content that is not one text, or no text at all. */
export function passagesOf(message: ToolMessage): Passages | undefined {
  const { content, artifact, status } = message;
  if (status === 'error' || typeof content !== 'string' || content.trim() === '') return undefined;
  const held = heldBy(message);
  if (held !== undefined) {
    const { cut, leftOut, digest } = held;
    const shown = held.shown ?? (areDocuments(artifact) ? artifact : []);
    if (digest !== digestOf(content))
      return { ...asText(content), leftOut: wholePassages({ shown, cut, leftOut }) };
    const are = held.shown === undefined ? 'documents' : 'blocks';
    return { are, cuttable: held.isJson !== true, shown, cut, leftOut };
  }
  // A tool may show the model something else than the documents that it found.
  if (
    areDocuments(artifact) &&
    artifact.length > 0 &&
    artifact.every(({ pageContent }) => content.includes(pageContent.trim()))
  )
    return { are: 'documents', cuttable: true, shown: artifact, cut: {}, leftOut: [] };
  return asText(content);
}

function asText(content: string): Passages {
  const { blocks, isJson } = blocksOf(content);
  const shown = blocks.map((pageContent): DocumentInterface => ({ pageContent, metadata: {} }));
  return { are: 'blocks', cuttable: !isJson, shown, cut: {}, leftOut: [] };
}

/** Every passage as it was before anything was left out or cut. */
export const wholePassages = ({
  shown,
  cut,
  leftOut,
}: Pick<Passages, 'shown' | 'cut' | 'leftOut'>): DocumentInterface[] => [
  ...shown.map((passage, place) => cut[place] ?? passage),
  ...leftOut,
];

/** The same, of those that are not shown in full. */
export const restOf = ({ cut, leftOut }: Passages): DocumentInterface[] => [
  ...Object.values(cut),
  ...leftOut,
];

/** Has the result been shaped, or recalled, before? */
export const isShapedResult = (message: ToolMessage): boolean => heldBy(message) !== undefined;

/** The message with another content, and what that content shows, what was cut, and what was left out. */
export function withPassages(
  message: ToolMessage,
  content: string,
  { are, cuttable, shown, cut, leftOut }: Passages,
): ToolMessage {
  const { artifact, additional_kwargs } = message;
  const held: Held = {
    digest: digestOf(content),
    ...(cuttable ? {} : { isJson: true }),
    ...(are === 'blocks' ? { shown: [...shown] } : {}),
    cut: { ...cut },
    leftOut: [...leftOut],
  };
  return withContent(message, content, {
    artifact: are === 'blocks' ? artifact : [...shown],
    additional_kwargs: { ...additional_kwargs, [FIELD]: held },
  });
}

/** The message with another content, and what goes with it. */
export function withContent(
  message: ToolMessage,
  content: ToolMessage['content'],
  changed: Partial<Pick<ToolMessage, 'artifact' | 'additional_kwargs'>>,
): ToolMessage {
  const { artifact, tool_call_id, name, status, id, metadata, additional_kwargs, response_metadata } =
    message;
  return new ToolMessage({
    content,
    artifact,
    tool_call_id,
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(id === undefined ? {} : { id }),
    ...(metadata === undefined ? {} : { metadata }),
    additional_kwargs,
    response_metadata,
    ...changed,
  });
}

function heldBy({ additional_kwargs }: ToolMessage): Held | undefined {
  const held = additional_kwargs?.[FIELD] as Partial<Held> | null | undefined;
  const isHeld =
    areDocuments(held?.leftOut) &&
    typeof held.cut === 'object' &&
    held.cut !== null &&
    areDocuments(Object.values(held.cut)) &&
    (held.shown === undefined || areDocuments(held.shown));
  return isHeld ? (held as Held) : undefined;
}

const digestOf = (content: string): string => bytesToHex(sha256(utf8ToBytes(content)));

/** By shape alone: after a checkpoint documents are plain objects. */
function areDocuments(value: unknown): value is DocumentInterface[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each: unknown) => typeof (each as Partial<DocumentInterface> | null)?.pageContent === 'string',
    )
  );
}
