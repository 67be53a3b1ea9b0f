/** The context as the model gets it: passage by passage, or as one prompt within its frame. */
import { useMemo, useState } from 'preact/hooks';
import { framedPrompt, type Passage, plainPrompt } from '../model/prompt.js';
import { isRepeatable, report, rows, shown } from '../state.js';
import { ChunkRow } from './ChunkRow.js';
import { chunks, count } from './format.js';
import { Words } from './Text.js';

export function Context() {
  const { kept, options } = report.value;
  const [isFramed, setFramed] = useState(Boolean(options.frame));
  const passages = useMemo(
    () =>
      rows.value.flatMap(({ entry, text, passage }): Passage[] =>
        entry === undefined || text === undefined || passage === undefined
          ? []
          : [{ ...entry, text: passage }],
      ),
    [rows.value],
  );
  const prompt = useMemo(() => framedPrompt(passages, options), [passages, options]);
  const found = shown.value.filter(({ entry }) => entry !== undefined);
  const hasTexts = passages.length === kept.length;
  return (
    <section aria-labelledby="context-title">
      <div class="section-head">
        <h2 id="context-title">Context</h2>
        {kept.length > 0 && hasTexts && (
          <p class="tools">
            <label>
              <input
                type="checkbox"
                checked={isFramed}
                onChange={(event) => setFramed(event.currentTarget.checked)}
              />{' '}
              With frame
            </label>
            <Copy text={isFramed ? prompt.text : plainPrompt(passages)} label="Copy the prompt" />
          </p>
        )}
      </div>
      {kept.length === 0 && <p class="note">The context is empty.</p>}
      {!hasTexts && (
        <p class="note">The texts were not recorded. A file of context-shaping-devtools record has them.</p>
      )}
      {hasTexts && !isRepeatable.value && kept.some(({ excerpts }) => excerpts !== undefined) && (
        <p class="note">“ … ” marks a place at which a passage was cut.</p>
      )}
      {isFramed && hasTexts ? (
        <>
          <p class="note">
            For the system prompt: <q>{prompt.instruction}</q>
          </p>
          <pre class="prompt" dir="auto">
            <Words text={prompt.text} />
          </pre>
          {!options.frame && (
            <p class="note">This run did not count the tokens of the frame. The option frame counts them.</p>
          )}
        </>
      ) : (
        <>
          {found.length < kept.length && (
            <p class="note">
              {count(found.length)} of {chunks(kept.length)} match the search.
            </p>
          )}
          <ol class="chunks">
            {found.map((row) => (
              <ChunkRow key={row.index} row={row} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Copy({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState('');
  return (
    <>
      <button
        type="button"
        class="small"
        onClick={() =>
          navigator.clipboard.writeText(text).then(
            () => setSaid('Copied.'),
            () => setSaid('This browser does not allow it: select the text and copy it.'),
          )
        }
      >
        {label}
      </button>
      <span role="status">{said}</span>
    </>
  );
}
