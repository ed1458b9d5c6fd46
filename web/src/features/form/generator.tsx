import { Button, FormSelect, FormSelectOption, TextInput } from '@patternfly/react-core';
import DiceIcon from '@patternfly/react-icons/dist/esm/icons/dice-icon';
import { useState } from 'react';
import { GENERATED, generate, LENGTHS, type Generated } from '../../values/generate.ts';
import { GENERATOR_WORDS as WORDS } from '../../words/edit.ts';
import { readSettings, rememberSettings } from './generator-settings.ts';

export interface GeneratorProps {
  /** What is read out for the row: its key, never its value. */
  readonly what: string;
  readonly onGenerate: (value: string) => void;
}

/** Replaces a value by a random one. It remembers its settings, never a value. */
export function Generator({ what, onGenerate }: GeneratorProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="plain"
        icon={<DiceIcon />}
        aria-label={WORDS.openFor(what)}
        title={WORDS.open}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <GeneratorPanel
          what={what}
          onGenerate={(value) => {
            onGenerate(value);
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

function GeneratorPanel({ what, onGenerate }: GeneratorProps) {
  const [settings, setSettings] = useState(readSettings);
  const { kind, length } = settings;
  const isValid = length >= LENGTHS.min && length <= LENGTHS.max;
  return (
    <div role="group" aria-label={WORDS.group(what)} className="generator">
      <FormSelect
        className="generator-kind"
        aria-label={WORDS.kind}
        value={kind}
        onChange={(_event, chosen) => setSettings({ ...settings, kind: chosen as Generated })}
      >
        {GENERATED.map((one) => (
          <FormSelectOption key={one} value={one} label={WORDS.kinds[one]} />
        ))}
      </FormSelect>
      {kind !== 'uuid' && (
        <TextInput
          type="number"
          aria-label={kind === 'letters' || kind === 'symbols' ? WORDS.characters : WORDS.bytes}
          min={LENGTHS.min}
          max={LENGTHS.max}
          value={length}
          validated={isValid ? 'default' : 'error'}
          onChange={(_event, text) => setSettings({ ...settings, length: Math.trunc(Number(text)) })}
        />
      )}
      <Button
        variant="secondary"
        isDisabled={!isValid}
        onClick={() => {
          rememberSettings(settings);
          onGenerate(generate(settings));
        }}
      >
        {WORDS.use}
      </Button>
    </div>
  );
}
