import { Button, type ButtonProps } from '@patternfly/react-core';
import type { RefObject } from 'react';

export interface IconButtonProps extends Pick<
  ButtonProps,
  'icon' | 'size' | 'isAriaDisabled' | 'aria-expanded' | 'aria-pressed' | 'onClick'
> {
  readonly ref?: RefObject<HTMLButtonElement | null>;
  /** What it does. */
  readonly label: string;
  /** Shown where the pointer rests; left out: the label. */
  readonly title?: string | undefined;
}

/** A button that shows an icon alone. */
export function IconButton({ label, title = label, ...button }: IconButtonProps) {
  return <Button {...button} variant="plain" aria-label={label} title={title} />;
}
