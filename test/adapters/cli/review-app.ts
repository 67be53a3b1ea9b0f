/** An application whose graph asks. */
import { asking, askingFirst } from '../langgraph/review-graphs.js';
import { connect } from '../langgraph/servers.js';

const { checkpointer } = await connect(process.env.REVIEWS as string);

export const graph = asking({ checkpointer }, (answer, { query }) => {
  if (query === 'bad') throw new Error('no disk');
  return answer;
});
export const late = askingFirst({ checkpointer }, () => {
  throw new Error('503');
});
export const other = 5;
