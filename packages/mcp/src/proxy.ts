/** A proxy between a client and a server of MCP, at the level of messages. Unchanged messages pass as they are. */

import { isObject, type JsonObject, messageOf, within } from 'context-shaping/kit';
import { RECALL_TOOL } from 'context-shaping-agents';
import { toolTest } from 'context-shaping-agents/tool-calls';
import { engineOf } from './engine.js';
import {
  answer,
  type Id,
  isId,
  lineOf,
  Malformed,
  type McpTransport,
  type Request,
  refusal,
  requestOf,
} from './json-rpc.js';
import { type McpProxyOptions, resolveOptions } from './options.js';
import { recallOf, recallTool } from './recall.js';
import type { Host, ToolCall } from './result-shaper.js';
import { Tools } from './tools.js';
import { startWorkers } from './workers.js';

/** A request of the client without an answer. */
interface Pending extends Request {
  abort: AbortController;
}

/** The methods whose answers are read. */
const READ = new Set(['initialize', 'tools/list', 'tools/call', 'tasks/result']);

/** UTF-16 code units of a message that this thread reads and counts at once. */
const MOST_HERE = 2 ** 15;

/** The most pages of a list of tools. A server that has more has no end. */
const MOST_PAGES = 1000;

/**
 * Claude Code puts results of more than 50,000 characters into a file and shows their first lines, unless their tool names
 * a larger size, up to this one.
 */
const SIZE = 'anthropic/maxResultSizeChars';
const MOST_SIZE = 500_000;
/** Characters of a token on average, at most, in texts that are not random. */
const CHARACTERS = 8;

/**
 * Connects a client with a server, and shapes the results of tools between them. Starts both transports.
 *
 * @param client carries the messages of the client, such as `StdioServerTransport` of the SDK.
 * @param server carries the messages of the server, such as `StreamableHTTPClientTransport` of the SDK.
 * @returns which of them closed first, when both have.
 * @throws ContextShapingError `invalid-options`.
 */
export async function proxyMcp(
  client: McpTransport,
  server: McpTransport,
  options: McpProxyOptions = {},
): Promise<'client' | 'server'> {
  const { onCall, onError, store, workers: most, timeoutMs, ...settings } = resolveOptions(options);
  /** A part of the work on one result: the list of tools, the store, an observer. */
  const inPart = <T>(signal: AbortSignal | undefined, work: (stop: AbortSignal) => PromiseLike<T>) =>
    within(timeoutMs / 2, signal, work);
  const report = (error: unknown): void => void (async () => onError?.(error))().catch(() => {});
  const here = await engineOf(settings);
  const workers = startWorkers(settings, most);
  const elsewhere = workers ?? here;
  // A token has at least one code unit, so no shorter result exceeds the budget.
  const isLong = (line: string) => line.length > Math.min(settings.maxTokens, MOST_HERE);
  const isShaped = toolTest(settings.shaping);
  const size = Math.min(MOST_SIZE, CHARACTERS * Math.max(settings.maxTokens, settings.readTokens));
  const tools = new Tools();
  const pending = new Map<Id, Pending>();
  /** The calls of tasks, whose results come later. */
  const tasks = new Map<unknown, ToolCall>();
  const own = new Map<Id, (result: JsonObject | undefined) => void>();
  /** The beginning of the ids of our own requests. An answer that comes too late is ours, too. */
  const mark = `context-shaping-${crypto.randomUUID()}-`;
  let asked = 0;
  /** The list of tools that the proxy asks for itself. One that failed is not asked for again until the client lists. */
  let listing: Promise<boolean> | undefined;
  const work = new Set<Promise<unknown>>();

  const toClient = (message: object) => client.send(message as never).catch(report);
  const toServer = async (message: object) => {
    try {
      if (message instanceof Malformed && server.setProtocolVersion !== undefined)
        await toClient(refusal(null, 'Parse error'));
      else await server.send(message as never);
    } catch (error) {
      report(error);
      for (const each of [message].flat()) {
        const { id } = (isObject(each) && requestOf(each)) || {};
        if (id !== undefined && !own.has(id)) await toClient(refusal(id, messageOf(error)));
        if (id !== undefined) settle(id);
      }
    }
  };
  const background = (task: Promise<unknown>) => {
    const done = task.catch(report).finally(() => work.delete(done));
    work.add(done);
  };

  function settle(id: Id): Pending | undefined {
    const request = pending.get(id);
    pending.delete(id);
    own.get(id)?.(undefined);
    return request;
  }

  async function fromClient(message: object): Promise<void> {
    if (!Array.isArray(message)) {
      const now = forServer(message as JsonObject);
      return now === undefined ? undefined : handOver(now, isId((now as JsonObject).id));
    }
    const left = message.flatMap((each) => (isObject(each) ? (forServer(each) ?? []) : [each]));
    const isSame = left.length === message.length && left.every((each, at) => each === message[at]);
    if (left.length > 0) await handOver(isSame ? message : left, true);
  }

  /** Over HTTP, a request may be under way until its answer comes, for which later messages do not wait. */
  async function handOver(message: object, isAnswered: boolean): Promise<void> {
    const sent = toServer(message);
    if (server.setProtocolVersion === undefined) await sent;
    else if (!isAnswered) await within(timeoutMs, undefined, () => sent).catch(report);
  }

  /** Notes a message of the client, and returns it as the server gets it. Calls of our own tools are answered here. */
  function forServer(message: JsonObject): JsonObject | undefined {
    const request = message instanceof Malformed ? undefined : requestOf(message);
    if (message.method === 'notifications/cancelled' && isObject(message.params)) {
      const cancelled = pending.get(message.params.requestId as Id);
      cancelled?.abort.abort();
      return cancelled !== undefined && isOurs(cancelled) ? undefined : message;
    }
    if (request === undefined || !READ.has(request.method)) return message;
    const entry = { ...request, abort: new AbortController() };
    pending.set(request.id, entry);
    if (!isOurs(entry)) return message;
    background(answerOurs(entry));
    return undefined;
  }

  const isOurs = ({ method, params }: Request) =>
    method === 'tools/call' && params.name === RECALL_TOOL && !tools.isTaken;

  async function answerOurs({ id, params, abort: { signal } }: Pending): Promise<void> {
    const answered = async (stop: AbortSignal) =>
      elsewhere.recall(recallOf(params.arguments), hostOf(RECALL_TOOL, stop));
    const result = await within(timeoutMs, signal, answered, late).catch((error) => {
      if (!signal.aborted) report(error);
      return { isError: true, content: [{ type: 'text', text: messageOf(error) }] };
    });
    pending.delete(id);
    if (!signal.aborted) await toClient(answer(id, result));
  }

  async function fromServer(message: object): Promise<void> {
    if (message instanceof Malformed) return toClient(message);
    if (!Array.isArray(message)) {
      const changed = changeOf(message as JsonObject);
      if (changed === undefined) await toClient(message);
      else background(changed.then((now) => now && toClient(now)));
      return;
    }
    const changes = message.map((each) => (isObject(each) ? changeOf(each) : undefined));
    if (changes.every((each) => each === undefined)) return toClient(message);
    const all = Promise.all(message.map((each, at) => changes[at] ?? each));
    background(all.then((now) => toClient(now.filter((each) => each !== undefined))));
  }

  /** The message for the client in place of this one; resolves to undefined if there is none. Absent: this one. */
  function changeOf(message: JsonObject): Promise<object | undefined> | undefined {
    const { id, result } = message;
    if (!isId(id) || 'method' in message) return undefined;
    if (String(id).startsWith(mark)) {
      own.get(id)?.(isObject(result) ? result : undefined);
      return Promise.resolve(undefined);
    }
    const request = pending.get(id);
    if (request === undefined || !isObject(result)) {
      pending.delete(id);
      return undefined;
    }
    const { method, params, abort } = request;
    if (method === 'initialize' && typeof result.protocolVersion === 'string')
      server.setProtocolVersion?.(result.protocolVersion);
    if (method === 'tools/list') {
      const isFirst = params.cursor === undefined;
      if (isFirst) listing = undefined;
      const isLast = tools.note(result, isFirst);
      if (tools.isTaken) report(new Error(TAKEN));
      else if (Array.isArray(result.tools)) {
        pending.delete(id);
        return Promise.resolve(listed(message, result, isLast ? [recallTool] : []));
      }
    }
    const call =
      method === 'tools/call'
        ? { tool: String(params.name), args: params.arguments }
        : method === 'tasks/result'
          ? tasks.get(params.taskId)
          : undefined;
    if (isObject(result.task) && call !== undefined) tasks.set(result.task.taskId, call);
    const isShapeable = Array.isArray(result.content) && result.isError !== true;
    if (call === undefined || tools.isTaken || abort.signal.aborted || !isShapeable) {
      pending.delete(id);
      return undefined;
    }
    return shaped(message, call, request);
  }

  /** A page of the list of tools with our own; other fields, such as `ttlMs` and `cacheScope`, stay. */
  function listed(message: JsonObject, page: JsonObject, own: readonly JsonObject[]): object {
    const all = [...(page.tools as unknown[]), ...own];
    const tools = all.map((tool) => (isObject(tool) ? withSize(tool) : tool));
    return { ...message, result: { ...page, tools } };
  }

  /** Says how long results of a tool can be that is shaped, unless the server says it. */
  function withSize(tool: JsonObject): JsonObject {
    if (!isShaped(String(tool.name)) && tool !== recallTool) return tool;
    return { ...tool, _meta: { [SIZE]: size, ...(isObject(tool._meta) && tool._meta) } };
  }

  const late = () => new Error(`it takes more than ${timeoutMs / 1000} seconds`);

  const hostOf = (tool: string, signal: AbortSignal): Host => ({
    signal,
    schema: () => schemaOf(tool),
    get: (key) => inPart(signal, (stop) => store.get(key, { signal: stop })),
    onError: report,
  });

  async function shaped(message: JsonObject, call: ToolCall, { id, abort }: Pending) {
    const { signal } = abort;
    try {
      const line = lineOf(message);
      const engine = isLong(line) ? elsewhere : here;
      const shape = (stop: AbortSignal) => engine.shape(line, call, hostOf(call.tool, stop));
      const now = await within(timeoutMs, signal, shape, late);
      if (now === undefined) return message;
      const { entries } = now;
      if (entries.length > 0)
        await inPart(signal, (stop) => store.set(entries, { signal: stop })).catch(
          (error) => signal.aborted || report(error),
        );
      signal.throwIfAborted();
      await inPart(signal, async () => onCall?.({ request: id, ...now.report })).catch(
        (error) => signal.aborted || report(error),
      );
      return { ...message, result: now.result };
    } catch (error) {
      // The client does not wait for the answer of a cancelled call.
      if (signal.aborted) return undefined;
      report(new Error(`The result of ${call.tool} stays whole: ${messageOf(error)}`, { cause: error }));
      return message;
    } finally {
      pending.delete(id);
    }
  }

  /** The output schema of a tool. A client that never listed the tools does not keep the proxy from it. */
  async function schemaOf(name: string): Promise<JsonObject | undefined> {
    if (!tools.isComplete && !(await listTools()))
      throw new Error(`The server did not list its tools, so structured content of ${name} stays whole.`);
    return tools.outputSchema(name);
  }

  /** Asks the server for its tools. Resolves to false if their list has no end. */
  function listTools(): Promise<boolean> {
    listing ??= inPart(undefined, allPages).catch(() => false);
    return listing;
  }

  async function allPages(stop: AbortSignal): Promise<boolean> {
    const seen = new Set<unknown>();
    let cursor: unknown;
    while (!seen.has(cursor) && seen.size <= MOST_PAGES) {
      seen.add(cursor);
      const page = await ownRequest('tools/list', cursor === undefined ? undefined : { cursor }, stop);
      if (page === undefined) return false;
      if (tools.note(page, cursor === undefined)) return true;
      cursor = page.nextCursor;
    }
    return false;
  }

  /** Undefined: the server refuses it, or the time is up. */
  async function ownRequest(method: string, params: JsonObject | undefined, stop: AbortSignal) {
    stop.throwIfAborted();
    const id = `${mark}${++asked}`;
    return new Promise<JsonObject | undefined>((resolve) => {
      own.set(id, resolve);
      stop.onabort = () => {
        void toServer({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        resolve(undefined);
      };
      void toServer({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    }).finally(() => own.delete(id));
  }

  const closed = new Promise<'client' | 'server'>((resolve) => {
    client.onclose = () => {
      for (const { abort } of pending.values()) abort.abort();
      resolve('client');
    };
    server.onclose = () => {
      for (const done of own.values()) done(undefined);
      resolve('server');
    };
  });
  client.onmessage = fromClient as McpTransport['onmessage'];
  server.onmessage = fromServer as McpTransport['onmessage'];
  client.onerror = report;
  server.onerror = report;
  await server.start();
  await client.start();
  const first = await closed;
  // The server may still answer.
  await server.close();
  await Promise.all(work);
  await workers?.close();
  await client.close();
  return first;
}

const TAKEN = `The server has a tool named ${RECALL_TOOL} of its own, so its results stay whole.`;
