/** A way to another chunk. */
import { goTo } from '../state.js';

/** A button that opens another chunk. */
export function Jump({ index, id }: { index: number; id: string }) {
  return (
    <button type="button" class="link" onClick={() => goTo(index)}>
      <code>{id}</code>
    </button>
  );
}
