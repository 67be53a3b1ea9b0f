/**
 * Makes ids that name one text each, for hosts that do not see to it (the same id from two indices): the id
 * itself, or, where another text has it already, the id with a number: `id#2`. Ask in input order.
 */
export function distinctIds(): (id: string, text: string) => string {
  const textOfId = new Map<string, string>();
  return (id, text) => {
    let distinct = id;
    for (let copy = 2; (textOfId.get(distinct) ?? text) !== text; copy++) distinct = `${id}#${copy}`;
    textOfId.set(distinct, text);
    return distinct;
  };
}
