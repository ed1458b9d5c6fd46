import { Dropdown, DropdownGroup, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import { useState } from 'react';
import { Done } from '../../ui/done-note.tsx';
import { download } from '../../ui/download.ts';
import { MENU_PLACE } from '../../ui/menu-place.ts';
import { UNCHECKED, useDone } from '../../ui/use-done.ts';
import { exportSecret, type ExportFormat } from '../../values/exports.ts';
import type { ShownSecret } from './named-value.ts';

const FORMAT_NAMES = {
  env: '.env',
  json: 'JSON',
  yaml: 'YAML manifest',
  kubectl: 'kubectl command',
  secretKeyRef: 'secretKeyRef snippet',
};

const FORMATS: readonly ExportFormat[] = ['env', 'json', 'yaml', 'kubectl', 'secretKeyRef'];

/** The whole Secret as a text for other tools, on the clipboard or as a file. */
export function ExportMenu({ secret }: { readonly secret: ShownSecret }) {
  const [isOpen, setOpen] = useState(false);
  const { note, setNote, copy, whenCurrent } = useDone();
  const copyAs = (format: ExportFormat) => {
    const { text, leftOut } = exportSecret(secret, format);
    copy(text, `Copied as ${FORMAT_NAMES[format]}.${omitted(leftOut)}`);
  };
  const save = (format: ExportFormat) =>
    whenCurrent((isChecked) => {
      const { text, fileName, leftOut } = exportSecret(secret, format);
      download(fileName, text);
      const unchecked = isChecked ? '' : UNCHECKED;
      setNote({ text: `Downloaded ${fileName}.${omitted(leftOut)}${unchecked}`, isProblem: false });
    });
  return (
    <>
      <Done note={note} />
      <Dropdown
        isOpen={isOpen}
        onOpenChange={setOpen}
        onSelect={() => setOpen(false)}
        isScrollable
        popperProps={MENU_PLACE}
        toggle={(ref) => (
          <MenuToggle ref={ref} isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Copy as
          </MenuToggle>
        )}
      >
        <Formats label="Copy" onChoose={copyAs} />
        <Formats label="Download" onChoose={save} />
      </Dropdown>
    </>
  );
}

interface FormatsProps {
  readonly label: string;
  readonly onChoose: (format: ExportFormat) => void;
}

function Formats({ label, onChoose }: FormatsProps) {
  return (
    <DropdownGroup label={label}>
      <DropdownList>
        {FORMATS.map((format) => (
          <DropdownItem
            key={format}
            aria-label={`${label} ${FORMAT_NAMES[format]}`}
            onClick={() => onChoose(format)}
          >
            {FORMAT_NAMES[format]}
          </DropdownItem>
        ))}
      </DropdownList>
    </DropdownGroup>
  );
}

function omitted(keys: readonly string[]): string {
  return keys.length === 0 ? '' : ` Left out, since they are binary: ${keys.join(', ')}.`;
}
