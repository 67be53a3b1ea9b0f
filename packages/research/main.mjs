/**
 * Runs a program of this workspace: `npm run research -- NAME …` is `NAME.ts` or `NAME/main.ts`, such as `eval`,
 * `eval/train`, `measure/steps` or `soak`. `npm run research` lists the names.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** They measure a build of the package, as users get it. */
const OF_A_BUILD = ['bench', 'measure/costs/stages', 'soak'];
/** Their programs run from the sources, and start processes of a build. */
const START_A_BUILD = ['measure/service', 'measure/batch', 'measure/replicas', 'measure/queue'];

const folder = fileURLToPath(new URL('.', import.meta.url));
const [name = '', ...args] = process.argv.slice(2);
const file = [`${name}.ts`, `${name}.mjs`, `${name}/main.ts`].find((each) => existsSync(folder + each));
if (file === undefined) {
  const isProgram =
    /^(?:measure\/(?!long-results)[\w-]+|measure\/costs\/(?:stages|texts)|plots|fit-token-weights|(?:eval|eval\/train|bench|soak|scoreboard)\/main)\.m?[tj]s$/;
  const names = readdirSync(folder, { recursive: true })
    .filter((each) => isProgram.test(each))
    .map((each) => each.replace(/(?:\/main)?\.m?[tj]s$/, ''));
  console.error(`Usage: npm run research -- NAME …, where NAME is one of: ${names.sort().join(' ')}`);
  process.exit(2);
}
const run = (program, parameters) => {
  const { status } = spawnSync(program, parameters, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
if ([...OF_A_BUILD, ...START_A_BUILD].includes(name)) run('npm', ['run', '-s', 'build']);
const sources = OF_A_BUILD.includes(name) ? [] : ['--conditions=context-shaping-source'];
run(process.execPath, [...sources, '--import', 'tsx', folder + file, ...args]);
