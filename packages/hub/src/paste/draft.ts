import type { PasteSecret } from './contract.ts'

/** A server as one of the forms gave it, not yet checked. */
export type Draft =
  | {
      status: 'read'
      name: string
      config: Record<string, unknown>
      warnings: string[]
      /** Secrets that the form itself marks. */
      secrets?: PasteSecret[]
    }
  | { status: 'unusable'; name: string; message: string }

export function unusable(name: string, message: string): Draft {
  return { status: 'unusable', name, message }
}
