/** A question that ends the whole process, as a lack of memory does. */
const stage = {
  specificationVersion: 'v1',
  name: 'deadly',
  async run({ query, candidates }) {
    if (query.text.includes('ends the process')) process.kill(process.pid, 'SIGKILL');
    return { kept: candidates, evicted: [] };
  },
};

export default { options: { stages: (defaults) => [...defaults, stage] } };
