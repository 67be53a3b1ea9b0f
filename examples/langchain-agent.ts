/**
 * An agent of LangChain with a search tool answers six questions, with and without shaping.
 *
 * Look at the tokens of the requests: they grow with every turn without shaping, and stay under 1,200 with it.
 *
 *     npm install context-shaping context-shaping-agents @langchain/core @langchain/langgraph @langchain/ollama langchain
 *
 * Runs offline with a scripted model. With `--ollama` it asks `llama3.2` on your machine, or at `OLLAMA_HOST`.
 */
import { Document } from '@langchain/core/documents';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { FakeRetriever } from '@langchain/core/utils/testing';
import { MemorySaver } from '@langchain/langgraph';
import { ChatOllama } from '@langchain/ollama';
import { estimateTokens } from 'context-shaping';
import { createShapedRetrieverTool } from 'context-shaping/langchain';
import { contextShapingMiddleware } from 'context-shaping-agents/langchain';
import { createAgent } from 'langchain';

const PLACES = [
  'Harbour Bridge',
  'Old Lighthouse',
  'Ferry Terminal',
  'City Museum',
  'Botanic Garden',
  'Fish Market',
];
const documents = PLACES.flatMap((place, at) => [
  `The ${place} is open from ${at + 6} to ${at + 17} o’clock, every day except the first Monday of the month.`,
  `The ${place} was opened on ${at + 3} May ${1932 + at * 7}, after ${at + 2} years of work and two strikes.`,
  `Tickets of the ${place} are ${at + 4} dollars for adults; children under ${at + 5} and dogs are free.`,
  `How to get there: bus ${at + 301} stops in front of the ${place} every ${at + 9} minutes, on Sundays half as often.`,
  `The ${place} was painted by a crew of ${at * 11 + 40}, with ${at * 3 + 20} thousand litres of paint, twice.`,
]).map((pageContent, at) => new Document({ pageContent, id: `p${at}` }));

const search = createShapedRetrieverTool({
  // Stands for your retriever: it finds the whole guide for every question.
  retriever: new FakeRetriever({ output: documents }),
  compressor: { ranked: false },
  name: 'search',
  description: 'Searches the guide to the sights of the city.',
});

/** Searches for each question, then answers with the line of the result that shares most words with it. */
class ScriptedModel extends BaseChatModel {
  override _llmType() {
    return 'scripted';
  }
  override bindTools() {
    return this;
  }
  override async _generate(messages: BaseMessage[]) {
    const last = messages.at(-1) as BaseMessage;
    const call = { id: `call-${messages.length}`, name: 'search', args: { query: last.text } };
    const message =
      last.getType() === 'human'
        ? new AIMessage({ content: '', tool_calls: [call] })
        : new AIMessage(
            bestLine(last.text, messages.findLast((each) => each.getType() === 'human')?.text ?? ''),
          );
    return { generations: [{ text: message.text, message }] };
  }
}

function bestLine(found: string, question: string): string {
  const words = question.replace('?', '').split(' ');
  const count = (line: string) => words.filter((word) => line.includes(word)).length;
  return found.split('\n').sort((a, b) => count(b) - count(a))[0] ?? 'I do not know.';
}

/** Asks all questions in one thread. */
async function run(shaping: ReturnType<typeof contextShapingMiddleware>[]) {
  const tokens: number[] = [];
  const answers: string[] = [];
  const counting = {
    handleChatModelStart: (_: unknown, [messages = []]: BaseMessage[][]) =>
      void tokens.push(messages.reduce((sum, { text }) => sum + estimateTokens(text), 0)),
  };
  const agent = createAgent({
    model: process.argv.includes('--ollama')
      ? new ChatOllama({
          model: 'llama3.2',
          temperature: 0,
          baseUrl: process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434',
        })
      : new ScriptedModel({}),
    tools: [search],
    middleware: shaping,
    checkpointer: new MemorySaver(),
  });
  for (const place of PLACES) {
    const messages = [new HumanMessage(`When was the ${place} opened?`)];
    const end = await agent.invoke(
      { messages },
      { configurable: { thread_id: 'sights' }, callbacks: [counting] },
    );
    answers.push(end.messages.at(-1)?.text ?? '');
  }
  return { tokens, answers };
}

const without = await run([]);
const shaped = await run([
  contextShapingMiddleware({ maxTokens: 1200, maxToolTokens: 300, handleKey: 'a secret of the application' }),
]);
console.table({ 'tokens without': without.tokens, 'tokens with': shaped.tokens });
for (const answer of shaped.answers) console.log(answer);
