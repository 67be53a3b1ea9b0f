/** The chunks and tokens that each stage leaves. */
import { defaultStage } from 'context-shaping/internal';
import { stepsOf } from '../model/flow.js';
import { report } from '../state.js';
import { count } from './format.js';

export const Stages = () => (
  <table class="stages">
    <thead>
      <tr>
        <th scope="col">stage</th>
        <th scope="col">chunks</th>
        <th scope="col">tokens</th>
      </tr>
    </thead>
    <tbody>
      {stepsOf(report.value).map(({ name, chunks, tokens, cut }, at) => (
        <tr key={at} class={tokens.after === tokens.before ? 'idle' : ''}>
          <th scope="row">
            {name}{' '}
            <span class="note">
              {defaultStage(name)?.task}
              {cut > 0 && `: ${count(cut)} tokens cut from kept chunks`}
            </span>
          </th>
          <td>{count(chunks.after)}</td>
          <td>{count(tokens.after)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
