import { Button, type ButtonProps } from '@patternfly/react-core';
import { useRef } from 'react';

export interface FileButtonProps {
  readonly text: string;
  /** For the field that the button stands for; it is read out, and not seen. */
  readonly label: string;
  readonly variant?: ButtonProps['variant'];
  readonly onFiles: (files: readonly File[]) => void;
}

/** Chooses files. */
export function FileButton({ text, label, variant, onFiles }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <Button variant={variant ?? 'secondary'} onClick={() => input.current?.click()}>
        {text}
      </Button>
    </>
  );
}
