/** Builds dist/esm and dist/cjs from one source, each with its own declarations. */
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
for (const project of ['tsconfig.build.json', 'tsconfig.build-cjs.json']) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], { stdio: 'inherit' });
}
// The nearest package.json decides how Node reads a .js file.
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs", "sideEffects": false }\n');
chmodSync('dist/esm/adapters/cli/main.js', 0o755);
