/** Chunks that say different things about one subject: a table of the sides, then their texts with the place marked. */
import type { Conflict, ConflictSide } from 'context-shaping';
import type { ComponentChildren } from 'preact';
import { report, rowByIndex } from '../state.js';
import { Jump } from './ChunkDetails.js';
import { count } from './format.js';
import { Text } from './Text.js';

export function Conflicts() {
  const { conflicts } = report.value;
  if (conflicts.length === 0)
    return <p class="note">No two chunks say different things about one subject.</p>;
  return (
    <ol class="conflicts">
      {conflicts.map((conflict, at) => (
        // A pair of chunks can differ in several places.
        <li key={at}>
          <Sides conflict={conflict} />
          <div class="sides">
            {conflict.sides.map((side) => (
              <Statement key={side.indices.join()} side={side} />
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The rows of the table. A row without any value is left out. */
const ROWS: Readonly<Record<string, (side: ConflictSide) => ComponentChildren>> = {
  says: ({ says, excerpt }) => says ?? excerpt,
  title: ({ title }) => title,
  source: ({ source }) => source,
  date: ({ date }) => date,
  version: ({ version }) => version,
  documents: ({ support }) => count(support),
  outcome: ({ indices }) => {
    const outcomes = indices.flatMap((index) => rowByIndex.value.get(index)?.outcome ?? []);
    return [...new Set(outcomes)].map((outcome) => (
      <span key={outcome} class={`outcome ${outcome}`}>
        {outcome}{' '}
      </span>
    ));
  },
};

function Sides({ conflict: { about, kinds, level, sides, preferred } }: { conflict: Conflict }) {
  return (
    <table class="compared">
      <caption>
        <b>{about ?? kinds.join(', ')}</b> {level === 'possible' && <span class="tag">possible</span>}
        {preferred !== undefined && <span class="note">The first comes first: {preferred}.</span>}
      </caption>
      <thead>
        <tr>
          <th scope="row">chunk</th>
          {sides.map(({ ids, indices }) => (
            <th key={indices.join()} scope="col">
              {indices.map((index, at) => (
                <span key={index}>
                  <Jump index={index} id={ids[at] ?? ''} />{' '}
                </span>
              ))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Object.entries(ROWS).map(([label, value]) => {
          const values = sides.map(value);
          if (values.every((each) => each === undefined)) return null;
          return (
            <tr key={label}>
              <th scope="row">{label}</th>
              {values.map((each, at) => (
                <td key={at}>{each ?? '–'}</td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The text of the first chunk of a side. */
function Statement({ side: { indices, says, excerpt } }: { side: ConflictSide }) {
  const row = rowByIndex.value.get(indices[0] ?? -1);
  if (row?.text === undefined) return null;
  const words = says ?? excerpt;
  return (
    <article class="side">
      <Text
        text={row.text}
        excerpts={row.entry?.excerpts}
        marked={words === undefined ? [] : [words]}
        statement={excerpt}
      />
    </article>
  );
}
