/** Gives the parts of VitePress's search box the roles that screen readers need: a dialog, and options that are links. */
import type { Plugin } from 'vite';

const CHANGES: readonly (readonly [string, string])[] = [
  // A button must not contain fields.
  [
    `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"`,
    'role="dialog" aria-modal="true"',
  ],
  // An option must not contain a link, so the link is the option.
  [
    `:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    'role="presentation"',
  ],
  // Its name is the text that is seen.
  [
    `:aria-label="[...p.titles, p.title].join(' > ')"`,
    `:id="'localsearch-item-' + index" :aria-selected="selectedIndex === index" role="option"`,
  ],
  // The element of a key takes no name of its own.
  ['<kbd :aria-label', '<kbd role="img" :aria-label'],
];

export const searchBoxRoles: Plugin = {
  name: 'search-box-roles',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('VPLocalSearchBox.vue')) return undefined;
    return CHANGES.reduce((text, [from, to]) => {
      if (!text.includes(from))
        throw new Error(
          `The search box of VitePress has changed: ${from} is missing. Update ${import.meta.url}.`,
        );
      return text.replaceAll(from, to);
    }, code);
  },
};
