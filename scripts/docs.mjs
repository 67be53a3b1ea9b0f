/**
 * Serves or builds the documentation: `npm run docs`, `npm run docs:build`. Installs the packages of docs/ if they are
 * missing, and writes the API pages and the inspector's page from the sources first. Everything after the command goes to
 * VitePress: `npm run docs -- --port 4000`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const docs = join(root, 'docs');
/** Entries that only the packages of this repository use. */
const INNER = new Set(['./cli', './internal', './tool-calls']);
const [command = 'dev', ...flags] = process.argv.slice(2);

if (!existsSync(join(docs, 'node_modules')))
  execFileSync('npm', ['ci', '--prefix', docs], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
await Promise.all([command === 'build' && checkTypes(), writeApiPages()]);
if (command !== 'api') {
  writeInspector();
  vitepress();
}

/** VitePress compiles the site without checking its types. */
async function checkTypes() {
  const tsc = join(docs, 'node_modules', 'typescript', 'bin', 'tsc');
  const [code] = await once(
    spawn(process.execPath, [tsc, '-p', docs], { cwd: root, stdio: 'inherit' }),
    'exit',
  );
  if (code !== 0) throw new Error('The site has errors of types: see above.');
}

/** The page of `inspect --demo`, as a file of the site. */
function writeInspector() {
  const program = join(root, 'packages/devtools/src/main.ts');
  const page = execFileSync(
    process.execPath,
    ['--conditions=context-shaping-source', '--import', 'tsx', program, 'inspect', '--demo', '--to', '-'],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26 },
  );
  writeFileSync(join(docs, 'public', 'inspector.html'), page);
}

function vitepress() {
  execFileSync(
    process.execPath,
    [join(docs, 'node_modules', 'vitepress', 'bin', 'vitepress.js'), command, docs, ...flags],
    { cwd: root, stdio: 'inherit' },
  );
}

/** A page for each public entry of the plugin and of the packages with a library, under docs/reference/api, and their list. A warning ends the build. */
async function writeApiPages() {
  const typedoc = pathToFileURL(join(docs, 'node_modules', 'typedoc', 'dist', 'index.js'));
  const { Application } = await import(typedoc.href);
  const entries = [root, join(root, 'packages/agents'), join(root, 'packages/devtools')].flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return Object.entries(exports).flatMap(([path, { 'context-shaping-source': source }]) =>
      source === undefined || INNER.has(path)
        ? []
        : [{ source: join(folder, source), name: path.replace('.', name) }],
    );
  });
  const app = await Application.bootstrapWithPlugins({
    options: join(docs, 'typedoc.json'),
    entryPoints: entries.map(({ source }) => source),
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('The sources do not compile: run npx tsc.');
  const fileOf = (reflection) => reflection.sources?.[0]?.fullFileName;
  for (const module of project.children ?? [])
    module.name = entries.find(({ source }) => source === fileOf(module))?.name ?? module.name;
  // A page has what its own type declares, and names the types that it extends.
  const all = Object.values(project.reflections);
  for (const each of all) if (each.inheritedFrom !== undefined) project.removeReflection(each);
  for (const each of all) {
    delete each.sources;
    for (const group of each.groups ?? [])
      group.children = group.children.filter(({ id }) => id in project.reflections);
  }
  app.validate(project);
  rmSync(join(docs, 'reference', 'api'), { recursive: true, force: true });
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('The API pages have warnings: see above.');
  anchorsWithUnderscores(all.flatMap(({ name }) => (/^[A-Z]+_/.test(name) ? [name.toLowerCase()] : [])));
  const rows = entries.map(({ source, name }) => {
    const module = project.children?.find((each) => each.name === name);
    const purpose = (module?.comment?.summary ?? []).map(({ text }) => text).join('');
    if (purpose === '') throw new Error(`${source} does not begin with a sentence on its purpose.`);
    return `| [${name}](${name}.md) | ${purpose.trim().replaceAll('\n', ' ')} |`;
  });
  writeFileSync(join(docs, 'reference', 'api', 'index.md'), startPage(rows));
}

/** The theme writes links to a constant with hyphens, and the anchors of the site keep underscores, as GitHub does. */
function anchorsWithUnderscores(names) {
  const api = join(docs, 'reference', 'api');
  for (const name of readdirSync(api, { recursive: true })) {
    if (!name.endsWith('.md')) continue;
    const file = join(api, name);
    const page = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      names.reduce((text, each) => text.replaceAll(`#${each.replaceAll('_', '-')})`, `#${each})`), page),
    );
  }
}

function startPage(rows) {
  return `# API

Every name of each entry, with its type and its description, from the sources. [Public names](../../public-names.md) has them on one page.

| entry | purpose |
|---|---|
${rows.join('\n')}
`;
}
