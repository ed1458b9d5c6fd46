import type { Command } from '../command.ts';
import { access } from './access.ts';
import { completionCommand } from './completion.ts';
import { consumers } from './consumers.ts';
import { copy } from './copy.ts';
import { edit } from './edit.ts';
import { generate } from './generate.ts';
import { get } from './get.ts';
import { diff, history, restore } from './history.ts';
import { expiring, list, namespaces, search } from './list.ts';
import { remove, undelete } from './remove.ts';
import { run } from './run.ts';
import { login, logout, whoami } from './session.ts';
import { create, set, unset } from './write.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...[login, logout, whoami],
  ...[namespaces, list, search, expiring],
  ...[get, set, unset, edit, create, copy, generate],
  ...[remove, undelete, history, diff, restore, access, consumers],
  ...[run, completionCommand(() => COMMANDS)],
];
