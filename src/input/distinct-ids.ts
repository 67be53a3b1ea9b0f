/**
 * Makes ids that name one text each, for hosts that do not see to it (the same id from two indices): the id
 * itself, or, where another text has it already, the id with a number: `id#2`. Ask in input order.
 */
export function distinctIds(): (id: string, text: string) => string {
  const taken = new Set<string>();
  // Each search for a free number goes on where the last one for that id has ended: together they are linear.
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
