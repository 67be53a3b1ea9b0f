import { Document, type DocumentInterface } from '@langchain/core/documents';
import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { callerName } from './conversation.js';
import type { Settings } from './options.js';
import { passagesOf, withContent } from './passages.js';

type Block = Record<string, unknown>;

/** Sanitises the texts of a tool result and the documents that it shows. Returns the same message if nothing changes. */
export function cleanResult(message: ToolMessage, { clean }: Pick<Settings, 'clean'>): ToolMessage {
  const { content, artifact } = message;
  const cleaned =
    typeof content === 'string'
      ? clean(content)
      : (content as Block[]).map((block) => cleanBlock(block, clean));
  const isClean =
    typeof cleaned === 'string' ? cleaned === content : cleaned.every((block, at) => block === content[at]);
  if (isClean) return message;
  const shows = passagesOf(message)?.are === 'documents';
  return withContent(message, cleaned as ToolMessage['content'], {
    artifact: shows ? (artifact as DocumentInterface[]).map((each) => cleanDocument(each, clean)) : artifact,
  });
}

/** Sanitises all results of shaped tools. Returns the same array if nothing changes. */
export function cleanResults(messages: BaseMessage[], settings: Settings): BaseMessage[] {
  const cleaned = messages.map((message) =>
    ToolMessage.isInstance(message) && settings.isShaped(message.name ?? callerName(message, messages))
      ? cleanResult(message, settings)
      : message,
  );
  return cleaned.some((message, at) => message !== messages[at]) ? cleaned : messages;
}

function cleanBlock(block: Block, clean: Settings['clean']): Block {
  if (block?.type !== 'text' || typeof block.text !== 'string') return block;
  const text = clean(block.text);
  return text === block.text ? block : { ...block, text };
}

function cleanDocument(document: DocumentInterface, clean: Settings['clean']): DocumentInterface {
  const pageContent = clean(document.pageContent);
  return pageContent === document.pageContent ? document : new Document({ ...document, pageContent });
}
