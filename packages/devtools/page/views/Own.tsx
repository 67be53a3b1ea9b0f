/** A question and chunks of the reader, which are shaped in the page. */
import { useState } from 'preact/hooks';
import { ownRun } from '../model/own.js';
import { addRun } from '../state.js';

export function Own() {
  const [question, setQuestion] = useState('');
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const shape = () =>
    ownRun(question, text).then(
      (run) => {
        setFault('');
        addRun(run);
      },
      (error: Error) => setFault(error.message),
    );
  return (
    <details class="fold own">
      <summary>
        <h2>Your own chunks</h2>
      </summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void shape();
        }}
      >
        <label for="own-question">Question</label>
        <input
          id="own-question"
          value={question}
          autocomplete="off"
          onInput={(event) => setQuestion(event.currentTarget.value)}
        />
        <label for="own-chunks">Chunks</label>
        <textarea
          id="own-chunks"
          rows={8}
          spellcheck={false}
          aria-describedby="about-own-chunks"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p id="about-own-chunks" class="note">
          Texts with blank lines between them, or a JSON array of {'{ id, text }'}. They stay in this page.
        </p>
        <button type="submit" class="small" disabled={text.trim() === ''}>
          Shape them
        </button>
        {fault !== '' && (
          <p class="note warn" role="alert">
            {fault}
          </p>
        )}
      </form>
    </details>
  );
}
