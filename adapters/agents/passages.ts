/**
 * The shown and the left-out passages of a tool result. Left-out passages are stored in the message itself, under
 * `additional_kwargs.context_shaping`. There they live as long as the thread, survive restarts with its checkpoints, and
 * are not sent by chat models. `artifact` stays an array of documents for citations: those that are shown.
 */
import type { DocumentInterface } from '@langchain/core/documents';
import { ToolMessage } from '@langchain/core/messages';
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { blocksOf } from './blocks.js';

const FIELD = 'context_shaping';

/** Plain JSON. */
interface Held {
  /** SHA-256 of the content. If the content was changed, for instance to redact it, the stored passages are not shown again. */
  digest: string;
  isJson?: true;
  /** Shown blocks of a text; shown documents are in the artifact. */
  shown?: DocumentInterface[];
  /** Complete versions of cut passages, by index among the shown passages. */
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

/** Undefined if there is nothing to shape: an error, content that is not one text, or an empty text. */
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
  // The content of a tool may differ from the documents that it found.
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

/** All passages, complete: shown, cut and left out. */
export const wholePassages = ({
  shown,
  cut,
  leftOut,
}: Pick<Passages, 'shown' | 'cut' | 'leftOut'>): DocumentInterface[] => [
  ...shown.map((passage, place) => cut[place] ?? passage),
  ...leftOut,
];

/** The complete passages that are not shown in full. */
export const restOf = ({ cut, leftOut }: Passages): DocumentInterface[] => [
  ...Object.values(cut),
  ...leftOut,
];

/** Whether the result was shaped or recalled before. */
export const isShapedResult = (message: ToolMessage): boolean => heldBy(message) !== undefined;

/** A copy of the message with new content, and with its shown, cut and left-out passages. */
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

/** A copy of the message with new content and other changed fields. */
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

/** Checks the structure only, because documents are plain objects after a checkpoint. */
function areDocuments(value: unknown): value is DocumentInterface[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each: unknown) => typeof (each as Partial<DocumentInterface> | null)?.pageContent === 'string',
    )
  );
}
