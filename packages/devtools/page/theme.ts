/** The colours: those of the system, or the ones that the reader chose. */
export function toggleTheme(): void {
  const { dataset } = document.documentElement;
  const isDark =
    dataset.theme === undefined
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : dataset.theme === 'dark';
  dataset.theme = isDark ? 'light' : 'dark';
}
