/**
 * A sample of every block that the types of hosts and providers have. A type that is new in one of their packages, or that is
 * gone from it, fails the compilation of this file.
 */
import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { ContentBlock } from '@langchain/core/messages';
import type { ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { ContentBlock as McpBlock } from '@modelcontextprotocol/client';
import type { AgentInputItem, protocol } from '@openai/agents-core';
import type * as ai7 from 'ai';
import type * as ai6 from 'ai-6';

/** Fields of the blocks of each type. Blocks that can hold a text hold the given one. */
type Samples<Block extends { type?: string | undefined }> = Record<
  NonNullable<Block['type']>,
  (text: string) => readonly Readonly<Record<string, unknown>>[]
>;

type Output<Part> = Part extends { type: 'content'; value: readonly (infer Item)[] } ? Item : never;
type Parts<Content> = Exclude<Content, string> extends readonly (infer Part)[] ? Part : never;
type Ai<Result, Message> = Output<Result> | Parts<Message>;

/** Longer than any identifier. */
const DATA = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'.repeat(8);
const URL = 'https://example.org/a';
const [PNG, PDF, WAV, MP4] = ['image/png', 'application/pdf', 'audio/wav', 'video/mp4'];
const texts = (text: string) => [{ text }];
const calls = (text: string) => [{ id: 'c', name: 'search', args: { query: text } }];
/** The forms of data of LangChain and of the AI SDK. */
const data = (mimeType: string) => [{ data: DATA, mimeType }, { url: URL }, { fileId: 'file-1' }];
const toolCall = (text: string) => [{ toolCallId: 'c', toolName: 'search', input: { query: text } }];
const toolResult = (text: string) => [
  { toolCallId: 'c', toolName: 'search', output: { type: 'text', value: text } },
];

const mcp: Samples<McpBlock> = {
  text: texts,
  image: () => [{ data: DATA, mimeType: PNG }],
  audio: () => [{ data: DATA, mimeType: WAV }],
  resource: (text) => [
    { resource: { uri: 'file:///a', mimeType: 'text/plain', text } },
    { resource: { uri: 'file:///a', mimeType: PDF, blob: DATA } },
  ],
  resource_link: (text) => [{ uri: 'file:///a', name: 'a', description: text }],
};

const langchain: Samples<ContentBlock.Standard> = {
  text: texts,
  refusal: (refusal) => [{ refusal }],
  reasoning: (reasoning) => [{ reasoning }],
  image: () => data(PNG),
  audio: () => data(WAV),
  video: () => data(MP4),
  file: () => data(PDF),
  'text-plain': (text) => [{ text, mimeType: 'text/plain', title: 'Pumps' }, ...data('text/plain')],
  tool_call: calls,
  tool_call_chunk: (args) => [{ name: 'search', args }],
  invalid_tool_call: (args) => [{ name: 'search', args, error: 'no JSON' }],
  server_tool_call: calls,
  server_tool_call_chunk: (args) => [{ name: 'search', args }],
  server_tool_call_result: (text) => [{ toolCallId: 'c', status: 'success', output: { text } }],
  non_standard: (text) => [{ value: { any: text } }],
};

const answer = (content: unknown) => [{ tool_use_id: 'c', content }];
const ran = (type: string) => (stdout: string) =>
  answer({ type, content: [], return_code: 0, stderr: '', stdout });

const anthropic: Samples<ContentBlockParam> = {
  text: texts,
  image: () => [
    { source: { type: 'base64', media_type: PNG, data: DATA } },
    { source: { type: 'url', url: URL } },
  ],
  document: (data) => [
    { title: 'Pumps', source: { type: 'text', media_type: 'text/plain', data } },
    { context: 'A manual.', source: { type: 'content', content: data } },
    { source: { type: 'content', content: [{ type: 'text', text: data }] } },
    { source: { type: 'base64', media_type: PDF, data: DATA } },
    { source: { type: 'url', url: URL } },
    { source: { type: 'file', file_id: 'file-1' } },
  ],
  search_result: (text) => [{ source: URL, title: 'Pumps', content: [{ type: 'text', text }] }],
  thinking: (thinking) => [{ thinking, signature: DATA }],
  redacted_thinking: () => [{ data: DATA }],
  tool_use: (query) => [{ id: 'c', name: 'search', input: { query } }],
  tool_result: (text) => [
    { tool_use_id: 'c', content: text },
    { tool_use_id: 'c', content: [{ type: 'text', text }] },
  ],
  server_tool_use: (query) => [{ id: 'c', name: 'web_search', input: { query } }],
  web_search_tool_result: (title) =>
    answer([{ type: 'web_search_result', title, url: URL, encrypted_content: DATA }]),
  web_fetch_tool_result: (data) =>
    answer({
      type: 'web_fetch_result',
      url: URL,
      content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data } },
    }),
  code_execution_tool_result: ran('code_execution_result'),
  bash_code_execution_tool_result: ran('bash_code_execution_result'),
  text_editor_code_execution_tool_result: (content) =>
    answer({ type: 'text_editor_code_execution_view_result', file_type: 'text', content }),
  tool_search_tool_result: (name) =>
    answer({
      type: 'tool_search_tool_search_result',
      tool_references: [{ type: 'tool_reference', tool_name: name }],
    }),
  container_upload: () => [{ file_id: 'file-1' }],
};

const ai6Parts: Samples<Ai<ai6.ToolResultPart['output'], ai6.ModelMessage['content']>> = {
  text: texts,
  reasoning: texts,
  image: () => [{ image: DATA, mediaType: PNG }],
  file: () => [{ data: DATA, mediaType: PDF, filename: 'a.pdf' }],
  media: () => [{ data: DATA, mediaType: PNG }],
  'file-data': () => [{ data: DATA, mediaType: PDF }],
  'file-id': () => [{ fileId: 'file-1' }],
  'file-url': () => [{ url: URL }],
  'image-data': () => [{ data: DATA, mediaType: PNG }],
  'image-file-id': () => [{ fileId: 'file-1' }],
  'image-url': () => [{ url: URL }],
  custom: () => [{ providerOptions: { provider: { a: 1 } } }],
  'tool-call': toolCall,
  'tool-result': toolResult,
  'tool-approval-request': () => [{ approvalId: 'a', toolCallId: 'c' }],
  'tool-approval-response': (reason) => [{ approvalId: 'a', approved: false, reason }],
};

const ai7Parts: Samples<Ai<ai7.ToolResultPart['output'], ai7.ModelMessage['content']>> = {
  ...ai6Parts,
  file: (text) => [
    { mediaType: 'text/plain', filename: 'a.txt', data: { type: 'text', text } },
    { mediaType: PNG, data: { type: 'data', data: DATA } },
    { mediaType: PDF, data: { type: 'url', url: URL } },
    { mediaType: PDF, data: { type: 'reference', reference: { openai: 'file-1' } } },
  ],
  'file-reference': () => [{ providerReference: { openai: 'file-1' } }],
  'image-file-reference': () => [{ providerReference: { openai: 'file-1' } }],
  'reasoning-file': () => [{ mediaType: PNG, data: { type: 'data', data: DATA } }],
};

/** The prompt that a processor of Mastra gets. */
const mastra: Samples<Parts<ProcessLLMRequestArgs['prompt'][number]['content']>> = {
  text: texts,
  reasoning: texts,
  file: ai6Parts.file,
  'tool-call': toolCall,
  'tool-result': toolResult,
};

type OpenAiContent =
  | protocol.ToolCallOutputContent
  | protocol.ToolCallStructuredOutput
  | protocol.UserContent
  | protocol.AssistantContent;

const openai: Samples<OpenAiContent | Exclude<AgentInputItem, { role: string }>> = {
  text: texts,
  input_text: texts,
  output_text: texts,
  refusal: (refusal) => [{ refusal }],
  image: () => [{ image: `data:image/png;base64,${DATA}` }, { image: { fileId: 'file-1' } }],
  input_image: () => [{ image: URL }, { image: { id: 'file-1' } }],
  file: () => [{ file: { data: DATA, mediaType: PDF, filename: 'a.pdf' } }, { file: { id: 'file-1' } }],
  input_file: () => [{ file: { url: URL }, filename: 'a.pdf' }],
  audio: (transcript) => [{ audio: DATA, transcript }],
  reasoning: (text) => [
    {
      content: [],
      rawContent: [{ type: 'reasoning_text', text }],
      providerData: { encrypted_content: DATA },
    },
    { content: [] },
  ],
  compaction: () => [{ encrypted_content: DATA }],
  hosted_tool_call: (output) => [
    { name: 'file_search_call', status: 'completed', output },
    { name: 'mcp_call', status: 'completed', providerData: { output } },
  ],
  function_call: (query) => [{ callId: 'c', name: 'search', arguments: JSON.stringify({ query }) }],
  function_call_result: (text) => [{ callId: 'no call', name: 'search', output: { type: 'text', text } }],
  tool_search_call: (query) => [{ callId: 'c', arguments: { query } }],
  tool_search_output: (description) => [{ callId: 'c', tools: [{ name: 'search', description }] }],
  program: (code) => [{ callId: 'c', code, fingerprint: DATA }],
  program_output: (output) => [{ callId: 'c', output, status: 'completed' }],
  computer_call: (text) => [{ callId: 'c', action: { type: 'type', text } }],
  computer_call_result: () => [{ callId: 'c', output: { type: 'computer_screenshot', data: DATA } }],
  shell_call: (command) => [{ callId: 'c', action: { commands: [command] } }],
  shell_call_output: (stdout) => [
    { callId: 'c', output: [{ stdout, stderr: '', outcome: { type: 'exit', exitCode: 0 } }] },
  ],
  apply_patch_call: (diff) => [{ callId: 'c', operation: { type: 'create_file', path: 'a', diff } }],
  apply_patch_call_output: (output) => [{ callId: 'c', output }],
  unknown: (text) => [{ providerData: { type: 'new_thing', text } }],
};

export interface BlockOf {
  type: string;
  block: Readonly<Record<string, unknown>>;
  /** The hosts and providers that have a block of this type. */
  of: readonly string[];
}

const ALL = {
  MCP: mcp,
  LangChain: langchain,
  'LangChain with Anthropic': anthropic,
  'AI SDK 6': ai6Parts,
  'AI SDK 7': ai7Parts,
  Mastra: mastra,
  'OpenAI Agents': openai,
};

/** All samples with this text. Equal ones are there once. */
export function blocksWith(text: string): BlockOf[] {
  const found = new Map<string, BlockOf>();
  for (const [host, samples] of Object.entries(ALL))
    for (const [type, make] of Object.entries(samples))
      for (const fields of make(text)) {
        const block = { type, ...fields };
        const key = JSON.stringify(block);
        found.set(key, { type, block, of: [...(found.get(key)?.of ?? []), host] });
      }
  return [...found.values()];
}
