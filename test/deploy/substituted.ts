/**
 * A text with places of this machine for those of the deployment.
 *
 * @throws Error for a place that does not occur: it may have been renamed.
 */
export const substituted = (text: string, places: Record<string, string>): string =>
  Object.entries(places).reduce((rest, [there, here]) => {
    if (!rest.includes(there)) throw new Error(`${there} is not in ${text}`);
    return rest.replaceAll(there, here);
  }, text);
