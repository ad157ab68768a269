import type { CommandTemplate, NewChange, ServerGate } from '@dataagent/hub'
import type { ServerConfig } from '@dataagent/schema'

/**
 * The commands that users may start, as this process holds them. They are a setting of the
 * installation; a change takes a revision of the topic `tenants` of all tenants (`*`), so that
 * every process reloads them within a second.
 */
export interface TemplateBook {
  /** Decides by the templates as they are now; by none until they have been read. */
  gate: ServerGate
  list(): readonly CommandTemplate[]
  /**
   * Whether the templates that a command is of give it the host's network; undefined where it is of
   * none.
   */
  networkOf(config: ServerConfig): boolean | undefined
  /** Throws `invalid_request` for a template that no command could fit. */
  change(templates: readonly CommandTemplate[], note: NewChange): Promise<void>
  /** Gives whether others hold now than were read or set before; false for the first it reads. */
  reload(): Promise<boolean>
}
