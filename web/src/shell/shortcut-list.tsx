import {
  Button,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  Switch,
} from '@patternfly/react-core';
import { useState } from 'react';
import { singleKeysAreOn, turnSingleKeys } from '../ui/single-keys.ts';
import { SHORTCUT_WORDS } from '../words/frame.ts';

const SHORTCUTS = [
  { key: '/', label: SHORTCUT_WORDS.search },
  { key: SHORTCUT_WORDS.ctrlK, label: SHORTCUT_WORDS.search },
  { key: 'n', label: SHORTCUT_WORDS.switcher },
  { key: '?', label: SHORTCUT_WORDS.help },
];

/** What the keys are, and the switch to turn them off. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(singleKeysAreOn);
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby="shortcuts-title">
      <ModalHeader title={SHORTCUT_WORDS.title} labelId="shortcuts-title" />
      <ModalBody className="dialog-body">
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
          label={SHORTCUT_WORDS.singleKeys}
          isChecked={isOn}
          onChange={(_event, checked) => {
            turnSingleKeys(checked);
            setOn(checked);
          }}
        />
        <p className="hint">{SHORTCUT_WORDS.singleKeysHint}</p>
      </ModalBody>
      <ModalFooter>
        <Button onClick={onClose}>{SHORTCUT_WORDS.close}</Button>
      </ModalFooter>
    </Modal>
  );
}
