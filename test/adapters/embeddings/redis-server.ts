/** A stand-in for Redis: the protocol (RESP 2), and the few commands that a store of bytes uses. Nothing expires. */
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface RedisServer {
  address: string;
  close(): Promise<void>;
}

export async function redisServer(): Promise<RedisServer> {
  const values = new Map<string, Buffer>();
  const bulk = (value: Buffer | undefined) =>
    value === undefined
      ? Buffer.from('$-1\r\n')
      : Buffer.concat([Buffer.from(`$${value.length}\r\n`), value, Buffer.from('\r\n')]);
  const COMMANDS: Record<string, (parts: Buffer[]) => Buffer | string> = {
    SET: ([key, value]) => {
      values.set(String(key), value as Buffer);
      return '+OK\r\n';
    },
    GET: ([key]) => bulk(values.get(String(key))),
    MGET: (keys) =>
      Buffer.concat([
        Buffer.from(`*${keys.length}\r\n`),
        ...keys.map((key) => bulk(values.get(String(key)))),
      ]),
    INFO: () => bulk(Buffer.from('redis_version:7.0.0\r\nloading:0\r\n')),
    CLIENT: () => '+OK\r\n',
    QUIT: () => '+OK\r\n',
  };
  const answer = ([name, ...parts]: Buffer[]) =>
    COMMANDS[String(name).toUpperCase()]?.(parts) ?? `-ERR unknown command '${name}'\r\n`;

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let bytes: Buffer = Buffer.alloc(0);
    socket.on('data', (more) => {
      bytes = Buffer.concat([bytes, more]);
      for (let read = request(bytes); read !== undefined; read = request(bytes)) {
        bytes = bytes.subarray(read.length);
        socket.write(answer(read.parts));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The first request, an array of byte strings, and its length in bytes; undefined, unless all of it has arrived. */
function request(bytes: Buffer): { parts: Buffer[]; length: number } | undefined {
  let at = 0;
  const number = () => {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const value = Number(bytes.toString('latin1', at + 1, end));
    at = end + 2;
    return value;
  };
  const count = number();
  if (count === undefined) return undefined;
  const parts: Buffer[] = [];
  for (let part = 0; part < count; part++) {
    const length = number();
    if (length === undefined || at + length + 2 > bytes.length) return undefined;
    parts.push(bytes.subarray(at, at + length));
    at += length + 2;
  }
  return { parts, length: at };
}
