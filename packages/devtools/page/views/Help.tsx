/** The keys of the page. */
import { useEffect, useRef } from 'preact/hooks';
import { KEYS } from '../keys.js';
import { showsHelp } from '../state.js';

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (showsHelp.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [showsHelp.value]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="help-title"
      onClose={() => {
        showsHelp.value = false;
      }}
    >
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(({ keys, effect }) => (
          <div key={effect}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="small" type="submit">
          Close
        </button>
      </form>
    </dialog>
  );
}
