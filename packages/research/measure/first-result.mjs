/**
 * The way of a newcomer: from an empty folder to the first shaped result, for each section of the README that has code.
 * It packs this package, and in a new folder runs the section's commands and its program, as they are written. It
 * prints the number of commands and the seconds of each way.
 *
 * Usage: npm run research -- measure/first-result [-- TARBALL]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Every newcomer needs these two. */
const EVERYONE = ['npm init -y', 'npm pkg set type=module'];
const FENCE = /^```(\w+)[^\S\n]*(?:\[([^\]]+)\])?\n([\s\S]*?)^```$/gm;

const readme = readFileSync('README.md', 'utf8');
const [head = '', ...sections] = readme.split(/^### /m);
const starters = filesIn(sections.find((each) => each.includes('```ts [')) ?? head);
const packing = mkdtempSync(join(tmpdir(), 'context-shaping-'));
const tarball = resolve(process.argv[2] ?? pack(packing));

const rows = sections.flatMap((section) => {
  const title = section.split('\n', 1)[0];
  const blocks = Array.from(section.matchAll(FENCE), ([, language, file, code]) => ({
    language,
    file,
    code,
  }));
  const install = blocks.find(({ language, code }) => language === 'sh' && code.startsWith('npm install'));
  const program = blocks.find(({ language, file }) => language === 'ts' && file === undefined);
  return install && program ? [walk(title, install.code.trim(), program.code)] : [];
});
rmSync(packing, { recursive: true, force: true });
if (rows.length === 0) throw new Error('README.md has no section with an installation and a program');
console.table(Object.fromEntries(rows.map(({ title, ...row }) => [title, row])));

function pack(folder) {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).replace(/^[^[]*/, ''),
  );
  return join(folder, filename);
}

function filesIn(section) {
  return Array.from(section.matchAll(FENCE))
    .filter(([, , file]) => file !== undefined && file !== 'output')
    .map(([, , file, code]) => ({ file, code }));
}

function walk(title, install, program) {
  const folder = mkdtempSync(join(tmpdir(), 'first-result-'));
  // Until it is published, the package is its tarball.
  const commands = [...EVERYONE, install, 'npx tsx first.ts'];
  const start = performance.now();
  let said = '';
  let installing = 0;
  for (const command of commands) {
    for (const { file, code } of [...starters, { file: 'first.ts', code: program }])
      writeFileSync(join(folder, file), code);
    const from = performance.now();
    said = execFileSync('sh', ['-c', command.replace(/\bcontext-shaping\b/, tarball)], {
      cwd: folder,
      // A newcomer answers the question of npx whether to install tsx.
      env: { ...process.env, npm_config_yes: 'true' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (command === install) installing = performance.now() - from;
  }
  if (said.trim() === '') throw new Error(`${title}: the program printed nothing`);
  const seconds = (milliseconds) => Number((milliseconds / 1000).toFixed(1));
  rmSync(folder, { recursive: true, force: true });
  return {
    title,
    commands: commands.length,
    seconds: seconds(performance.now() - start),
    'of these, installing': seconds(installing),
  };
}
