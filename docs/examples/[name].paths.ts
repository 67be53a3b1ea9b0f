/** The programs of the folder examples, as pages. */
import { examplePages, read } from '../.vitepress/repository';

export default {
  paths: () => examplePages().map((name) => ({ params: { name }, content: pageOf(name) })),
};

function pageOf(name: string): string {
  const code = read(`examples/${name}.ts`);
  return `# examples/${name}.ts\n\n\`\`\`\`ts\n${code}\`\`\`\`\n`;
}
