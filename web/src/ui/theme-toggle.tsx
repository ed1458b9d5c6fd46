import { Button } from '@patternfly/react-core';
import MoonIcon from '@patternfly/react-icons/dist/esm/icons/moon-icon';
import SunIcon from '@patternfly/react-icons/dist/esm/icons/sun-icon';
import { useState } from 'react';
import { rememberTheme, storedTheme } from './theme.ts';

const LABELS = { light: 'Use light colors', dark: 'Use dark colors' };

/** Light or dark; remembered in this browser. */
export function ThemeToggle() {
  const [theme, setTheme] = useState(storedTheme);
  const next = theme === 'dark' ? 'light' : 'dark';
  return (
    <Button
      variant="plain"
      aria-label={LABELS[next]}
      icon={theme === 'dark' ? <SunIcon /> : <MoonIcon />}
      onClick={() => {
        rememberTheme(next);
        setTheme(next);
      }}
    />
  );
}
