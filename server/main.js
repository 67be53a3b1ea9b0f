#!/usr/bin/env node
// The command `context-shaping serve`, with the arguments of this one.
import { readFileSync } from 'node:fs';

const manifest = import.meta.resolve('context-shaping/package.json');
const { bin } = JSON.parse(readFileSync(new URL(manifest), 'utf8'));
process.argv.splice(2, 0, 'serve');
await import(new URL(bin['context-shaping'], manifest).href);
