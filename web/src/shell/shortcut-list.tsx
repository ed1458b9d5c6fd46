import {
  Button,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  Switch,
} from '@patternfly/react-core';
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { singleKeysAreOn, turnSingleKeys } from '../ui/single-keys.ts';

const SHORTCUTS = [
  { key: '/', label: 'Search everything' },
  { key: 'Ctrl K', label: 'Search everything' },
  { key: 'n', label: 'Choose a namespace' },
  { key: 'j  k', label: 'Next and previous Secret or key' },
  { key: 'Enter', label: 'Open the Secret, reveal the value' },
  { key: 'e', label: 'Edit the Secret' },
  { key: 'c', label: 'Copy the value; in a list, choose which one' },
  { key: '?', label: 'Show these shortcuts' },
];

/** What the keys are, and the switch to turn them off. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(singleKeysAreOn);
  return (
    <Dialog
      id="shortcuts"
      title="Keyboard shortcuts"
      onClose={onClose}
      buttons={<Button onClick={onClose}>Close</Button>}
    >
      <DescriptionList orientation={{ md: 'horizontal' }} isCompact>
        {SHORTCUTS.map(({ key, label }) => (
          <DescriptionListGroup key={key}>
            <DescriptionListTerm>
              <kbd>{key}</kbd>
            </DescriptionListTerm>
            <DescriptionListDescription>{label}</DescriptionListDescription>
          </DescriptionListGroup>
        ))}
      </DescriptionList>
      <Switch
        id="single-keys"
        className="single-keys"
        label="Use shortcuts of a single key"
        isChecked={isOn}
        onChange={(_event, checked) => {
          turnSingleKeys(checked);
          setOn(checked);
        }}
      />
      <p className="hint">Turn them off if they get in the way of voice control or other tools.</p>
    </Dialog>
  );
}
