/** The reason of one outcome, in sentences. */
import type { Row } from '../model/rows.js';

export function Explained({ row }: { row: Row }) {
  return <p class="sentences">{row.why}</p>;
}
