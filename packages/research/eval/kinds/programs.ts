/**
 * Programs that fail inside of a library, or in what a library calls. Each of the failures is reached in several ways,
 * by which programs call libraries, and libraries call programs.
 */
import { NODE_FAILURES } from './node-failures.js';
import { PYTHON_FAILURES } from './python-failures.js';

/** A function whose last statement fails. */
export interface Failure {
  name: string;
  /** Imports, and what the function uses. */
  before: string;
  /** The body of the function, without indentation. */
  body: string;
  /** The beginning of what the trace says went wrong. */
  message: string;
}

export interface Program {
  /** The same for all programs with one failure. */
  failure: string;
  name: string;
  source: string;
  messages: readonly string[];
}

/** A program around a function. */
type Way = (name: string) => { source: string; message?: string };

const PYTHON_WAYS: readonly Way[] = [
  (name) => ({
    source: `
class Orders:
    def handle(self, orders):
        return [self.handle_one(order) for order in orders]
    def handle_one(self, order):
        return ${name}(order)
def main():
    Orders().handle([1, 2])
main()
`,
  }),
  (name) => ({
    source: `
from concurrent.futures import ThreadPoolExecutor
def handle(order):
    return ${name}(order)
def main():
    with ThreadPoolExecutor() as pool:
        return list(pool.map(handle, [1]))
main()
`,
  }),
  (name) => ({
    source: `
def handle(order):
    try:
        return ${name}(order)
    except Exception as error:
        raise RuntimeError('the order was not handled') from error
def main():
    for order in [1, 2]:
        handle(order)
if __name__ == '__main__':
    main()
`,
    message: 'RuntimeError: the order was not handled',
  }),
  (name) => ({
    source: `
import asyncio
async def handle(order):
    await asyncio.sleep(0)
    return ${name}(order)
async def handle_all():
    return await asyncio.gather(handle(1))
asyncio.run(handle_all())
`,
  }),
  (name) => ({
    source: `
import contextlib, functools
@contextlib.contextmanager
def opened(order):
    yield order
def logged(function):
    @functools.wraps(function)
    def call(*given):
        with opened(given):
            return function(*given)
    return call
@logged
def handle(order):
    return ${name}(order)
handle(1)
`,
  }),
];

const NODE_WAYS: readonly Way[] = [
  (name) => ({
    source: `
class Orders {
  handle(orders) {
    return orders.map((order) => this.handleOne(order));
  }
  async handleOne(order) {
    return await ${name}(order);
  }
}
async function main() {
  await Promise.all(new Orders().handle([1]));
}
await main();
`,
  }),
  (name) => ({
    source: `
import { EventEmitter } from 'node:events';
const orders = new EventEmitter({ captureRejections: false });
orders.on('order', async function receive(order) {
  await ${name}(order);
});
function start() {
  orders.emit('order', 1);
}
setTimeout(start, 1);
`,
  }),
  (name) => ({
    source: `
async function handle(order) {
  try {
    return await ${name}(order);
  } catch (cause) {
    throw new Error('the order was not handled', { cause });
  }
}
async function main() {
  for (const order of [1, 2]) await handle(order);
}
await main();
`,
    message: 'Error: the order was not handled',
  }),
  (name) => ({
    source: `
import { pipeline } from 'node:stream/promises';
async function* read() {
  yield 1;
}
async function* handle(orders) {
  for await (const order of orders) yield await ${name}(order);
}
await pipeline(read, handle, async (handled) => {
  for await (const order of handled) console.log(order);
});
`,
  }),
  (name) => ({
    source: `
import lodash from 'lodash';
const handle = (orders) => Promise.all(lodash.map(orders, async function handleOne(order) {
  return ${name}(order);
}));
const retried = async (orders) => {
  for (let times = 0; ; times++) {
    try {
      return await handle(orders);
    } catch (error) {
      if (times > 1) throw error;
    }
  }
};
retried([1]);
`,
  }),
];

/** Each failure is reached in so many ways. */
const WAYS = 2;

const indented = (text: string, by: string) => text.replace(/^(?=.)/gm, by);

const programsOf = (
  failures: readonly Failure[],
  ways: readonly Way[],
  write: (failure: Failure, rest: string) => Pick<Program, 'name' | 'source'>,
): Program[] =>
  failures.flatMap((failure, at) =>
    Array.from({ length: WAYS }, (_, nth): Program => {
      const way = (ways[(at + 2 * nth) % ways.length] as Way)(`${failure.name}Of`);
      const { name, source } = write(failure, way.source);
      return {
        failure: failure.name,
        name: name.replace('#', String(nth)),
        source,
        messages: [failure.message, ...(way.message === undefined ? [] : [way.message])],
      };
    }),
  );

export const PROGRAMS: readonly Program[] = [
  ...programsOf(PYTHON_FAILURES, PYTHON_WAYS, ({ name, before, body }, rest) => ({
    name: `app_${name}#.py`,
    source: `${before}\ndef ${name}Of(order):\n${indented(body, '    ')}\n${rest.trimStart()}`,
  })),
  ...programsOf(NODE_FAILURES, NODE_WAYS, ({ name, before, body }, rest) => ({
    name: `app_${name}#.mjs`,
    source: `${before}\nasync function ${name}Of(order) {\n${indented(body, '  ')}\n}\n${rest.trimStart()}`,
  })),
];
