/** The documents in the root of the repository, as pages. */
import { projectPages, read } from '../.vitepress/repository';

export default {
  paths: () =>
    Object.entries(projectPages).map(([page, file]) => ({ params: { page }, content: read(file) })),
};
