type Theme = 'light' | 'dark';

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

/** Changes to the other theme, which is remembered in this browser. */
export function switchTheme(): void {
  const theme = otherTheme();
  localStorage.setItem(KEY, theme);
  applyTheme(theme);
}

export const otherTheme = (): Theme => (storedTheme() === 'dark' ? 'light' : 'dark');

/** What the switch does. */
export const themeLabel = (): string => `Use ${otherTheme()} colors`;
