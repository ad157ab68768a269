import type { FieldError, ServerConfigInput } from '@dataagent/schema'

/** The form that was recognised. */
export type PasteForm =
  | 'mcpServers'
  | 'servers'
  | 'vscode'
  | 'codex_toml'
  | 'claude_mcp_add'
  | 'command_line'
  | 'url'
  | 'registry_server_json'
  | 'cursor_deeplink'

export interface PasteOptions {
  /** Names that are in use: the entry is then a `duplicate`, with a free name proposed. */
  taken?: ReadonlySet<string>
}

/** What was found, for a person to look at before anything is stored or started. */
export interface PastePreview {
  form: PasteForm | undefined
  entries: PasteEntry[]
  /** Why nothing, or not all, could be read, in words for the person who pasted. */
  error?: string
}

export type PasteEntry =
  | {
      status: 'new' | 'duplicate'
      name: string
      /** A free name, for a duplicate. */
      proposed_name?: string
      /** Its values are those that were pasted. */
      config: ServerConfigInput
      /** Fields that look like secrets (`env.API_KEY`), or are placeholders to be filled in. */
      secrets: PasteSecret[]
      warnings: string[]
    }
  | { status: 'invalid'; name: string; message: string; errors: FieldError[] }

export interface PasteSecret {
  path: string
  /**
   * `given`: the text held a value. `needed`: a placeholder such as `<token>` or `${input:key}`.
   */
  kind: 'given' | 'needed'
}
