/** Keeps secrets sealed at rest; an envelope opens only under the binding it was sealed with. */
export interface Vault {
  seal(plaintext: string, binding: SecretBinding): Promise<string>
  /** Rejects with `secret_unreadable`. */
  open(envelope: string, binding: SecretBinding): Promise<string>
}

/** The one place a secret belongs to. */
export interface SecretBinding {
  tenant: string
  table: string
  row: string
  column: string
}
