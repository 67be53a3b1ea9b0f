/** Functions in JavaScript that fail inside of a library. Those whose library is not installed are left out. */
import type { Failure } from './programs.js';

const fails = (name: string, before: string, body: string, message: string): Failure => ({
  name,
  before,
  body,
  message,
});

export const NODE_FAILURES: readonly Failure[] = [
  fails('settings', '', `return JSON.parse('{"port": 80');`, 'SyntaxError: Expected'),
  fails(
    'checked',
    "import { Ajv } from 'ajv';",
    "return new Ajv().compile({ type: 'wrong' });",
    'Error: schema is invalid',
  ),
  fails(
    'parsed',
    "import * as z from 'zod';\nconst priceOf = (count) => count.price.amount;",
    'return z.object({ count: z.number().transform(priceOf) }).parse({ count: 2 });',
    'TypeError: Cannot read properties of undefined',
  ),
  fails(
    'letter',
    "import Handlebars from 'handlebars';\nHandlebars.registerHelper('total', (order) => order.lines.length);",
    "return Handlebars.compile('{{#if a}}{{total b}}{{/if}}')({ a: 1, b: {} });",
    'TypeError: Cannot read properties of undefined',
  ),
  fails(
    'due',
    "import { DateTime, Settings } from 'luxon';\nSettings.throwOnInvalid = true;",
    "return DateTime.fromISO('2026-13-01').plus({ days: 1 });",
    'Error: Invalid DateTime',
  ),
  fails(
    'recipe',
    "import * as yaml from 'js-yaml';",
    "return yaml.load('steps: [mix, bake');",
    'YAMLException: ',
  ),
  fails(
    'config',
    "import { parse } from 'smol-toml';",
    "return parse('port = eighty');",
    'TomlError: Invalid TOML',
  ),
  fails('address', '', "return new URL('no address');", 'TypeError: Invalid URL'),
  fails(
    'file',
    "import { readFileSync } from 'node:fs';",
    "return readFileSync('/missing/orders.json', 'utf8');",
    "Error: ENOENT: no such file or directory, open '/missing/orders.json'",
  ),
  fails(
    'equal',
    "import assert from 'node:assert/strict';",
    'return assert.deepEqual({ id: 1, lines: [] }, { id: 2, lines: [] });',
    'AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal',
  ),
  fails(
    'tool',
    "import { execFileSync } from 'node:child_process';",
    "return execFileSync('missing-program', ['--all']);",
    'Error: spawnSync missing-program ENOENT',
  ),
  fails(
    'digest',
    "import { createHash } from 'node:crypto';",
    "return createHash('missing');",
    'Error: Digest method not supported',
  ),
  fails(
    'archive',
    "import { gunzipSync } from 'node:zlib';",
    "return gunzipSync(Buffer.from('no archive'));",
    'Error: incorrect header check',
  ),
  fails(
    'script',
    "import vm from 'node:vm';",
    "return vm.runInThisContext('(function total(order) { return order.lines.length; })')({});",
    'TypeError: Cannot read properties of undefined',
  ),
  fails(
    'style',
    "import postcss from 'postcss';",
    "return postcss.parse('a { color: red; b');",
    'CssSyntaxError: ',
  ),
  fails(
    'page',
    "import lodash from 'lodash';",
    "return lodash.template('<p><%= order.total %></p>')({});",
    'ReferenceError: order is not defined',
  ),
  fails(
    'mail',
    "import Mustache from 'mustache';",
    "return Mustache.render('{{#orders}} {{total}}', {});",
    'Error: Unclosed section "orders"',
  ),
  fails(
    'command',
    "import { Command } from 'commander';\nconst send = (count) => {\n  throw new RangeError(count + ' is too much');\n};",
    "return new Command().argument('<count>').action((count) => send(count)).parse(['7'], { from: 'user' });",
    'RangeError: 7 is too much',
  ),
  fails(
    'version',
    "import semver from 'semver';",
    "return semver.compare('1.0.0', 'one');",
    'TypeError: Invalid Version: one',
  ),
  fails(
    'feed',
    "import sax from 'sax';",
    "return sax.parser(true).write('<a><b></a>').close();",
    'Error: Unexpected close tag',
  ),
  fails(
    'token',
    "import { jwtVerify } from 'jose';",
    "return jwtVerify('token', new Uint8Array(32));",
    'JWSInvalid: Invalid Compact JWS',
  ),
  fails(
    'stored',
    "import Database from 'better-sqlite3';\nconst database = new Database(':memory:');\nconst priceOf = database.transaction((order) => database.prepare('select price from orders where id = ?').get(order));",
    'return priceOf(order);',
    'SqliteError: no such table: orders',
  ),
  fails(
    'plugin',
    '',
    "return import('missing-plugin');",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'missing-plugin'",
  ),
  fails('remote', '', "return fetch('http://127.0.0.1:9/orders');", 'TypeError: fetch failed'),
  fails(
    'buffer',
    '',
    'return Buffer.alloc(-order);',
    'RangeError [ERR_OUT_OF_RANGE]: The value of "size" is out of range',
  ),
  fails(
    'property',
    "import fc from 'fast-check';",
    'return fc.assert(fc.property(fc.integer(), function isSmall(number) {\n  if (number > 100) throw new RangeError("too large");\n}), { seed: 1 });',
    'Error: Property failed after',
  ),
  fails(
    'magic',
    "import MagicString from 'magic-string';",
    "return new MagicString('abc').overwrite(5, 9, 'x');",
    'Error: ',
  ),
  fails(
    'sorted',
    "import lodash from 'lodash';",
    'return lodash.sortBy([{ id: 1 }, { id: 2 }], function price({ id, lines }) {\n  return id > 1 ? lines[0].price : 0;\n});',
    'TypeError: Cannot read properties of undefined',
  ),
  fails(
    'route',
    "import { fastify } from 'fastify';\nconst app = fastify();",
    "app.get('/orders', () => 1);\napp.get('/orders', () => 2);\nreturn app.ready();",
    "FastifyError: Method 'GET' already declared for route '/orders'",
  ),
  fails(
    'compiled',
    "import ts from 'typescript';\nconst visit = (node) => {\n  if (ts.isNumericLiteral(node)) throw new SyntaxError('no numbers: ' + node.getText());\n  return ts.forEachChild(node, visit);\n};",
    "return visit(ts.createSourceFile('a.ts', 'const a = { b: [1] };', 9, true));",
    'SyntaxError: no numbers: 1',
  ),
  fails('clone', '', 'return structuredClone({ order, total: () => order });', 'DataCloneError: '),
  fails(
    'diagram',
    "import * as vega from 'vega';",
    "return vega.parse({ marks: [{ type: 'rect', encode: { update: { x: { signal: 'width +' } } } }] });",
    'Error: ',
  ),
];
