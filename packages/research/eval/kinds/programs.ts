/** Programs that fail inside of a library, called back by one, or with a cause. */

interface Program {
  name: string;
  source: string;
  /** What its trace says went wrong. */
  messages: readonly string[];
}

const python = (name: string, source: string, ...messages: string[]): Program => ({
  name: `app_${name}.py`,
  source,
  messages,
});
const node = (name: string, source: string, ...messages: string[]): Program => ({
  name: `app${name}.mjs`,
  source,
  messages,
});

export const PROGRAMS: readonly Program[] = [
  python(
    'settings',
    `import json
class Settings:
    def read(self, text):
        try:
            return json.loads(text)
        except ValueError as error:
            raise RuntimeError('could not read the settings') from error
def start():
    return Settings().read('{"port": 80')
start()
`,
    'json.decoder.JSONDecodeError: Expecting',
    'RuntimeError: could not read the settings',
  ),
  python(
    'tests',
    `import unittest
def price(order):
    return order['price'] * order['count']
class Prices(unittest.TestCase):
    def test_order(self):
        self.assertEqual(price({'price': 3, 'count': 2}), 7)
    def test_missing(self):
        price({'price': 3})
unittest.main()
`,
    'AssertionError: 6 != 7',
    "KeyError: 'count'",
  ),
  python(
    'tasks',
    `import asyncio
async def fetch(number):
    await asyncio.sleep(0)
    return 10 / number
async def gather():
    return await asyncio.gather(fetch(1), fetch(0))
def main():
    asyncio.run(gather())
main()
`,
    'ZeroDivisionError: division by zero',
  ),
  python(
    'pool',
    `from concurrent.futures import ThreadPoolExecutor
import re
def replace(match):
    return {'a': 'b'}[match.group(0)]
def clean(text):
    return re.sub('[a-z]', replace, text)
def main():
    with ThreadPoolExecutor() as pool:
        list(pool.map(clean, ['a', 'z']))
main()
`,
    "KeyError: 'z'",
  ),
  python(
    'files',
    `import shutil, tempfile, os
def copy(folder):
    shutil.copytree(os.path.join(folder, 'missing'), os.path.join(folder, 'copy'))
def main():
    with tempfile.TemporaryDirectory() as folder:
        copy(folder)
main()
`,
    'FileNotFoundError: [Errno 2] No such file or directory',
  ),
  python(
    'recursion',
    `import copy
class Node:
    def __deepcopy__(self, memo):
        return self.clone(memo)
    def clone(self, memo):
        if len(memo) > 12:
            raise OverflowError('too deep')
        memo[len(memo)] = self
        return copy.deepcopy([Node()], memo)
copy.deepcopy(Node())
`,
    'OverflowError: too deep',
  ),
  node(
    'Options',
    `function parse(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error('The options are no JSON.', { cause });
  }
}
class App {
  start() {
    return parse('{"port": 80');
  }
}
new App().start();
`,
    'Error: The options are no JSON.',
    'SyntaxError: Expected',
  ),
  node(
    'Events',
    `import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
const events = new EventEmitter();
function handle(order) {
  return order.lines.length;
}
events.on('order', (order) => handle(order));
const source = Readable.from([{ id: 1 }]);
source.on('data', function receive(order) {
  events.emit('order', order);
});
`,
    'TypeError: Cannot read properties of undefined',
  ),
  node(
    'Asserts',
    `import assert from 'node:assert/strict';
import { pipeline, Transform } from 'node:stream';
function check(chunk) {
  assert.deepEqual(JSON.parse(chunk), { id: 2 });
}
const checking = new Transform({
  transform(chunk, _encoding, done) {
    check(chunk);
    done(null, chunk);
  },
});
pipeline(checking, process.stdout, () => {});
checking.end('{"id":1}');
`,
    'AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal',
  ),
  node(
    'Files',
    `import { readFileSync } from 'node:fs';
const read = (name) => readFileSync(name, 'utf8');
function load(names) {
  return names.map(function each(name) {
    return read(name);
  });
}
load(['/missing/settings.json']);
`,
    "Error: ENOENT: no such file or directory, open '/missing/settings.json'",
  ),
];
