import { Button, type ButtonProps } from '@patternfly/react-core';
import { useRef } from 'react';

export interface FileFieldOptions {
  /** It is read out, and not seen. */
  readonly label: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A field for files, and what opens it. */
export function useFileField({ label, multiple = false, onFiles }: FileFieldOptions) {
  const input = useRef<HTMLInputElement>(null);
  const field = (
    <input
      ref={input}
      type="file"
      multiple={multiple}
      hidden
      aria-label={label}
      onChange={({ currentTarget }) => {
        onFiles([...(currentTarget.files ?? [])]);
        // The same file can be chosen again.
        currentTarget.value = '';
      }}
    />
  );
  return { field, open: () => input.current?.click() };
}

export interface FileButtonProps extends Omit<FileFieldOptions, 'multiple'> {
  readonly text: string;
  readonly variant?: ButtonProps['variant'];
}

/** Chooses a file. */
export function FileButton({ text, variant = 'secondary', ...options }: FileButtonProps) {
  const { field, open } = useFileField(options);
  return (
    <>
      {field}
      <Button variant={variant} isInline={variant === 'link'} onClick={open}>
        {text}
      </Button>
    </>
  );
}
