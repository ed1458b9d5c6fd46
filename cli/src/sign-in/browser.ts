import { spawn } from 'node:child_process';
import { variable, type Environment } from '../environment.ts';

/** Whether a browser that is opened here is beside the person at the terminal. */
export function canOpenBrowser(environment: Environment, platform = process.platform): boolean {
  const isSet = (name: string) => variable(environment, name) !== undefined;
  if (isSet('SSH_CONNECTION')) return false;
  return platform === 'darwin' || ['BROWSER', 'DISPLAY', 'WAYLAND_DISPLAY'].some(isSet);
}

/** The address is printed as well, so what fails here is not worth a word. It has no secret: the verifier stays here. */
export function openBrowser(address: string, environment: Environment, platform = process.platform): void {
  const command = variable(environment, 'BROWSER') ?? (platform === 'darwin' ? 'open' : 'xdg-open');
  const browser = spawn(command, [address], { stdio: 'ignore', detached: true });
  browser.once('error', () => undefined);
  browser.unref();
}
