import { Button, TextInput } from '@patternfly/react-core';
import DiceIcon from '@patternfly/react-icons/dist/esm/icons/dice-icon';
import { useRef, useState } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { optionsOf, Select } from '../../ui/select.tsx';
import {
  DEFAULT_SETTINGS,
  generate,
  GENERATED,
  LENGTHS,
  type Generated,
  type GeneratorSettings,
} from '../../values/generate.ts';

const KINDS = optionsOf<Generated>(GENERATED);

export interface GeneratorProps {
  /** What is read out for the row: its key, never its value. */
  readonly what: string;
  readonly onGenerate: (value: string) => void;
}

/** Replaces a value by a random one. It remembers its settings, never a value. */
export function Generator({ what, onGenerate }: GeneratorProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={toggle}
        icon={<DiceIcon />}
        label={`Generate a value of ${what}`}
        title="Generate"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <GeneratorPanel
          what={what}
          onGenerate={(value) => {
            onGenerate(value);
            setOpen(false);
            toggle.current?.focus();
          }}
        />
      )}
    </>
  );
}

function GeneratorPanel({ what, onGenerate }: GeneratorProps) {
  const [settings, setSettings] = useState(readSettings);
  const { kind, length } = settings;
  const isValid = isLength(length);
  const unit = kind === 'letters' || kind === 'symbols' ? 'Characters' : 'Bytes';
  return (
    <div role="group" aria-label={`Generator for ${what}`} className="generator">
      <Select
        className="generator-kind"
        label="Kind"
        value={kind}
        options={KINDS}
        onChange={(chosen) => setSettings({ ...settings, kind: chosen })}
      />
      {kind !== 'uuid' && (
        <>
          <TextInput
            type="number"
            className="generator-length"
            aria-label={unit}
            min={LENGTHS.min}
            max={LENGTHS.max}
            value={length}
            validated={isValid ? 'default' : 'error'}
            onChange={(_event, text) => setSettings({ ...settings, length: Math.trunc(Number(text)) })}
          />
          <span aria-hidden="true">{unit.toLowerCase()}</span>
        </>
      )}
      <Button
        variant="secondary"
        isDisabled={!isValid}
        onClick={() => {
          localStorage.setItem(KEY, `${kind} ${length}`);
          onGenerate(generate(settings));
        }}
      >
        Use a generated value
      </Button>
    </div>
  );
}

const KEY = 'generator';

const isLength = (length: number) => length >= LENGTHS.min && length <= LENGTHS.max;

/** What was chosen the last time in this browser. */
function readSettings(): GeneratorSettings {
  const [name, text = ''] = (localStorage.getItem(KEY) ?? '').split(' ');
  const kind = KINDS.find(([one]) => one === name)?.[0];
  const length = Math.trunc(Number(text));
  return kind === undefined || !isLength(length) ? DEFAULT_SETTINGS : { kind, length };
}
