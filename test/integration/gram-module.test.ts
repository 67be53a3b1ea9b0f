import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gramModule, hasCompiler } from '../../scripts/gram-module.js';
import { mustHaveAll } from '../must-have-all.js';

test.skipIf(!hasCompiler() && !mustHaveAll)(
  'the WebAssembly module is the one that its source compiles to',
  () => expect(readFileSync('src/math/gram/simd-module.ts', 'utf8')).toBe(gramModule()),
);
