/** Messages of JSON-RPC 2.0, as lines and as parts of a conversation. Their fields are unchecked: unknown ones pass. */
import { isObject, type JsonObject } from 'context-shaping/kit';

export type Id = string | number;

/** A transport of MCP, as in the SDK. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never) => unknown) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  /** A transport over HTTP sends the version in a header. */
  setProtocolVersion?: ((version: string) => void) | undefined;
}

/** A line that is no JSON object or array. It is passed on as it is. */
export class Malformed {
  constructor(readonly line: string) {}
}

/** The lines from which messages were read, so that unchanged messages are passed on byte for byte. */
const lines = new WeakMap<object, string>();

export function parseLine(line: string): JsonObject | unknown[] | Malformed {
  try {
    const message: unknown = JSON.parse(line);
    if (isObject(message) || Array.isArray(message)) {
      lines.set(message, line);
      return message;
    }
  } catch {}
  return new Malformed(line);
}

export const lineOf = (message: object): string =>
  message instanceof Malformed ? message.line : (lines.get(message) ?? JSON.stringify(message));

export const isId = (id: unknown): id is Id => typeof id === 'string' || typeof id === 'number';

export interface Request extends JsonObject {
  id: Id;
  method: string;
  params: JsonObject;
}

/** The message with its parameters, if it is a request. */
export const requestOf = ({ id, method, params, ...rest }: JsonObject): Request | undefined =>
  isId(id) && typeof method === 'string'
    ? { ...rest, id, method, params: isObject(params) ? params : {} }
    : undefined;

export const answer = (id: Id, result: unknown) => ({ jsonrpc: '2.0', id, result });

/** The code of an internal error. */
const INTERNAL = -32603;
const PARSE = -32700;

export const refusal = (id: Id | null, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: id === null ? PARSE : INTERNAL, message },
});
