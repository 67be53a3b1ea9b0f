/** Inputs of the hook. */

/** A log of a megabyte with one failure. */
export const log = Array.from({ length: 16_000 }, (_, at) =>
  at === 9000
    ? 'Error: the pressure of pump 7 is 3 bar, expected 4'
    : `[INFO] 2026-11-20 Downloading package-${at} from the registry in 12 ms`,
).join('\n');

/** The event of Claude Code after a command with this output. */
export const event = (stdout: string) =>
  JSON.stringify({
    session_id: 's',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_response: { stdout, stderr: '', interrupted: false, isImage: false },
  });
