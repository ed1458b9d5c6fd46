export type Theme = 'light' | 'dark';

const KEY = 'theme';
const DARK_CLASS = 'pf-v6-theme-dark';

/** What was chosen the last time, or what the system prefers. */
export function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  if (stored === 'light' || stored === 'dark') return stored;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function applyTheme(theme: Theme): void {
  document.documentElement.classList.toggle(DARK_CLASS, theme === 'dark');
}

export function rememberTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme(theme);
}
