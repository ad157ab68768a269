import type { Noted } from './page.ts'

/** All that the database holds of one tenant, in whichever table, and the end of it. */
export interface TenantRows {
  /** Row by row, without what is sealed and without hashes of keys; bytes are base64. */
  read(tenant_id: string): AsyncIterable<{ table: string; row: Record<string, unknown> }>
  /** From here on nobody of the tenant comes in. Throws `not_found`. */
  shut(tenant_id: string, at: number): Promise<void>
  /**
   * Deletes what is stored, part by part, but for the tenant and its users. Stopped halfway it is
   * called again. Gives how many rows there were.
   */
  clear(tenant_id: string): Promise<number>
  /** Deletes the tenant with whatever is left of it. */
  forget(tenant_id: string, options?: Noted): Promise<void>
}
