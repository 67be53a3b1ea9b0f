/**
 * Creates a function that returns ids of which each identifies one text. It is for hosts that may give two texts the same
 * id, for instance from two indices. It returns the id itself, or, if another text already has that id, the id with a
 * number: `id#2`. Call it in input order.
 */
export function distinctIds(): (id: string, text: string) => string {
  const taken = new Set<string>();
  // Each search for a free number continues after the last one for that id, so that all searches together are linear.
  const namings = new Map<string, { ofText: Map<string, string>; numbers: number }>();
  return (id, text) => {
    const naming = namings.get(id) ?? { ofText: new Map(), numbers: 0 };
    namings.set(id, naming);
    let distinct = naming.ofText.get(text);
    while (distinct === undefined) {
      naming.numbers += 1;
      const next = naming.numbers === 1 ? id : `${id}#${naming.numbers}`;
      if (!taken.has(next)) distinct = next;
    }
    taken.add(distinct);
    naming.ofText.set(text, distinct);
    return distinct;
  };
}
