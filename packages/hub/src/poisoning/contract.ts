import type { ToolDefinition } from '@dataagent/schema'

export const findingKinds = [
  'hidden_characters',
  'bidirectional_text',
  'oversize_text',
  'look_alike_name',
  'instruction_like_text',
  'encoded_text',
  'odd_name',
  /** The definition cannot be used at all, whoever approves it. */
  'unusable',
] as const
export type FindingKind = (typeof findingKinds)[number]

/** Something in a definition that a person should look at. Shows what is hidden as code points. */
export interface Finding {
  kind: FindingKind
  /** `description`, `inputSchema.properties.path.description` */
  path: string
  /** In words, with the offending text made visible and cut. */
  message: string
  /** `high` alone keeps a tool from being offered before a person has looked. */
  severity: 'high' | 'low'
}

export interface ScanOptions {
  /** Names of the tools and servers around it, for look-alikes. */
  neighbours?: Iterable<string>
}

/** A definition with a finding of the kind `unusable` can be shown, not called. */
export interface ScanResult {
  /** The definition with hidden characters taken out and overlong texts cut. */
  definition: ToolDefinition
  findings: Finding[]
}
