import { Dropdown, DropdownGroup, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import { useState } from 'react';
import { Done } from '../../ui/done-note.tsx';
import { download } from '../../ui/download.ts';
import { MENU_PLACE } from '../../ui/menu-place.ts';
import { useDone } from '../../ui/use-done.ts';
import { exportSecret, type ExportFormat } from '../../values/exports.ts';
import { EXPORT_WORDS } from '../../words/secret.ts';
import type { ShownSecret } from './named-value.ts';

const FORMATS: readonly ExportFormat[] = ['env', 'json', 'yaml', 'kubectl', 'secretKeyRef'];

/** The whole Secret as a text for other tools, on the clipboard or as a file. */
export function ExportMenu({ secret }: { readonly secret: ShownSecret }) {
  const [isOpen, setOpen] = useState(false);
  const { note, setNote, copy, whenCurrent } = useDone();
  const copyAs = (format: ExportFormat) => {
    const { text, leftOut } = exportSecret(secret, format);
    const done = EXPORT_WORDS.copied(EXPORT_WORDS.formats[format]) + omitted(leftOut);
    copy(text, { ...EXPORT_WORDS, done });
  };
  const save = (format: ExportFormat) =>
    whenCurrent((isChecked) => {
      const { text, fileName, leftOut } = exportSecret(secret, format);
      download(fileName, text);
      const unchecked = isChecked ? '' : EXPORT_WORDS.unchecked;
      setNote({ text: EXPORT_WORDS.downloaded(fileName) + omitted(leftOut) + unchecked, isProblem: false });
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
            {EXPORT_WORDS.menu}
          </MenuToggle>
        )}
      >
        <Formats label={EXPORT_WORDS.copy} onChoose={copyAs} />
        <Formats label={EXPORT_WORDS.download} onChoose={save} />
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
            aria-label={`${label} ${EXPORT_WORDS.formats[format]}`}
            onClick={() => onChoose(format)}
          >
            {EXPORT_WORDS.formats[format]}
          </DropdownItem>
        ))}
      </DropdownList>
    </DropdownGroup>
  );
}

function omitted(keys: readonly string[]): string {
  return keys.length === 0 ? '' : EXPORT_WORDS.leftOut(keys.join(', '));
}
