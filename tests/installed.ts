/** What tests may use if it is installed. */

/** Whether a command can be run here and succeeds; `false` as well where it is not there, or not for this user. */
export function succeeds(command: string, ...args: readonly string[]): boolean {
  try {
    return new Deno.Command(command, { args: [...args], stdout: "null", stderr: "null" }).outputSync()
      .success;
  } catch {
    return false;
  }
}
